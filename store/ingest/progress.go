package ingest

import "time"

// Progress says how far an import or an embedding has come.
type Progress struct {
	Done, Total   int64 // bytes of JSON, or turns to embed
	Conversations int   // read so far; 0 when embedding
	Turns         int   // read, or embedded, so far
	Elapsed       time.Duration
}

// progressInterval is how often a progress function is called at most.
const progressInterval = 100 * time.Millisecond

// meter calls a progress function, not too often. It belongs to one goroutine.
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
