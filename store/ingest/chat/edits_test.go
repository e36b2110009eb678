package chat

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

func numbered(n int) (id uuid.UUID) {
	binary.BigEndian.PutUint32(id[12:], uint32(n))
	return id
}

// TestEdits_Branches: a message finds the documents as those above it left them, whatever other branches did.
func TestEdits_Branches(t *testing.T) {
	// 1 - 2 - 3, and 1 - 4 - 5 beside it.
	c := &store.Conversation{}
	for _, m := range [][2]int{{1, 0}, {2, 1}, {3, 2}, {4, 1}, {5, 4}} {
		c.Messages = append(c.Messages, store.Message{ID: numbered(m[0]), Parent: numbered(m[1]), OnPath: m[0] > 3 || m[0] == 1})
	}
	e := NewEdits(c)
	for i := range c.Messages {
		e.At(&c.Messages[i])
		d := e.Document(store.Artifact, "a")
		e.Write(d, d.Text+fmt.Sprint(i+1))
	}
	var got []string
	for _, d := range e.Derived() {
		key, _, _ := strings.Cut(d.Key, "@")
		got = append(got, key+" "+d.Text)
	}
	if s := strings.Join(got, ", "); s != "a 145, a 123" {
		t.Errorf("got %s", s)
	}
}

// TestEdits_Memory follows messages that each create a document: one after the other, and each with a branch that comes
// late, for which the documents of the time must be kept.
func TestEdits_Memory(t *testing.T) {
	const n = 8000
	for name, branches := range map[string]bool{"a chain": false, "a branch each": true} {
		t.Run(name, func(t *testing.T) {
			c := &store.Conversation{}
			for i := range n {
				c.Messages = append(c.Messages, store.Message{ID: numbered(i + 1), Parent: numbered(i), OnPath: true})
			}
			for i := range n {
				if branches {
					c.Messages = append(c.Messages, store.Message{ID: numbered(n + i + 1), Parent: numbered(i + 1)})
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			e := NewEdits(c)
			for i := range c.Messages {
				e.At(&c.Messages[i])
				e.Write(e.Document(store.Artifact, fmt.Sprint(i)), fmt.Sprintf("text %d", i))
			}
			all := e.Derived()
			runtime.ReadMemStats(&after)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 150 {
				t.Errorf("%d messages allocated %d MiB", len(c.Messages), mib)
			}
			for i, d := range all {
				if !strings.HasSuffix(d.Text, fmt.Sprintf("text %d", i)) || !branches && d.Unapplied > 0 {
					t.Fatalf("document %d says %q", i, d.Text)
				}
			}
			if len(all) != len(c.Messages) {
				t.Errorf("%d documents of %d messages", len(all), len(c.Messages))
			}
		})
	}
}
