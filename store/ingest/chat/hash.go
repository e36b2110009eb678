package chat

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// hasher computes a store.Hash of a list of fields. The length precedes each field of variable length, so that
// different lists never give the same input.
type hasher struct {
	sum hash.Hash
	buf []byte // not yet written to sum; of constant capacity
}

func newHasher() *hasher { return &hasher{sum: sha256.New(), buf: make([]byte, 0, 4<<10)} }

var hashers = sync.Pool{New: func() any { return newHasher() }}

func (h *hasher) bytes(b []byte) {
	h.int(len(b))
	h.flush()
	h.sum.Write(b)
}

func (h *hasher) string(s string) {
	for h.int(len(s)); len(s) > 0; {
		n := min(len(s), cap(h.buf)-len(h.buf))
		h.buf, s = append(h.buf, s[:n]...), s[n:]
		if s != "" {
			h.flush()
		}
	}
}

// room flushes the buffer when fewer than n bytes fit.
func (h *hasher) room(n int) {
	if cap(h.buf)-len(h.buf) < n {
		h.flush()
	}
}

func (h *hasher) id(id uuid.UUID)       { h.fixed(id) }
func (h *hasher) hash(other store.Hash) { h.fixed(other) }

func (h *hasher) fixed(b [16]byte) {
	h.room(len(b))
	h.buf = append(h.buf, b[:]...)
}

func (h *hasher) int(n int) {
	h.room(binary.MaxVarintLen64)
	h.buf = binary.AppendVarint(h.buf, int64(n))
}

func (h *hasher) bool(b bool) {
	if b {
		h.int(1)
	} else {
		h.int(0)
	}
}

// time writes an unknown time as a value that no export can contain.
func (h *hasher) time(t time.Time) {
	if t.IsZero() {
		h.int(-1)
		return
	}
	h.int(int(store.Micros(t)))
}

func (h *hasher) flush() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}

// done returns the hash of the fields so far and resets the hasher.
func (h *hasher) done() store.Hash {
	h.flush()
	out := store.Hash(h.sum.Sum(h.buf))
	h.sum.Reset()
	return out
}

func (h *hasher) message(m *store.Message, text store.Hash) store.Hash {
	h.id(m.ID)
	h.string(m.SourceID)
	h.id(m.Parent)
	h.string(string(m.Role))
	h.string(m.ContentType)
	h.hash(text)
	h.string(m.Summary)
	h.string(m.Model)
	h.time(m.Time)
	h.bool(m.Visible)
	h.bool(m.OnPath)
	h.id(m.Turn)
	h.bytes(m.Raw)
	return h.done()
}

func (h *hasher) conversation(c *store.Conversation) store.Hash {
	h.id(c.ID)
	h.string(c.SourceID)
	h.string(string(c.Source))
	h.string(c.Title)
	h.time(c.Created)
	h.time(c.Updated)
	h.string(c.Model)
	for i := range c.Messages {
		h.hash(c.Messages[i].Hash)
	}
	h.int(len(c.Messages))
	for i := range c.Turns {
		h.hash(c.Turns[i].Hash)
	}
	return h.done()
}
