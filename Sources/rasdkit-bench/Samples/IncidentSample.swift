import RasdModel
import SQLCipherKit

/// A phone that died while it was writing: its database with damaged pages, the WAL it left,
/// its photos, one of them under another name.
struct IncidentSample {
  let root: String
  let profile: String

  private static let pageSize = 4096
  private static let name = "device/rasd__example.e_06.db"

  func make() throws {
    var dice = Dice(606)
    let key = dice.bytes(32)
    try OutputFile.write(Hex.encode(key) + "\n", to: "\(root)/keys/device.key")
    let device = MadeDevice(
      namespace: "example.e_06",
      label: "phone 6",
      seed: 6,
      submissions: 60,
      photos: 14
    )

    let work = "\(root)/work.db"
    try OutputFile.makeFolder("\(root)/device")
    let database = try MadeDatabase(path: work, rawKey: key, profile: profile)
    // An app that leaves deleted bytes where they are, as SQLite does unless told otherwise.
    try database.connection.execute("PRAGMA secure_delete = OFF")
    try database.connection.begin()
    try database.insertForm()
    for index in 0..<48 { try database.insert(device.made(index)) }
    for index in stride(from: 20, to: 28, by: 2) {
      try database.connection.execute(
        "DELETE FROM submissions WHERE id = '\(device.made(index).id)'"
      )
    }
    try database.connection.commit()
    try database.checkpoint()
    try database.connection.begin()
    for index in 48..<60 { try database.insert(device.made(index)) }
    try database.connection.commit()

    let wal = try OutputFile.read(work + "-wal")
    try OutputFile.write(
      damaged(try OutputFile.read(work), wal: wal),
      to: "\(root)/\(Self.name)"
    )
    try OutputFile.write(wal, to: "\(root)/\(Self.name)-wal")
    database.connection.close()
    for suffix in ["", "-wal", "-shm"] { OutputFile.remove(work + suffix) }
    try writePhotos(of: device)
    try truth(of: device).write(to: root)
  }

  /// Every row that the phone had, those that were deleted included.
  private func truth(of device: MadeDevice) throws -> SampleTruth {
    var truth = SampleTruth()
    truth.add("forms", try MadeForm.row())
    for index in 0..<device.submissions {
      let made = device.made(index)
      truth.add("submissions", try made.row())
      if let row = made.attachmentRow(), let photo = made.photo {
        truth.add(
          "attachments",
          .object((row.members ?? []) + [.init("name", .string(photo.name))])
        )
      }
      if let row = made.outboxRow() { truth.add("outbox", row) }
    }
    return truth
  }

  /// Page 1 keeps its salt only, one page is zeros, four have one flipped bit.
  ///
  /// Only pages that the WAL does not bring again, where damage costs something; the last of them
  /// hold submissions.
  private func damaged(_ bytes: [UInt8], wal: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for offset in 16..<Self.pageSize { bytes[offset] = 0 }
    let again = Self.pages(of: wal)
    let bare = (2...bytes.count / Self.pageSize).filter { !again.contains($0) }
    for (place, page) in bare.reversed().enumerated() {
      let start = (page - 1) * Self.pageSize
      switch place {
      case 2: for offset in 0..<Self.pageSize { bytes[start + offset] = 0 }
      case 1, 4, 5, 7: bytes[start + 1000 + page] ^= 0x10
      default: break
      }
    }
    return bytes
  }

  /// The page numbers of a WAL's frames (file format, §4.1).
  private static func pages(of wal: [UInt8]) -> Set<Int> {
    let (header, frameHeader) = (32, 24)
    let frames = stride(from: header, to: wal.count, by: frameHeader + pageSize)
    return Set(frames.map { at in wal[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } })
  }

  private func writePhotos(of device: MadeDevice) throws {
    for index in 0..<device.photos {
      guard let photo = device.made(index).photo else { continue }
      let name = index == 3 ? "IMG_recovered (2)" : photo.id
      try OutputFile.write(photo.bytes(), to: "\(root)/device/attachments/\(name).svg")
    }
  }
}
