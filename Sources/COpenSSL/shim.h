#pragma once
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <sys/prctl.h>

/* Keys an HMAC context anew. Parameter lists are arrays that Swift can only write with
   unsafe pointers; a null key would mean "the key of before". */
static inline int shim_hmac_key(EVP_MAC_CTX *context, const char *digest,
                                const unsigned char *key, size_t length) {
  OSSL_PARAM parameters[2] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0),
      OSSL_PARAM_construct_end()};
  return EVP_MAC_init(context, key ? key : (const unsigned char *)"", length, parameters);
}

/* prctl is variadic. */
static inline int shim_make_undumpable(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
