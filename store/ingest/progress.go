package ingest

import "time"

// Progress is the progress of an import, an embedding or a summarizing run.
type Progress struct {
	Done, Total   int64 // bytes of input files, or turns
	Conversations int   // imported so far; 0 when embedding and summarizing
	Turns         int   // imported, embedded or summarized so far
	Elapsed       time.Duration
}

// progressInterval is the shortest time between two calls of a progress function.
const progressInterval = 100 * time.Millisecond

// meter calls a progress function at most every progressInterval. It is not safe for concurrent use.
type meter struct {
	now     Progress
	report  func(Progress)
	started time.Time
	last    time.Time
}

func (m *meter) tick() {
	if m.report != nil && time.Since(m.last) >= progressInterval {
		m.done()
	}
}

func (m *meter) done() {
	if m.report == nil {
		return
	}
	m.last = time.Now()
	m.now.Elapsed = m.last.Sub(m.started)
	m.report(m.now)
}
