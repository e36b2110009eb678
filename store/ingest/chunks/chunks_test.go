package chunks

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
)

// read returns the records of data and the reasons for skipped lines. It fails on any other error, and checks every
// record.
func read(t testing.TB, o *Reader, data string) (records []*chat.Parsed, skipped []string) {
	t.Helper()
	for p, err := range o.Records(t.Context(), strings.NewReader(data)) {
		var skip *chat.Skip
		switch {
		case errors.As(err, &skip):
			skipped = append(skipped, fmt.Sprintf("%d %s", skip.Index, skip.Reason))
		case err != nil:
			t.Fatal(err)
		default:
			if err := p.Check(); err != nil {
				t.Error(err)
			}
			records = append(records, p)
		}
	}
	return records, skipped
}

func TestRecords_KeepMetadata(t *testing.T) {
	meta := `{ "entity":"comic","id":7,"urls":["a" ,"b"],"n":1.50,"entity":"twice" }`
	records, _ := read(t, &Reader{Path: "/data/marvel.jsonl", Tag: "acme"},
		`{"id":7,"text":"A hero is bitten.","meta":`+meta+`,"modified":"2026-05-02T08:00:00Z","extra":[1, 2],"title":"Amazing"}`)
	c := records[0]
	turn := c.Turns[0]
	if c.Title != "Amazing" || c.SourceID != "7" || c.Source != store.Chunks || string(turn.Chunk.Meta) != meta || turn.Chunk.ID != "7" {
		t.Errorf("got %+v, %+v", c.Conversation, turn.Chunk)
	}
	if turn.UserText != "" || turn.EmbeddedText() != "A hero is bitten." || !turn.Embeddable || turn.Time.Format("2006-01-02") != "2026-05-02" {
		t.Errorf("got %+v", turn)
	}
	if raw := string(c.Messages[0].Raw); raw != `{"extra":[1, 2]}` {
		t.Errorf("raw %s", raw)
	}
	if d := c.Document; d.Filename != "marvel.jsonl" || d.Path != "/data/marvel.jsonl" || d.ClientTag != "acme" {
		t.Errorf("document %+v", d)
	}
}

// TestRecords_NoPathOfWhatDerives: what derives from a conversation goes when the conversation changes.
func TestRecords_NoPathOfWhatDerives(t *testing.T) {
	derived := store.Origin{Conversation: uuid.New()}.Path(store.Artifact, "x")
	for given, want := range map[string]string{"/notes/x.md": "/notes/x.md", derived: "/a/x.jsonl", "": "/a/x.jsonl"} {
		records, _ := read(t, &Reader{Path: "/a/x.jsonl"}, `{"id":"1","text":"t","meta":{"source_path":"`+given+`"}}`)
		if got := records[0].Document.Path; got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

func TestRecords_IdentityIgnoresFolder(t *testing.T) {
	id := func(path, line string) string {
		records, _ := read(t, &Reader{Path: path}, line)
		return records[0].ID.String()
	}
	same := id("/a/x.jsonl", `{"id":"1","text":"t","meta":{"entity":"comic"}}`)
	if same != id("/b/x.jsonl", `{"meta":{"entity":"comic","more":1},"text":"other","id":"1"}`) {
		t.Error("changed, it is another record")
	}
	for _, other := range []string{
		id("/a/y.jsonl", `{"id":"1","text":"t","meta":{"entity":"comic"}}`), id("/a/x.jsonl", `{"id":"1","text":"t"}`),
		id("/a/x.jsonl", `{"id":"2","text":"t","meta":{"entity":"comic"}}`),
	} {
		if other == same {
			t.Error("two records are one")
		}
	}
}

// A record's own time counts, and that of its metadata where it has none, or none that can be read.
func TestRecords_Modified(t *testing.T) {
	for members, want := range map[string]string{
		`"modified":"2026-05-02T08:00:00Z","meta":{"modified":"2001-01-01"}`: "2026-05-02T08:00:00Z",
		`"meta":{"modified":"2014-04-29T14:18:17-0400"}`:                     "2014-04-29T18:18:17Z",
		`"meta":{"modified":1700000000},"modified":null`:                     "2023-11-14T22:13:20Z",
		`"modified":"soon","meta":{"modified":"2024-01-02"}`:                 "2024-01-02T00:00:00Z",
		`"meta":{"modified":"2024-01-02","modified":"2025-01-02"}`:           "2025-01-02T00:00:00Z",
		`"meta":{"modified":["2024-01-02"],"at":{"modified":"2024-01-02"}}`:  "0001-01-01T00:00:00Z",
		`"meta":{"modified":"-0001-11-30T00:00:00-0500"}`:                    "0001-01-01T00:00:00Z",
	} {
		records, _ := read(t, &Reader{Path: "x.jsonl"}, `{"id":"1","text":"t",`+members+`}`)
		c := records[0]
		if got := c.Turns[0].Time.Format(time.RFC3339); got != want || !c.Updated.Equal(c.Turns[0].Time) || !c.Document.Modified.Equal(c.Updated) {
			t.Errorf("%s: %s, updated %v, document %v, want %s", members, got, c.Updated, c.Document.Modified, want)
		}
	}
}

func TestRecords_InvalidLines(t *testing.T) {
	records, skipped := read(t, &Reader{Path: "x.jsonl"}, strings.Join([]string{
		`{"id":"a","text":"kept"}`, `{"id":"b","text":`, `[1]`, `null`, `{"text":"t"}`, `{"id":"c","text":" \n"}`, `{"id":"d","text":"t","meta":[]}`, ``,
		`{"id":"e","text":"t","meta":null}`, "{\"id\":\"f\",\"text\":\"\xff \\u0000 \\ud800\",\"meta\":{\"k\":\"\\u0000\"}}",
		`{"id":"g","text":"` + strings.Repeat("x", maxLine) + `"}`, `{"id":"h","text":"last, without a line break"}`,
	}, "\n"))
	want := []string{
		"1 line that is not JSON", "2 line that is no object", "3 line that is no object",
		"4 record without id", "5 record without text",
		"6 record whose meta is no object", "9 record over 32 MiB",
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("left out %q, want %q", skipped, want)
	}
	var kept []string
	for _, r := range records {
		kept = append(kept, r.SourceID)
	}
	if strings.Join(kept, "") != "aefh" {
		t.Errorf("kept %q", kept)
	}
	if f := records[2]; f.Count.Scrubbed != 1 || string(f.Turns[0].Chunk.Meta) != `{"k":"\ufffd"}` {
		t.Errorf("scrubbed to %q, %s", f.Turns[0].AssistantText, f.Turns[0].Chunk.Meta)
	}
}

func TestRecords_Vectors(t *testing.T) {
	records, _ := read(t, &Reader{}, strings.Join([]string{
		`{"id":"1","text":"t","vector":[3,4]}`, `{"id":"2","text":"t","vector":[0,0]}`, `{"id":"3","text":"t","vector":[1,2,3]}`,
		`{"id":"4","text":"t","vector":[1e300,1]}`, `{"id":"5","text":"t","vector":"no"}`, `{"id":"6","text":"t","vector":[1,"2"]}`,
		`{"id":"7","text":"t","vector":[]}`, `{"id":"8","text":"t","vector":null}`, `{"id":"9","text":"t"}`,
	}, "\n"))
	if v := records[0].Vector; len(v) != 2 || math.Abs(float64(v[0])-0.6) > 1e-6 {
		t.Errorf("got %v", v)
	}
	var refused []string
	for _, r := range records[1:] {
		for reason := range r.Count.RefusedVectors {
			refused = append(refused, r.SourceID+" "+reason)
		}
		if r.Vector != nil {
			t.Errorf("record %s has %v", r.SourceID, r.Vector)
		}
	}
	want := []string{
		"2 vector that is zero or not finite", "3 vector of other dimensions", "4 vector that is zero or not finite",
		"5 vector that is no list of numbers", "6 vector that is no list of numbers", "7 vector that is no list of numbers",
	}
	if !slices.Equal(refused, want) {
		t.Errorf("refused %q", refused)
	}
}

// Cranfield is an open collection of 1,400 abstracts, beside the repository.
func TestRecords_Cranfield(t *testing.T) {
	data, err := os.ReadFile(testenv.Shared(t, "cranfield/chunks.jsonl"))
	testenv.Must(t, err)
	records, skipped := read(t, &Reader{Path: "chunks.jsonl"}, string(data))
	lines := strings.Count(strings.TrimSpace(string(data)), "\n") + 1
	if len(records)+len(skipped) != lines || len(records) < 1300 {
		t.Errorf("%d records and %d left out of %d lines", len(records), len(skipped), lines)
	}
	t.Logf("%d records, left out %v", len(records), skipped)
}

func FuzzRecords(f *testing.F) {
	f.Add(`{"id":"a","text":"t","meta":{"entity":"x","n":[1,{"b":null}]},"vector":[1,0],"modified":1}`)
	f.Add("{}\n[]\n{\"id\":1,\"text\":\"\\u0000\"}")
	f.Fuzz(func(t *testing.T, data string) {
		records, skipped := read(t, &Reader{Path: "x.jsonl"}, data)
		if lines := strings.Count(data, "\n") + 1; len(records)+len(skipped) > lines {
			t.Fatalf("%d records and %d left out of %d lines", len(records), len(skipped), lines)
		}
		for _, r := range records {
			if m := r.Turns[0].Chunk.Meta; m != nil && !json.Valid(m) {
				t.Fatalf("meta %q", m)
			}
		}
	})
}
