internal import Glibc
internal import Synchronization

/// Whole pages of memory for secrets, since locking and keeping out of dumps work by the page.
///
/// A key takes a cell of a page that it shares with other keys: a run may hold one for each of
/// thousands of exports, and what may be locked is little. Single pages are kept for the next
/// secret: six system calls cost more than sealing a chunk.
@safe enum LockedPages {
  /// Erased pages that are kept at most; more are there only while more secrets live at once.
  private static let keptAtMost = 64
  /// Enough for every kind of key.
  private static let cellSize = 64

  // Sendable because whoever holds a place here holds the only reference to it.
  @safe private struct Place: @unchecked Sendable { let start: UnsafeMutableRawPointer }

  private static let pages = Mutex<[Place]>([])
  /// Erased cells; their pages are never given up, so there are as many as ever lived at once.
  private static let cells = Mutex<[Place]>([])
  private static let pageSize = sysconf(CInt(_SC_PAGESIZE))

  /// Zeroed memory: a cell, or at least one page.
  static func take(_ capacity: Int) -> UnsafeMutableRawBufferPointer {
    guard capacity > cellSize else { return unsafe takeCell() }
    let size = (capacity + pageSize - 1) / pageSize * pageSize
    if size == pageSize, let page = pages.withLock({ $0.popLast() }) {
      return unsafe UnsafeMutableRawBufferPointer(start: page.start, count: size)
    }
    return unsafe UnsafeMutableRawBufferPointer(start: lock(size).start, count: size)
  }

  private static func takeCell() -> UnsafeMutableRawBufferPointer {
    let cell = cells.withLock { cells in
      if let cell = cells.popLast() { return cell }
      let page = unsafe lock(pageSize).start
      for offset in stride(from: cellSize, to: pageSize, by: cellSize) {
        unsafe cells.append(Place(start: page + offset))
      }
      return unsafe Place(start: page)
    }
    return unsafe UnsafeMutableRawBufferPointer(start: cell.start, count: cellSize)
  }

  private static func lock(_ size: Int) -> Place {
    let start = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      preconditionFailure("out of memory")
    }
    // A lock that the system refuses (its limit is per process) is done without.
    unsafe mlock(start, size)
    unsafe madvise(start, size, MADV_DONTDUMP)
    unsafe madvise(start, size, MADV_WIPEONFORK)
    return unsafe Place(start: start)
  }

  /// Takes back memory that its user has erased.
  static func giveBack(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    let place = unsafe Place(start: start)
    if memory.count == cellSize {
      cells.withLock { $0.append(place) }
      return
    }
    let isKept =
      memory.count == pageSize
      && pages.withLock { pages in
        guard pages.count < keptAtMost else { return false }
        pages.append(place)
        return true
      }
    if !isKept { unsafe munmap(start, memory.count) }
  }
}
