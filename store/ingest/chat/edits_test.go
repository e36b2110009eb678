package chat

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

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
		if key, _, _ := strings.Cut(d.Key, "@"); !d.Earlier {
			got = append(got, key+" "+d.Text)
		}
	}
	if s := strings.Join(got, ", "); s != "a 145, a 123" {
		t.Errorf("got %s", s)
	}
}

// TestEdits_Cut cuts a document at the limit, whichever change makes it too long, and says so until it is written again.
func TestEdits_Cut(t *testing.T) {
	long := strings.Repeat("x", MaxText)
	for name, c := range map[string]struct {
		change func(*Edits, *Edited)
		cut    bool
	}{
		"at the limit":      {func(e *Edits, d *Edited) { e.Write(d, long) }, false},
		"written":           {func(e *Edits, d *Edited) { e.Write(d, long+"x") }, true},
		"replaced":          {func(e *Edits, d *Edited) { e.Write(d, "a"+long[1:]); e.Replace(d, "a", "bb") }, true},
		"and replaced":      {func(e *Edits, d *Edited) { e.Write(d, long+"x"); e.Replace(d, "x", "") }, true},
		"and written":       {func(e *Edits, d *Edited) { e.Write(d, long+"x"); e.Write(d, "short") }, false},
		"not to be applied": {func(e *Edits, d *Edited) { e.Write(d, long); e.Undone(d, "more") }, true},
	} {
		conversation := &store.Conversation{Messages: []store.Message{{ID: numbered(1), OnPath: true}}}
		e := NewEdits(conversation)
		e.At(&conversation.Messages[0])
		c.change(e, e.Document(store.Artifact, "a"))
		if all := e.Derived(); all[0].Cut != c.cut || len(all[0].Text) > MaxText {
			t.Errorf("%s: %d bytes, cut %t; want %t", name, len(all[0].Text), all[0].Cut, c.cut)
		}
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

func TestChangedPassages(t *testing.T) {
	for name, c := range map[string]struct {
		old, text string
		want      []string
	}{
		"a line":                   {"a\nb\nc", "a\nx\nc", []string{"b"}},
		"a line that goes":         {"a\nb\nc", "a\nc", []string{"b"}},
		"nothing but more":         {"a\nc", "a\nb\nc\nd", nil},
		"a paragraph of two lines": {"a\n\nb\nc\n\nd", "x\n\nb\ny\n\nd", []string{"a", "b\nc"}},
		"paragraphs that move":     {"a\n\nb\n\nc", "c\n\na\n\nb", nil},
		"another indentation":      {"if x\n  y", "if z\ny", []string{"if x\n  y"}},
		"everything":               {"a\nb", "", []string{"a\nb"}},
		"the first text":           {"", "a", nil},
		"the end of the last line": {"a\nbc", "a\nb", []string{"bc"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := changedPassages(c.old, c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Whatever changes, no line is lost: it is in the document, or in what changes took out of it.
func TestEdits_NoLineIsLost(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := &store.Conversation{}
		last := 0 // of the active path
		for i := range rapid.IntRange(1, 8).Draw(rt, "messages") {
			m := store.Message{ID: numbered(i + 1), SourceID: fmt.Sprint(i), Parent: numbered(last)}
			if m.OnPath = rapid.Bool().Draw(rt, "on the path"); m.OnPath {
				last = i + 1
			}
			c.Messages = append(c.Messages, m)
		}
		e, lines := NewEdits(c), map[string]bool{}
		for i := range c.Messages {
			e.At(&c.Messages[i])
			for range rapid.IntRange(1, 2).Draw(rt, "changes") {
				text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "", "d e"}), 1, 6).Draw(rt, "lines"), "\n")
				d := e.Document(store.Canvas, "x")
				if rapid.Bool().Draw(rt, "replaces") && d.Text != "" {
					e.Replace(d, d.Text[:1], text)
				} else {
					e.Write(d, text)
				}
				for _, line := range strings.Split(d.Text, "\n") {
					lines[strings.TrimSpace(line)] = true
				}
			}
		}
		left := map[string]bool{"": true}
		for _, d := range e.Derived() {
			for _, line := range strings.Split(d.Text, "\n") {
				left[strings.TrimSpace(line)] = true
			}
		}
		for line := range lines {
			if !left[line] {
				rt.Errorf("%q is not in %v", line, left)
			}
		}
	})
}

// What changes take out is kept up to a limit.
func TestEdits_ManyEarlierVersions(t *testing.T) {
	c := &store.Conversation{}
	for i := range 100 {
		c.Messages = append(c.Messages, store.Message{
			ID: numbered(i + 1), SourceID: fmt.Sprint(i), Parent: numbered(i), OnPath: true, Raw: make([]byte, 1<<20),
		})
	}
	e := NewEdits(c)
	for i := range c.Messages {
		e.At(&c.Messages[i])
		e.Write(e.Document(store.Artifact, "a"), strings.Repeat(string(rune('A'+i%26)), 1<<20))
	}
	size := 0
	all := e.Derived()
	for _, d := range all {
		size += len(d.Text)
	}
	if len(all) != 1+maxEarlier>>20 || size > maxEarlier+1<<20 {
		t.Errorf("%d documents of %d bytes", len(all), size)
	}
}
