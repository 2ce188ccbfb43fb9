package import RasdModel

// What a lease left behind is undone when a row is read, never in the set: the device that
// held it is not here (the merge rules, §Order of observations).

extension SubmissionStatus {
  package var shown: SubmissionStatus { self == .sending ? .queued : self }
}

extension AttachmentStatus {
  package var shown: AttachmentStatus { self == .uploading ? .pending : self }
}

extension OutboxStatus {
  package var shown: OutboxStatus { self == .leased ? .pending : self }
}
