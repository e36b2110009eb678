package store

import "context"

// DiskMeter is implemented by a backend that knows how much space its archive takes.
type DiskMeter interface {
	// DiskUse measures the archive. It reads every row's length, but no text.
	DiskUse(ctx context.Context) (DiskUse, error)
}

// DiskUse is the space that an archive takes, in bytes.
type DiskUse struct {
	Total   int64       // with indexes, pages that are free again, and the log
	Sources []SourceUse // by name
}

// SourceUse is the space that the content of one source takes, in bytes as stored.
type SourceUse struct {
	Source  Source
	Texts   int64 // messages with their raw JSON
	Vectors int64 // of all generations
}
