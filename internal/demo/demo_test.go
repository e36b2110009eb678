package demo_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"lens/internal/demo"
	"lens/store/ingest/chat"
	"lens/store/ingest/source/chatgpt"
)

// written returns the bytes of the demo.
func written(t testing.TB, opts demo.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := demo.Write(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func parsed(t testing.TB, opts demo.Options) []*chat.Parsed {
	t.Helper()
	var all []*chat.Parsed
	for p, err := range chatgpt.Conversations(bytes.NewReader(written(t, opts))) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// The demo must be the same for everyone. Its hash changes only with its texts.
func TestWrite_Reproducible(t *testing.T) {
	first, again := written(t, demo.Options{}), written(t, demo.Options{Seed: 1, Turns: 3000})
	if !bytes.Equal(first, again) {
		t.Error("two runs differ")
	}
	if bytes.Equal(first, written(t, demo.Options{Seed: 2})) {
		t.Error("another seed gives the same bytes")
	}
	sum := sha256.Sum256(first)
	const want = "1e64490b6fffacaa"
	if got := hex.EncodeToString(sum[:8]); got != want {
		t.Errorf("got hash %s, want %s", got, want)
	}
}

func TestWrite_ParserKnowsEverything(t *testing.T) {
	turns, branches, languages := 0, 0, 0
	for _, p := range parsed(t, demo.Options{}) {
		if len(p.Count.UnknownContent)+p.Count.Scrubbed+p.Count.Truncated > 0 {
			t.Errorf("%s: %+v", p.Title, p.Count)
		}
		if p.Title == "" || strings.ContainsAny(p.Title, "«»|") {
			t.Errorf("title %q", p.Title)
		}
		for _, turn := range p.Turns {
			if !turn.OnPath {
				branches++
				continue
			}
			turns++
			if turn.Time.After(time.Date(2026, time.November, 1, 6, 0, 0, 0, time.UTC)) { // the last evening may be long
				t.Errorf("%s: a turn after the last day, %s", p.Title, turn.Time)
			}
			if turn.UserText == "" || len(turn.AssistantText) < 40 || turn.TimeSource != 0 {
				t.Errorf("%s: turn %q / %q at %s", p.Title, turn.UserText, turn.AssistantText, turn.Time)
			}
			if strings.ContainsAny(turn.UserText, "あのはعنñüß") {
				languages++
			}
		}
	}
	if turns < 2700 || turns > 3300 {
		t.Errorf("%d turns on the active paths, want about 3000", turns)
	}
	if branches < 20 || languages < 100 {
		t.Errorf("%d turns on branches, %d in other scripts", branches, languages)
	}
}

func TestWrite_ShortConversationsNewestFirst(t *testing.T) {
	last := time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)
	lengths := map[int]int{}
	for _, p := range parsed(t, demo.Options{}) {
		if p.Derived != nil {
			continue // the instructions of all chats, which come last
		}
		if p.Created.After(last) {
			t.Errorf("%s began %s, after %s", p.Title, p.Created, last)
		}
		last = p.Created
		onPath := 0
		for _, turn := range p.Turns {
			onPath += map[bool]int{true: 1}[turn.OnPath]
		}
		lengths[onPath]++
	}
	if first := time.Date(2021, time.November, 1, 0, 0, 0, 0, time.UTC); last.Before(first) ||
		last.After(first.AddDate(0, 1, 0)) {
		t.Errorf("the first conversation began %s", last)
	}
	for n := range lengths {
		if n < 1 || n > 12 {
			t.Errorf("%d conversations have %d turns, want 1 to 12", lengths[n], n)
		}
	}
	if lengths[1] == 0 || lengths[12] == 0 {
		t.Errorf("got lengths %v, want 1 to 12", lengths)
	}
}

// years counts the turns that contain a word, for each year of the demo (November to October).
func years(all []*chat.Parsed, word string) (n [5]int) {
	for _, p := range all {
		for _, turn := range p.Turns {
			if strings.Contains(strings.ToLower(turn.UserText+turn.AssistantText), word) {
				months := (turn.Time.Year()-2021)*12 + int(turn.Time.Month()) - 11
				n[min(months/12, 4)]++
			}
		}
	}
	return n
}

func TestWrite_TopicsRiseFadeReturn(t *testing.T) {
	all := parsed(t, demo.Options{})
	baby, rust, job := years(all, "nap"), years(all, "cargo"), years(all, "interview")
	if baby[0]+baby[1] > baby[3]/2 || baby[3] < 20 {
		t.Errorf("naps by year: got %v, want a start in the fourth", baby)
	}
	if rust[0] < 2*rust[2] || rust[3] < 2*rust[2] {
		t.Errorf("Rust by year: got %v, want a gap in the third", rust)
	}
	if job[1] < 2*(job[0]+job[2]) {
		t.Errorf("interviews by year: got %v, want nearly all in the second", job)
	}
}

func TestWrite_OneTimeEvents(t *testing.T) {
	for _, event := range []string{"3:58:41!", "I accepted the Brightwater offer", "IT COMPILES"} {
		n := 0
		for _, p := range parsed(t, demo.Options{}) {
			for _, turn := range p.Turns {
				n += map[bool]int{true: 1}[strings.Contains(turn.UserText, event)]
			}
		}
		if n != 1 {
			t.Errorf("%q: got %d times, want 1", event, n)
		}
	}
}

func TestWrite_Until(t *testing.T) {
	until := time.Date(2030, time.February, 10, 0, 0, 0, 0, time.UTC)
	for _, p := range parsed(t, demo.Options{Turns: 300, Until: until}) {
		if p.Created.After(until.AddDate(0, 0, 1)) || p.Created.Before(until.AddDate(-5, 0, -1)) {
			t.Errorf("%s began %s", p.Title, p.Created)
		}
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWrite_Fails(t *testing.T) {
	if err := demo.Write(full{}, demo.Options{Turns: 10}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
}

func ExampleWrite() {
	var export bytes.Buffer
	_ = demo.Write(&export, demo.Options{Turns: 100})
	n := 0
	for p := range chatgpt.Conversations(&export) {
		n += len(p.Turns)
	}
	fmt.Println(n > 90)
	// Output: true
}

func BenchmarkWrite(b *testing.B) {
	for b.Loop() {
		if err := demo.Write(io.Discard, demo.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
