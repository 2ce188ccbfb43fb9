extension Recipient {
  /// The first public key of a PEM text.
  package init(pem text: Span<UInt8>) throws(KeyFault) {
    guard let der = try PEM.content(PEM.publicKey, of: text) else {
      throw KeyFault(KeyNature(of: text))
    }
    do throws(KeyEncoding.Fault) {
      let (kem, publicKey) = try KeyEncoding.readPublicKey(der.bytes)
      guard KeyExchange.isUsable(kem, publicKey: publicKey) else { throw .malformed }
      self.init(kem: kem, publicKey: publicKey)
    } catch {
      throw KeyFault(error == .otherAlgorithm ? .otherKey : .damagedPEM)
    }
  }
}

extension Identity {
  /// The first private key of a PEM text.
  package init(pem text: Span<UInt8>) throws(KeyFault) {
    guard let der = try PEM.content(PEM.privateKey, of: text) else {
      throw KeyFault(KeyNature(of: text))
    }
    do throws(KeyEncoding.Fault) {
      let read = try KeyEncoding.readPrivateKey(der.bytes)
      // A public key that is not the private one's would give slots a kid that nothing opens.
      guard let publicKey = KeyExchange.publicKey(read.kem, of: read.secret.bytes),
        read.publicKey == nil || read.publicKey == publicKey
      else { throw .malformed }
      secret = read.secret
      recipient = Recipient(kem: read.kem, publicKey: publicKey)
    } catch {
      throw KeyFault(error == .otherAlgorithm ? .otherKey : .damagedPEM)
    }
  }
}

extension PEM {
  /// What the first block of a label holds; nil where there is no such block.
  fileprivate static func content(
    _ label: String,
    of text: Span<UInt8>
  ) throws(KeyFault) -> Secret? {
    if let nature = KeyNature.byteOrderMark(of: text) { throw KeyFault(nature) }
    guard let block = blocks(in: text).first(where: { $0.label == label }) else { return nil }
    guard let content = decode(text.extracting(block.body)) else { throw KeyFault(.damagedPEM) }
    return content
  }
}
