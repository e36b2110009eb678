package ingest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
)

// attach gives a message something that a document derives from, or takes it away.
func (d *versionDrawer) attach(n *drawnNode) {
	d.made++
	switch {
	case n.attached+n.call != "":
		n.attached, n.call = "", ""
	case n.role == "user":
		n.attached = fmt.Sprintf("attached word%d", d.made)
	case d.below(2, "create") == 0:
		n.call = fmt.Sprintf(`{"command":"create","id":"menu","title":"Menu","content":"dish and word%d"}`, d.made)
	default:
		n.call = fmt.Sprintf(`{"command":"update","id":"menu","old_str":"dish","new_str":"dish, word%d"}`, d.made)
	}
}

// marshalClaude returns a version as an export of Claude's has it.
func (v drawnVersion) marshalClaude() ([]byte, error) {
	at := func(seconds int) string {
		if seconds == 0 {
			return ""
		}
		return time.Unix(1_600_000_000+int64(seconds), 0).UTC().Format(time.RFC3339)
	}
	messages := []any{}
	for _, n := range v.nodes {
		blocks := []any{map[string]any{"type": "text", "text": n.text}}
		if n.call != "" {
			blocks = append(blocks, map[string]any{"type": "tool_use", "name": "artifacts", "input": json.RawMessage(n.call)})
		}
		m := map[string]any{
			"uuid": testID(n.id).String(), "sender": map[string]string{"user": "human"}[n.role], "content": blocks,
			"created_at": at(n.time), "parent_message_uuid": "00000000-0000-4000-8000-000000000000",
		}
		if n.role != "user" {
			m["sender"] = n.role
		}
		if n.parent != "" {
			m["parent_message_uuid"] = testID(n.parent).String()
		}
		if n.attached != "" {
			m["attachments"] = []any{map[string]any{"file_name": "notes.txt", "extracted_content": n.attached}}
		}
		messages = append(messages, m)
	}
	c := map[string]any{
		"uuid": testID(v.id).String(), "name": v.title, "created_at": at(v.created), "updated_at": at(v.updated),
		"chat_messages": messages,
	}
	if v.current != "" {
		c["current_leaf_message_uuid"] = testID(v.current).String()
	}
	return json.Marshal(c)
}

func TestImport_AnyOrderOfDerived(t *testing.T) {
	fewChecks(t)
	st := newArchive(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt, claude: true}
		checkOrders(rt, t, st, d.versions(true))
	})
}

func TestImport_AnyOrderOfDerivedPostgres(t *testing.T) {
	fewChecks(t)
	st, err := postgres.Open(context.Background(), postgres.Options{URL: pgtest.Schema(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt, claude: true}
		checkOrders(rt, t, st, d.versions(true))
	})
}

// documents returns the documents that derive from chats, as "source title: texts of its turn's question".
func derivedDocuments(t testing.TB, st store.Store) (all []string) {
	t.Helper()
	ids, err := st.ConversationIDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range mustHave(st.Conversations(t.Context(), ids)) {
		if !c.Source.Derived() {
			continue
		}
		origin, ok := c.Document.Origin()
		if !ok {
			t.Errorf("%s has no origin", c.Document.Path)
		}
		var texts []string
		for _, m := range mustHave(st.Messages(t.Context(), c.ID)) {
			if m.Role == store.Assistant {
				texts = append(texts, m.Text)
			}
		}
		of := "no turn"
		if origin.Turn != uuid.Nil {
			of = mustHave(st.Turns(t.Context(), []uuid.UUID{origin.Turn}))[0].UserText
		}
		all = append(all, fmt.Sprintf("%s %q of %q: %q", c.Source, c.Title, of, texts))
	}
	slices.Sort(all)
	return all
}

// menu is a chat with an attachment and an artifact, which its second turn changes.
func menu() drawnVersion {
	return drawnVersion{claude: true, id: "menu", title: "Menu", created: 1, updated: 1, nodes: []drawnNode{
		{id: "q1", role: "user", text: "Draft a menu", time: 1, attached: "Riesling"},
		{
			id: "a1", parent: "q1", role: "assistant", text: "Here it is.", time: 2,
			call: `{"command":"create","id":"m","title":"The menu","content":"Soup, trout"}`,
		},
		{id: "q2", parent: "a1", role: "user", text: "No soup", time: 3},
		{
			id: "a2", parent: "q2", role: "assistant", text: "Changed.", time: 4,
			call: `{"command":"update","id":"m","old_str":"Soup, ","new_str":""}`,
		},
	}}
}

func TestImport_Derived(t *testing.T) {
	st := newArchive(t)
	r := importChats(t, st, []drawnVersion{menu()})
	want := []string{
		`claude/artifact "The menu · version 1" of "Draft a menu": ["Soup, trout"]`,
		`claude/artifact "The menu" of "No soup": ["trout"]`,
		`claude/attachment "notes.txt" of "Draft a menu": ["Riesling"]`,
	}
	if got := derivedDocuments(t, st); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(found(t, st, "riesl")) != 1 || len(found(t, st, "soup")) != 2 {
		t.Errorf("riesling is in %v, soup in %v", found(t, st, "riesl"), found(t, st, "soup"))
	}
	if !maps.Equal(r.Derived, map[store.Kind]int{store.Artifact: 1, store.Attachment: 1}) || r.Turns.Total != 2 {
		t.Errorf("the receipt has %v and %d turns", r.Derived, r.Turns.Total)
	}
	if r := importChats(t, st, []drawnVersion{menu()}); r.Changed() {
		t.Errorf("importing it again changed %+v", r)
	}
}

// The receipt counts what the archive has: no blank text, but one that has nothing but headings.
func TestImport_DerivedWithoutText(t *testing.T) {
	chat := menu()
	chat.nodes[0].attached = " \u00a0\n"
	chat.nodes[1].call = `{"command":"create","id":"m","title":"The menu","type":"text/markdown","content":"# Soup\n\n## Trout"}`
	chat.nodes[3].call = ""
	st := newArchive(t)
	r := importChats(t, st, []drawnVersion{chat})
	want := []string{`claude/artifact "The menu" of "Draft a menu": ["# Soup\n\n## Trout"]`}
	if got := derivedDocuments(t, st); !slices.Equal(got, want) || !maps.Equal(r.Derived, map[store.Kind]int{store.Artifact: 1}) {
		t.Errorf("got %q, counted %v", got, r.Derived)
	}
}

func TestForget_Derived(t *testing.T) {
	for name, c := range map[string]struct {
		opts ingest.ForgetOptions
		gone []string // words
		left []string
		want ingest.ForgetReport
	}{
		"the turn of an attachment": {
			ingest.ForgetOptions{Turns: []uuid.UUID{askedIn("q1")}},
			[]string{"riesling", "soup, "},
			nil,
			ingest.ForgetReport{Turns: 1, Derived: 3},
		},
		"the turn that changed an artifact": {
			ingest.ForgetOptions{Turns: []uuid.UUID{askedIn("q2")}},
			[]string{"No soup"},
			[]string{
				`claude/artifact "The menu" of "Draft a menu": ["Soup, trout"]`,
				`claude/attachment "notes.txt" of "Draft a menu": ["Riesling"]`,
			},
			ingest.ForgetReport{Turns: 1, Derived: 2},
		},
		"the conversation": {
			ingest.ForgetOptions{Conversations: []uuid.UUID{testID("menu")}},
			[]string{"riesl", "trout"},
			nil,
			ingest.ForgetReport{Conversations: 1, Turns: 2, Derived: 3},
		},
		"the source": {
			ingest.ForgetOptions{Source: store.Claude},
			[]string{"riesl", "trout"},
			nil,
			ingest.ForgetReport{Conversations: 1, Turns: 2, Derived: 3},
		},
		"everything": {
			ingest.ForgetOptions{Everything: true},
			[]string{"riesl", "trout"},
			nil,
			ingest.ForgetReport{Conversations: 1, Turns: 2, Derived: 3},
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			importChats(t, st, []drawnVersion{menu()})
			c.opts.DryRun = true
			dry := forget(t, st, c.opts)
			c.opts.DryRun = false
			if got := forget(t, st, c.opts); got != c.want || dry != c.want {
				t.Errorf("got %+v, a dry run %+v, want %+v", got, dry, c.want)
			}
			for _, word := range c.gone {
				if remembers(t, st, word) {
					t.Errorf("%q is still there", word)
				}
			}
			left := derivedDocuments(t, st)
			if c.left != nil && !slices.Equal(left, c.left) {
				t.Errorf("left %q, want %q", left, c.left)
			}
			if c.opts.Everything {
				return
			}
			_, err := ingest.Import(t.Context(), st, []string{writeExport(t, []drawnVersion{menu()})}, ingest.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := derivedDocuments(t, st); !slices.Equal(got, left) {
				t.Errorf("another import brings back %q", got)
			}
		})
	}
}

func TestForget_PartOfAChat(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []drawnVersion{menu()})
	ids := mustHave(st.DerivedIDs(t.Context(), []uuid.UUID{testID("menu")}))
	for _, opts := range []ingest.ForgetOptions{
		{Conversations: ids[:1]}, {Turns: found(t, st, "riesl")},
	} {
		_, err := ingest.Forget(t.Context(), st, opts)
		if errs.CodeOf(err) != errs.Invalid || !strings.Contains(errs.First(err).Hint, "lens forget --turn ") {
			t.Errorf("got %v, want a hint to forget the turn", err)
		}
	}
	if len(derivedDocuments(t, st)) != 3 {
		t.Error("something was forgotten")
	}
}

// What a change took out is found by words, off the path and without a vector.
func TestImport_EarlierVersions(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []drawnVersion{menu()})
	for _, turn := range mustHave(st.Turns(t.Context(), found(t, st, "soup"))) {
		if turn.Chunk == nil {
			continue
		}
		if turn.OnPath || turn.Embeddable || string(turn.Chunk.Meta) != `{"version":1}` || turn.UserText != "The menu · version 1" {
			t.Errorf("got %q, on the path: %t, to be embedded: %t, %s", turn.UserText, turn.OnPath, turn.Embeddable, turn.Chunk.Meta)
		}
	}
}

// Whatever is renamed, a citation of a piece leads to it: an artifact, or the chat or project of what has no title of
// its own.
func TestImport_RenamedDerived(t *testing.T) {
	artifact := menu()
	artifact.updated = 2
	artifact.nodes[3].call = `{"command":"update","id":"m","title":"Dinner","old_str":"Soup, ","new_str":""}`
	projects := func(name string, day int) string {
		path := filepath.Join(t.TempDir(), "projects.json")
		writeFile(t, path, fmt.Sprintf(
			`[{"uuid":"p","name":%q,"updated_at":"2025-05-0%dT08:00:00Z","prompt_template":"Trout.","docs":[]}]`, name, day))
		return path
	}
	for name, c := range map[string]struct{ before, after string }{
		"an artifact": {writeExport(t, []drawnVersion{menu()}), writeExport(t, []drawnVersion{artifact})},
		"a chat":      {untitledCanvas(t, "Menu", 1), untitledCanvas(t, "Dinner", 2)},
		"a project":   {projects("Menu", 1), projects("Dinner", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			read := func(path string) (ids []uuid.UUID, headings []string) {
				_, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
				testenv.Must(t, err)
				for _, turn := range mustHave(st.Turns(t.Context(), found(t, st, "trout"))) {
					if turn.Chunk != nil {
						ids, headings = append(ids, turn.ID), append(headings, turn.UserText)
					}
				}
				return ids, headings
			}
			before, old := read(c.before)
			after, now := read(c.after)
			if len(before) == 0 || !slices.Equal(before, after) {
				t.Errorf("%v %q became %v %q", before, old, after, now)
			}
			if slices.Equal(old, now) {
				t.Errorf("the heading is still %q", now)
			}
		})
	}
}

// untitledCanvas returns an export of a chat with a canvas that has no title.
func untitledCanvas(t *testing.T, title string, updated int) string {
	return writeExport(t, fmt.Sprintf(`[{"id":%q,"title":%q,"update_time":%d,"current_node":"a","mapping":{
		"q":{"message":{"id":"q","author":{"role":"user"},"content":{"content_type":"text","parts":["Write"]}}},
		"a":{"parent":"q","message":{"id":"a","author":{"role":"assistant"},"recipient":"canmore.create_textdoc",
			"content":{"content_type":"text","parts":["{\"content\":\"trout\"}"]}}}}}]`, testID("chat"), title, updated))
}

// An archive of a Lens that knew no artifacts has the same export under another hash.
func TestImport_DerivedOfAnOlderLens(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []drawnVersion{menu()})
	ids := mustHave(st.DerivedIDs(t.Context(), []uuid.UUID{testID("menu")}))
	err := st.Update(t.Context(), func(tx store.Tx) error {
		if _, err := tx.Forget(t.Context(), ids); err != nil {
			return err
		}
		c := mustHave(st.Conversations(t.Context(), []uuid.UUID{testID("menu")}))[0]
		c.Hash[0]++
		return tx.PutConversations(t.Context(), []store.Conversation{c})
	})
	if err != nil {
		t.Fatal(err)
	}
	importChats(t, st, []drawnVersion{menu()})
	if got := derivedDocuments(t, st); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}

// What is beside the chats of an export depends on its versions alone, and is forgotten like a chat.
func TestImport_Projects(t *testing.T) {
	write := func(updated, prompt, document, memory string) string {
		dir := t.TempDir()
		for name, data := range map[string]string{
			"projects.json": fmt.Sprintf(`[{"uuid":%q,"name":"Bakery","updated_at":"2025-05-0%sT08:00:00Z","prompt_template":%q,
				"docs":[{"uuid":"d1","filename":"starter.md","content":%q,"created_at":"2025-05-01T08:00:00Z"}]}]`,
				testID("project"), updated, prompt, document),
			"memories.json": fmt.Sprintf(`[{"account_uuid":"u","conversations_memory":%q}]`, memory),
		} {
			testenv.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
		}
		return dir
	}
	older := write("1", "Answer briefly.", "Feed it rye.", "Bakes at night.")
	newer := write("2", "Answer in verse.", "Feed it rye.", "Bakes at noon.")
	want := []string{
		`claude/memory "What Claude remembers" of "no turn": ["Bakes at night."]`,
		`claude/memory "What Claude remembers" of "no turn": ["Bakes at noon."]`,
		`claude/project "Bakery · instructions" of "no turn": ["Answer in verse."]`,
		`claude/project "Bakery · starter.md" of "no turn": ["Feed it rye."]`,
	}
	for _, paths := range [][]string{{older, newer}, {newer, older}} {
		st := newArchive(t)
		for _, path := range paths {
			r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
			testenv.Must(t, err)
			if !maps.Equal(r.Derived, map[store.Kind]int{store.Project: 2, store.Memory: 1}) {
				t.Errorf("the receipt has %v", r.Derived)
			}
		}
		if got := derivedDocuments(t, st); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if r, err := ingest.Import(t.Context(), st, paths, ingest.Options{}); err != nil || r.Changed() {
			t.Errorf("importing them again changed %+v, %v", r, err)
		}
		if len(found(t, st, "vers")) != 1 || len(found(t, st, "briefli")) != 0 {
			t.Error("the newest instructions are not those that are found")
		}
		ids := mustHave(st.DerivedIDs(t.Context(), []uuid.UUID{testID("project")}))
		_, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: ids[:1]})
		if hint := "lens forget --conversation " + testID("project").String(); err == nil || !strings.Contains(errs.First(err).Hint, hint) {
			t.Errorf("got %v, want a hint to forget the project", err)
		}
		forget(t, st, ingest.ForgetOptions{Conversations: []uuid.UUID{testID("project")}})
		_, err = ingest.Import(t.Context(), st, []string{older, newer}, ingest.Options{})
		testenv.Must(t, err)
		if got := derivedDocuments(t, st); !slices.Equal(got, want[:2]) || remembers(t, st, "verse") || remembers(t, st, "Feed") {
			t.Errorf("left %q", got)
		}
	}
}

// Where a newer version chose another answer, the artifact of the former one is off the path, beside that answer, once.
func TestImport_DerivedOfAnotherAnswer(t *testing.T) {
	create := `{"command":"create","id":"m","title":"The menu","content":"Soup"}`
	chosen := drawnVersion{claude: true, id: "menu", title: "Menu", created: 1, updated: 1, current: "a1", nodes: []drawnNode{
		{id: "q1", role: "user", text: "Draft a menu", time: 1},
		{id: "a1", parent: "q1", role: "assistant", text: "Here it is.", time: 2, call: create},
	}}
	other := chosen.clone()
	other.updated, other.current = 2, "a2"
	other.nodes = append(other.nodes, drawnNode{id: "a2", parent: "q1", role: "assistant", text: "What do you like?", time: 3})
	for _, order := range [][]drawnVersion{{chosen, other}, {other, chosen}} {
		st := newArchive(t)
		for _, v := range order {
			importChats(t, st, []drawnVersion{v})
		}
		ids := mustHave(st.DerivedIDs(t.Context(), []uuid.UUID{testID("menu")}))
		if len(ids) != 1 {
			t.Fatalf("%d documents, want 1", len(ids))
		}
		origin, _ := mustHave(st.Conversations(t.Context(), ids))[0].Document.Origin()
		if want := store.AnswerID(testID("q1"), testID("a1")); origin.Turn != want {
			t.Errorf("it belongs to turn %s, want that of the former answer, %s", origin.Turn, want)
		}
		piece := mustHave(st.Turns(t.Context(), found(t, st, "soup")))[0]
		if piece.OnPath {
			t.Error("it is on the active path")
		}
	}
}

// instructed returns an export of chats that ChatGPT handed the same instructions, the last of which began in a year.
func instructed(t *testing.T, chats, year int, instructions string) string {
	t.Helper()
	var all []string
	for i := range chats {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix() - int64(chats-1-i)
		all = append(all, fmt.Sprintf(`{"id":%q,"create_time":%d,"mapping":{
			"i":{"message":{"id":%q,"author":{"role":"user"},"content":{"content_type":"user_editable_context","user_instructions":%q}}},
			"q":{"parent":"i","message":{"id":%q,"author":{"role":"user"},"create_time":%[2]d,"content":{"content_type":"text","parts":["Hello"]}}}}}`,
			testID(fmt.Sprint(year, i)), at, testID(fmt.Sprint("i", year, i)), instructions, testID(fmt.Sprint("q", year, i))))
	}
	path := filepath.Join(t.TempDir(), "conversations.json")
	testenv.Must(t, os.WriteFile(path, []byte("["+strings.Join(all, ",")+"]"), 0o600))
	return path
}

// An export whose instructions another file of the import has, too, counts them nowhere twice, and not as a chat.
func TestImport_InstructionsOfTwoFiles(t *testing.T) {
	one := instructed(t, 3, 2024, "Answer in verse.")
	other := filepath.Join(t.TempDir(), "conversations.json")
	testenv.Must(t, os.WriteFile(other, mustHave(os.ReadFile(one)), 0o600))
	st := newArchive(t)
	for range 2 { // new, then unchanged
		r, err := ingest.Import(t.Context(), st, []string{one, other}, ingest.Options{Once: true})
		testenv.Must(t, err)
		if err := r.Check(); err != nil || r.Messages.New+r.Messages.Unchanged != 6 {
			t.Errorf("of six messages it counts %+v, %v", r.Messages, err)
		}
	}
	found := mustHave(ingest.Detect(t.Context(), []string{one}, ingest.Options{}))
	if n := found[0].Formats[0].Entries; n != 3 {
		t.Errorf("it detects %d conversations, want 3", n)
	}
}

// Instructions are one document, however many chats and exports repeat them, dated by the last chat in any order.
func TestImport_Instructions(t *testing.T) {
	older, newer := instructed(t, 50, 2024, "Answer in verse."), instructed(t, 50, 2025, "Answer in verse.")
	other := instructed(t, 1, 2023, "Answer briefly.")
	var more []string // of the same instructions
	for year := 2016; year < 2024; year++ {
		more = append(more, instructed(t, 1, year, "Answer in verse."))
	}
	var before []string
	for _, paths := range [][]string{{older, newer, other}, {newer, other, older}, {other, older, newer}} {
		paths = slices.Concat(paths, more)
		st := newArchive(t)
		for _, path := range paths {
			r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
			testenv.Must(t, err)
			if !maps.Equal(r.Derived, map[store.Kind]int{store.Instructions: 1}) {
				t.Errorf("the receipt has %v", r.Derived)
			}
		}
		var got []string
		for _, id := range mustHave(st.ConversationIDs(t.Context(), store.ChatGPT.Of(store.Instructions))) {
			c := mustHave(st.Conversations(t.Context(), []uuid.UUID{id}))[0]
			for _, m := range mustHave(st.Messages(t.Context(), id)) {
				got = append(got, fmt.Sprintf("%s %d %q", m.Role, c.Created.Year(), m.Text))
			}
		}
		if len(found(t, st, "vers")) != 1 || len(found(t, st, "briefli")) != 1 {
			t.Errorf("verse is in %d turns, briefly in %d", len(found(t, st, "vers")), len(found(t, st, "briefli")))
		}
		want := []string{
			`assistant 2023 "Answer briefly."`, `assistant 2025 "Answer in verse."`,
			`user 2023 "Custom instructions"`, `user 2025 "Custom instructions"`,
		}
		if slices.Sort(got); !slices.Equal(got, want) || before != nil && !slices.Equal(got, before) {
			t.Errorf("got %q, want %q", got, want)
		}
		before = got
		if r, err := ingest.Import(t.Context(), st, paths, ingest.Options{}); err != nil || r.Changed() {
			t.Errorf("importing them again changed %+v, %v", r, err)
		}
		ids := mustHave(st.ConversationIDs(t.Context(), store.ChatGPT.Of(store.Instructions)))
		origin, _ := mustHave(st.Conversations(t.Context(), ids))[0].Document.Origin()
		forget(t, st, ingest.ForgetOptions{Conversations: []uuid.UUID{origin.Conversation}})
		_, err := ingest.Import(t.Context(), st, paths, ingest.Options{})
		testenv.Must(t, err)
		if left := mustHave(st.ConversationIDs(t.Context(), store.ChatGPT.Of(store.Instructions))); len(left) != 1 {
			t.Errorf("%d are left of 2, one of which was forgotten", len(left))
		}
	}
}
