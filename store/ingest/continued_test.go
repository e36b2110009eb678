package ingest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// drawnSession is a file of a session with Claude Code, which may begin with a copy of another.
type drawnSession struct {
	ID      string
	Title   string
	Records []drawnRecord
}

type drawnRecord struct {
	ID, Parent, Role, Text string
	Second                 int
}

// sessionDrawer draws sessions.
type sessionDrawer struct {
	versionDrawer
	sessions int
}

func (d *sessionDrawer) open() drawnSession {
	d.sessions++
	return drawnSession{ID: fmt.Sprintf("session %d", d.sessions)}
}

func (s *drawnSession) say(d *sessionDrawer, parent, role string) string {
	d.made++
	id := fmt.Sprintf("r%d", d.made)
	s.Records = append(s.Records, drawnRecord{id, parent, role, fmt.Sprintf("%s says word%d", role, d.made), d.made})
	return id
}

// exchange adds a prompt with its answer in up to two records, behind the last record or, as one who went back does,
// behind an earlier answer.
func (s *drawnSession) exchange(d *sessionDrawer) {
	parent := ""
	if n := len(s.Records); n > 0 {
		parent = s.Records[n-1].ID
	}
	if n := len(s.Records); n > 2 && d.below(4, "went back") == 0 {
		if r := s.Records[d.below(n, "to")]; r.Role == "assistant" {
			parent = r.ID
		}
	}
	last := s.say(d, parent, "user")
	for range 1 + d.below(2, "records") {
		last = s.say(d, last, "assistant")
	}
}

func (d *sessionDrawer) draw() []drawnSession {
	first := d.open()
	for range 1 + d.below(2, "turns") {
		first.exchange(d)
	}
	all := []drawnSession{first}
	for range 1 + d.below(3, "files") {
		of := all[d.below(len(all), "of")]
		next := drawnSession{of.ID, of.Title, slices.Clone(of.Records)}
		if d.below(3, "grows") > 0 {
			next.ID = d.open().ID
			next.Records = next.Records[:1+d.below(len(next.Records), "copied")]
		}
		if d.below(4, "titled") == 0 {
			next.Title = fmt.Sprintf("Title %d", d.made)
		}
		for range d.below(3, "more turns") {
			next.exchange(d)
		}
		if last := &next.Records[len(next.Records)-1]; d.below(4, "goes on") == 0 && last.Role == "user" {
			next.say(d, last.ID, "assistant")
		}
		all = append(all, next)
	}
	return all
}

func (s *drawnSession) write(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), testID(s.ID).String()+".jsonl")
	testenv.Must(tb, os.WriteFile(path, s.lines(), 0o600))
	return path
}

func (s *drawnSession) lines() []byte {
	var lines bytes.Buffer
	write := func(r map[string]any) { lines.Write(append(mustHave(json.Marshal(r)), '\n')) }
	for _, r := range s.Records {
		record := map[string]any{
			"type": r.Role, "uuid": testID(r.ID), "sessionId": testID(s.ID), "parentUuid": nil,
			"timestamp": time.Unix(1.7e9+int64(r.Second), 0).UTC(),
			"message":   map[string]any{"role": r.Role, "content": []any{map[string]any{"type": "text", "text": r.Text}}},
		}
		if r.Parent != "" {
			record["parentUuid"] = testID(r.Parent)
		}
		write(record)
	}
	if s.Title != "" {
		write(map[string]any{"type": "custom-title", "customTitle": s.Title, "sessionId": testID(s.ID)})
	}
	return lines.Bytes()
}

// TestImport_AnyOrderOfSessions imports sessions that begin with copies of others in every order.
func TestImport_AnyOrderOfSessions(t *testing.T) {
	fewChecks(t)
	st := newArchive(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := sessionDrawer{versionDrawer: versionDrawer{T: rt}}
		all := d.draw()
		var files []string
		var choices []ingest.ForgetOptions
		for i := range all {
			files = append(files, all[i].write(t))
			choices = append(choices, ingest.ForgetOptions{Conversations: []uuid.UUID{testID(all[i].ID)}})
			for _, r := range all[i].Records {
				choices = append(choices, ingest.ForgetOptions{Turns: []uuid.UUID{askedIn(r.ID)}})
			}
		}
		checkOrdersOf(rt, t, st, files, choices, true, all)
	})
}

// exchanges returns what the turns of an archive say, in order.
func exchanges(t *testing.T, st store.Store) []string {
	t.Helper()
	catalog, err := st.Catalog(t.Context())
	testenv.Must(t, err)
	turns, err := st.Turns(t.Context(), catalog.ID)
	testenv.Must(t, err)
	var all []string
	for i := range turns {
		all = append(all, turns[i].UserText+" -> "+strings.ReplaceAll(turns[i].AssistantText, "\n", " "))
	}
	slices.Sort(all)
	return all
}

// TestImport_GrownByCopies imports a session again that has grown by what another has: it counts only what is new, and so
// does a dry run, whether the archive has the other one or the same import brings it.
func TestImport_GrownByCopies(t *testing.T) {
	record := func(id, parent, role, text string) drawnRecord {
		return drawnRecord{id, parent, role, text, int(id[0])}
	}
	first := []drawnRecord{
		record("a", "", "user", "q1"), record("b", "a", "assistant", "a1"),
		record("c", "b", "user", "q2"), record("d", "c", "assistant", "a2"),
	}
	before := append(first[:2:2], record("e", "b", "user", "q3"), record("f", "e", "assistant", "a3"))
	after := append(before[:4:4], first[2], first[3], record("g", "f", "user", "q4"), record("h", "g", "assistant", "a4"))
	write := func(id string, records []drawnRecord) string {
		s := drawnSession{ID: id, Records: records}
		return s.write(t)
	}
	one, two, grown := write("x", first), write("y", before), write("y", after)
	for _, imports := range [][][]string{{{one}, {two}, {grown}}, {{one, two}, {grown}}, {{one, two, grown}}, {{two}, {one, grown}}} {
		st := newArchive(t)
		turns, messages := 0, 0
		for _, paths := range imports {
			dry, err := ingest.Import(t.Context(), st, paths, ingest.Options{DryRun: true})
			testenv.Must(t, err)
			r, err := ingest.Import(t.Context(), st, paths, ingest.Options{})
			testenv.Must(t, err)
			testenv.Must(t, r.Check())
			if dry.Turns != r.Turns || dry.Messages != r.Messages {
				t.Errorf("%d paths: a dry run said %+v %+v, the import %+v %+v", len(paths), dry.Turns, dry.Messages, r.Turns, r.Messages)
			}
			turns, messages = turns+r.Turns.New, messages+r.Messages.New
		}
		if got := exchanges(t, st); len(got) != 4 || turns != 4 || messages != 8 {
			t.Errorf("%q, counted as new: %d turns, %d messages; want 4 and 8", got, turns, messages)
		}
	}
}

// TestImport_Continued imports a session and two that begin with copies of it, in every order: each exchange is there
// once, the receipt counts it as new once, and so does a dry run.
func TestImport_Continued(t *testing.T) {
	record := func(id, parent, role, text string) drawnRecord {
		return drawnRecord{id, parent, role, text, int(id[0])}
	}
	first := []drawnRecord{
		record("a", "", "user", "q1"), record("b", "a", "assistant", "a1"),
		record("c", "b", "user", "q2"), record("d", "c", "assistant", "a2"),
	}
	more := append(first[:2:2], record("e", "b", "user", "q3"), record("f", "e", "assistant", "a3"))
	cut := append(first[:3:3], record("g", "c", "assistant", "a4"))
	all := []drawnSession{{ID: "x", Records: first}, {ID: "y", Records: more}, {ID: "z", Records: cut}, {ID: "w", Records: first[:2]}}
	want := []string{"q1 -> a1", "q2 -> a2", "q2 -> a4", "q3 -> a3"}
	var files []string
	for i := range all {
		files = append(files, all[i].write(t))
	}
	for _, order := range permutations(len(files)) {
		st := newArchive(t)
		fresh := 0
		for _, i := range order {
			r, err := ingest.Import(t.Context(), st, []string{files[i]}, ingest.Options{})
			testenv.Must(t, err)
			fresh += r.Turns.New
		}
		if got := exchanges(t, st); !slices.Equal(got, want) || fresh != len(want) {
			t.Errorf("imported as %v: %q, %d counted as new; want %q", order, got, fresh, want)
		}
		for word, n := range map[string]int{"q1": 1, "a1": 1, "q2": 2, "a2": 1, "q3": 1, "a3": 1, "a4": 1} {
			if got := found(t, st, word); len(got) != n {
				t.Errorf("imported as %v: %s finds %d turns, want %d", order, word, len(got), n)
			}
		}
		together := newArchive(t)
		for _, dry := range []bool{true, false} {
			var paths []string
			for _, i := range order {
				paths = append(paths, files[i])
			}
			r, err := ingest.Import(t.Context(), together, paths, ingest.Options{DryRun: dry})
			testenv.Must(t, err)
			if err := r.Check(); err != nil || r.Turns.New != len(want) {
				t.Errorf("imported as %v at once, dry run %v: %d turns new, %v", order, dry, r.Turns.New, err)
			}
		}
	}
}

// TestDryRun_CopyOfStored: a session that the archive has comes again behind a new one that begins with a copy of it.
// The dry run counts the copy where the import does, whichever of the two keeps the messages.
func TestDryRun_CopyOfStored(t *testing.T) {
	first := []drawnRecord{{"a", "", "user", "q1", 1}, {"b", "a", "assistant", "a1", 2}}
	more := append(first[:2:2], drawnRecord{"c", "b", "user", "q2", 3}, drawnRecord{"d", "c", "assistant", "a2", 4})
	for _, ids := range [][]string{{"x", "y"}, {"y", "x"}} { // they began at once: the one with the lesser id keeps them
		one, two := drawnSession{ID: ids[0], Records: first}, drawnSession{ID: ids[1], Records: more}
		st := newArchive(t)
		importVersions(t, st, []string{one.write(t)})
		again := one.write(t)
		testenv.Must(t, os.WriteFile(again, append(one.lines(), '\n'), 0o600)) // else the file is known and not read
		importVersions(t, st, []string{two.write(t), again})
		if got := exchanges(t, st); len(got) != 2 {
			t.Errorf("%q, want two", got)
		}
	}
}

// TestForget_Continued: a session that continues another shows only what is new in it, so that alone is forgotten with
// it; also when its file comes again. The exchanges of the original go with the original.
func TestForget_Continued(t *testing.T) {
	record := func(id, parent, role, text string) drawnRecord {
		return drawnRecord{id, parent, role, text, int(id[0])}
	}
	first := []drawnRecord{record("a", "", "user", "q1"), record("b", "a", "assistant", "a1")}
	original := drawnSession{ID: "x", Records: first}
	more := drawnSession{ID: "y", Records: append(first[:2:2], record("e", "b", "user", "q3"), record("f", "e", "assistant", "a3"))}
	if bytes.Compare(idBytes(original.ID), idBytes(more.ID)) > 0 { // they began at once: the lesser id is the original
		original.ID, more.ID = more.ID, original.ID
	}
	paths := []string{original.write(t), more.write(t)}
	for name, c := range map[string]struct {
		forget string
		turns  int
		want   []string
	}{
		"the original":      {original.ID, 1, []string{"q3 -> a3"}},
		"what continues it": {more.ID, 1, []string{"q1 -> a1"}},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			_, err := ingest.Import(t.Context(), st, paths, ingest.Options{})
			testenv.Must(t, err)
			got := forget(t, st, ingest.ForgetOptions{Conversations: []uuid.UUID{testID(c.forget)}})
			if got != (ingest.ForgetReport{Conversations: 1, Turns: c.turns}) {
				t.Errorf("forgot %+v", got)
			}
			for _, again := range []bool{false, true} {
				if again {
					slices.Reverse(paths)
					_, err := ingest.Import(t.Context(), st, paths, ingest.Options{BatchBytes: 1})
					testenv.Must(t, err)
				}
				if left := exchanges(t, st); !slices.Equal(left, c.want) {
					t.Errorf("imported again %v: %q is left, want %q", again, left, c.want)
				}
			}
		})
	}
}

func idBytes(name string) []byte {
	id := testID(name)
	return id[:]
}
