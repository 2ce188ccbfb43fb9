import Glibc
import RasdModel
import RasdPipeline
import Synchronization

/// The thread that shows progress and takes signals while a job works.
///
/// Signals are blocked in every thread and taken here, so no handler ever runs inside a
/// job: the first SIGINT or SIGTERM asks the job to finish its batch, the second ends the
/// process at once, SIGUSR1 says where the run stands.
final class Watch: Sendable {
  private let console: Console
  private let progress: Progress
  private let interrupt: Interrupt
  private let style: ProgressStyle
  private let finished = Atomic<Bool>(false)

  init(console: Console, progress: Progress, interrupt: Interrupt, style: ProgressStyle) {
    self.console = console
    self.progress = progress
    self.interrupt = interrupt
    self.style = style
  }

  /// Blocks the signals that `during` takes; called before any other thread starts.
  static func blockSignals() {
    var set = taken
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Runs `job` while progress is shown and signals are taken.
  func during<Result>(_ job: () throws(RasdError) -> Result) throws(RasdError) -> Result {
    let thread = WorkerThread { self.look() }
    defer {
      finished.store(true, ordering: .relaxed)
      kill(getpid(), SIGUSR2)
      thread.join()
    }
    return try job()
  }

  private func look() {
    var display = ProgressDisplay()
    var wait = style.first
    while !finished.load(ordering: .relaxed) {
      switch Self.nextSignal(within: wait) {
      case SIGUSR1: console.note(display.line(progress.standing, now: Self.now))
      case SIGINT: stop(SIGINT)
      case SIGTERM: stop(SIGTERM)
      case SIGUSR2: continue
      default:
        show(&display)
        wait = style.interval
      }
    }
    if case .line = style { console.redraw("") }
  }

  private func show(_ display: inout ProgressDisplay) {
    switch style {
    case .line:
      console.redraw(
        String(display.line(progress.standing, now: Self.now).prefix(console.errors.width - 1))
      )
    case .plain: console.note(display.line(progress.standing, now: Self.now))
    case .json: console.raw(display.json(progress.standing, now: Self.now))
    case .silent: break
    }
  }

  private func stop(_ number: Int32) {
    if interrupt.request(signal: number) { _exit(128 + number) }
    Prompt.giveUp()
    console.note("finishing the batch; once more stops at once")
  }

  private static var taken: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGUSR1, SIGUSR2] { unsafe sigaddset(&set, number) }
    return set
  }

  /// The next signal, or nil when none came within so many milliseconds.
  private static func nextSignal(within milliseconds: Int) -> Int32? {
    var set = taken
    var limit = timespec(
      tv_sec: milliseconds / 1000,
      tv_nsec: milliseconds % 1000 * 1_000_000
    )
    let number = unsafe sigtimedwait(&set, nil, &limit)
    return number > 0 ? number : nil
  }

  private static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
