// swift-tools-version: 6.2
import PackageDescription

// Debian 12 ships SQLCipher 3.4.1, which cannot open what phones write today. `./dev setup`
// builds SQLCipher 4 there under a name of its own and sets this variable.
let sqlcipher = Context.environment["RASDKIT_SQLCIPHER"] ?? "sqlcipher"

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

func module(
  _ name: String,
  _ dependencies: [Target.Dependency] = [],
  resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies + ["TestSupport"],
    exclude: exclude,
    swiftSettings: strict
  )
}

func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

// A module imports only modules above it in this list.
let package = Package(
  name: "rasdkit",
  products: [
    .executable(name: "rasdkit", targets: ["rasdkit"])
  ],
  targets: [
    .systemLibrary(name: "CGlibc"),
    system("COpenSSL", "libcrypto", apt: "libssl-dev"),
    system("CZlib", "zlib", apt: "zlib1g-dev"),
    system("CZip", "libzip", apt: "libzip-dev"),
    system("CArchive", "libarchive", apt: "libarchive-dev"),
    system("CSQLCipher", sqlcipher, apt: "libsqlcipher-dev"),

    module("RasdModel"),
    module("RasdCrypto", ["COpenSSL", "RasdModel"]),
    module("SQLCipherKit", ["CSQLCipher", "RasdModel"]),
    module("RasdContainer", ["CZip", "CZlib", "CArchive", "RasdCrypto", "RasdModel"]),
    module("RasdSalvage", ["RasdCrypto", "RasdModel"]),
    module("RasdMerge", ["RasdModel"]),
    module("RasdStore", ["RasdMerge", "SQLCipherKit", "RasdCrypto", "RasdModel", "CGlibc"]),
    module("RasdReport", ["RasdModel"]),
    module(
      "RasdPipeline",
      [
        "RasdReport", "RasdStore", "RasdMerge", "RasdSalvage", "RasdContainer", "SQLCipherKit",
        "RasdCrypto", "RasdModel",
      ],
      // A link to Recipes/profiles: the program carries what it ships.
      resources: [.embedInCode("Profiles")]
    ),
    program(
      "rasdkit",
      [
        "RasdPipeline", "RasdReport", "RasdStore", "RasdMerge", "RasdSalvage", "RasdContainer",
        "RasdCrypto", "RasdModel", "CGlibc",
      ]
    ),
    program(
      "rasdkit-bench",
      ["RasdContainer", "RasdSalvage", "RasdStore", "SQLCipherKit", "RasdCrypto", "RasdModel"]
    ),

    .target(
      name: "TestSupport",
      dependencies: ["RasdModel"],
      path: "Tests/TestSupport",
      swiftSettings: strict
    ),
    tests("RasdModelTests", ["RasdModel", "RasdCrypto"], exclude: ["Fixtures"]),
    tests("RasdCryptoTests", ["RasdCrypto", "RasdModel", "CZlib"]),
    tests(
      "RasdContainerTests",
      ["RasdContainer", "RasdCrypto", "RasdModel", "CZip", "CArchive"]
    ),
    tests("RasdMergeTests", ["RasdMerge", "RasdModel"]),
    tests("SQLCipherKitTests", ["SQLCipherKit", "RasdModel"]),
    tests("RasdStoreTests", ["RasdStore", "RasdMerge", "SQLCipherKit", "RasdCrypto", "RasdModel"]),
    tests(
      "RasdSalvageTests",
      ["RasdSalvage", "SQLCipherKit", "RasdCrypto", "RasdModel"],
      exclude: ["Fixtures"]
    ),
    tests("RasdReportTests", ["RasdReport", "RasdModel"]),
    tests("RasdPipelineTests", ["RasdPipeline", "RasdModel"]),
    tests("rasdkitTests", ["rasdkit", "RasdPipeline", "RasdModel"]),
    tests(
      "EndToEndTests",
      ["SQLCipherKit", "RasdCrypto", "RasdModel"],
      exclude: ["Tools", "Snapshots"]
    ),
  ]
)

// The fuzz targets exist only for `./dev fuzz`, so that an ordinary build knows nothing of them.
if Context.environment["RASDKIT_FUZZ"] != nil {
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .executableTarget(
      name: "rasdkit-fuzz",
      dependencies: ["CLibFuzzer", "RasdContainer", "RasdSalvage", "RasdCrypto", "RasdModel"],
      path: "Fuzz/rasdkit-fuzz",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
    ),
  ]
}
