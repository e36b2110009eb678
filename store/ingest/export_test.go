package ingest_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/export"
)

func TestExport_JSONLFieldNames(t *testing.T) {
	st := newArchive(t)
	c := heron()
	c.messages[1].summary = "Herons wade."
	c.messages = c.messages[:3] // the last question has no answer
	importChats(t, st, []chat{c})
	lines := strings.Split(strings.TrimSpace(exportAll(t, st)), "\n")
	want := `{"turn_id":"` + store.TurnID(testID("h1")).String() + `","user_message_id":"` + testID("h1").String() +
		`","assistant_message_id":"` + testID("h2").String() + `","conversation_id":"` + testID("heron").String() +
		`","title":"Herons","create_time":"2023-11-14T22:13:20Z","user":"What is a heron?","assistant":"A wading bird.",` +
		`"summary":"Herons wade.","model_slug":"","on_active_path":true,"undated":false}`
	if len(lines) != 2 || lines[0] != want {
		t.Errorf("got  %s\nwant %s", lines[0], want)
	}
	if !strings.Contains(lines[1], `"assistant_message_id":null`) || !strings.Contains(lines[1], `"assistant":""`) {
		t.Errorf("got %s", lines[1])
	}
}

func TestExport_OrderAndFilter(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, append(manyChats(200), heron()))
	all := lines(t, st, ingest.ExportOptions{})
	if len(all) != 202 || !slices.IsSortedFunc(all, byTime) {
		t.Errorf("%d lines, in order: %v", len(all), slices.IsSortedFunc(all, byTime))
	}
	one := lines(t, st, ingest.ExportOptions{Filter: store.Filter{Conversation: testID("heron")}})
	if len(one) != 2 {
		t.Errorf("%d lines of a conversation", len(one))
	}
	var ids []uuid.UUID
	for i := 199; i >= 0; i -= 2 {
		ids = append(ids, all[i].Turn, all[i].Turn)
	}
	some := lines(t, st, ingest.ExportOptions{IDs: ids})
	if len(some) != 100 || !slices.IsSortedFunc(some, byTime) {
		t.Errorf("%d lines by id", len(some))
	}
	if none := lines(t, st, ingest.ExportOptions{IDs: []uuid.UUID{}}); len(none) != 0 {
		t.Errorf("%d lines for no ids", len(none))
	}
}

type exportedTurn struct {
	Turn uuid.UUID `json:"turn_id"`
	Time string    `json:"create_time"`
}

func byTime(a, b exportedTurn) int {
	if c := strings.Compare(a.Time, b.Time); c != 0 {
		return c
	}
	return slices.Compare(a.Turn[:], b.Turn[:])
}

func lines(t *testing.T, st store.Store, opts ingest.ExportOptions) (all []exportedTurn) {
	t.Helper()
	var b strings.Builder
	n, err := ingest.Export(t.Context(), st, &b, opts)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(b.String())); d.More(); {
		var l exportedTurn
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	if n != len(all) {
		t.Errorf("returned %d, wrote %d", n, len(all))
	}
	return all
}

func TestExport_UndatedTurnsLast(t *testing.T) {
	st := newArchive(t)
	undated := map[string]any{"id": testID("u").String(), "mapping": map[string]any{testID("u1").String(): map[string]any{
		"message": map[string]any{"author": map[string]any{"role": "user"}, "content": map[string]any{"parts": []string{"When?"}}},
	}}}
	r := importChats(t, st, []any{undated, heron()})
	if r.Turns.Undated != 1 {
		t.Errorf("receipt %+v", r)
	}
	all := strings.Split(strings.TrimSpace(exportAll(t, st)), "\n")
	if !strings.Contains(all[2], `"create_time":null`) || !strings.Contains(all[2], `"undated":true`) {
		t.Errorf("the last line is %s", all[2])
	}
	if md := markdown(t, st); !strings.HasSuffix(md, "# Undated\n\n## When?\n\n*turn `"+store.TurnID(testID("u1")).String()+"`*\n\n> When?\n\n*No answer.*\n") {
		t.Errorf("the document ends with %q", md[max(0, len(md)-200):])
	}
}

func markdown(t testing.TB, st store.Store) string {
	t.Helper()
	var b strings.Builder
	opts := ingest.ExportOptions{Format: export.Markdown, Filter: store.Filter{AllBranches: true}}
	if _, err := ingest.Export(t.Context(), st, &b, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExport_MarkdownSeparatesTexts(t *testing.T) {
	c := heron()
	c.title = "Herons\n# and more"
	c.messages[0].text = "Two lines:\n\n# not a heading"
	c.messages[1].text = "```go\nfunc main() {"
	st := newArchive(t)
	importChats(t, st, []chat{c})
	md := markdown(t, st)
	for _, want := range []string{
		"## Herons # and more\n", "> Two lines:\n>\n> # not a heading\n", "```go\nfunc main() {\n```\n\n## Herons",
	} {
		if !strings.Contains(md, want) {
			t.Errorf("%q is not in\n%s", want, md)
		}
	}
}

func TestExport_Errors(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	full := errors.New("no space")
	for _, c := range []struct {
		name string
		opts ingest.ExportOptions
		code errs.Code
	}{
		{"an unknown turn", ingest.ExportOptions{IDs: []uuid.UUID{testID("stranger")}}, errs.NotFound},
	} {
		if _, err := ingest.Export(t.Context(), st, &strings.Builder{}, c.opts); errs.CodeOf(err) != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := ingest.Export(t.Context(), st, refusing{full}, ingest.ExportOptions{}); !errors.Is(err, full) {
		t.Errorf("a failed write: %v", err)
	}
}

type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }
