package ingest_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
)

// folderOf writes files and returns their folder.
func folderOf(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		put(t, dir, name, data)
	}
	return dir
}

var written = time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)

func put(t testing.TB, dir, name, data string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(at, written, written); err != nil {
		t.Fatal(err)
	}
}

func importingFolder(t testing.TB, st store.Store, dir string, opts ingest.Options) *ingest.Receipt {
	t.Helper()
	r, err := ingest.Import(t.Context(), st, []string{dir}, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(); err != nil {
		t.Fatal(err)
	}
	return r
}

// texts returns the sorted texts of the turns that match f, with their headings.
func texts(t testing.TB, st store.Store, f store.Filter) string {
	t.Helper()
	var all []string
	for turn, err := range st.EachTurn(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, turn.UserText+": "+turn.AssistantText)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func notes() map[string]string {
	return map[string]string{
		"plan.md": "# Plan\n\nHerons wade.\n", "acme/offer.txt": "We offer a pond.", "acme/deep/er/code.go": "package pond",
		"photo.jpg": "\xff\xd8", ".hidden/secret.md": "never", ".env.md": "never", "node_modules/x/readme.md": "never", "empty.txt": "\n",
	}
}

func TestImportDocuments_FolderBecomesTurns(t *testing.T) {
	dir := folderOf(t, notes())
	if err := os.Symlink(filepath.Join(dir, "plan.md"), filepath.Join(dir, "link.md")); err != nil {
		t.Fatal(err)
	}
	st := newArchive(t)
	for _, dry := range []bool{true, false} {
		r := importingFolder(t, st, dir, ingest.Options{DryRun: dry})
		if r.Conversations != (ingest.Changes{New: 3}) || r.Turns.Total != 3 || r.Turns.Embeddable != 3 || r.Messages.New != 6 {
			t.Errorf("dry %v: %+v", dry, r)
		}
		if r.Skipped["document: of a kind that Lens does not read"] != 1 || r.Skipped["document: without text"] != 1 || len(r.Skipped) != 2 {
			t.Errorf("dry %v: skipped %v", dry, r.Skipped)
		}
	}
	want := "code.go: package pond\noffer.txt: We offer a pond.\nplan.md › Plan: Herons wade."
	if got := texts(t, st, store.Filter{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := texts(t, st, store.Filter{Meta: map[string]string{"client_tag": "acme"}}); strings.Contains(got, "Herons") || !strings.Contains(got, "pond") {
		t.Errorf("of acme: %s", got)
	}
	for turn, err := range st.EachTurn(t.Context(), store.Filter{Sources: []store.Source{store.Documents}, Meta: map[string]string{"filename": "offer.txt"}}) {
		if err != nil {
			t.Fatal(err)
		}
		d := turn.Chunk.Document
		if d.Path != filepath.ToSlash(dir)+"/acme/offer.txt" || d.MIME != "text/plain" || !turn.Time.Equal(written) || turn.EmbeddedText() != "offer.txt\nWe offer a pond." {
			t.Errorf("got %+v of %+v", turn, d)
		}
	}
}

func TestImportDocuments_ChangedAndGoneFiles(t *testing.T) {
	dir, st := folderOf(t, notes()), newArchive(t)
	importingFolder(t, st, dir, ingest.Options{})
	before := exportAll(t, st)
	if r := importingFolder(t, st, dir, ingest.Options{}); r.Changed() || r.Conversations.Unchanged != 3 || exportAll(t, st) != before {
		t.Errorf("again: %+v", r)
	}

	put(t, dir, "plan.md", "# Plan\n\nHerons fish.\n") // with the same time as before
	if err := os.Remove(filepath.Join(dir, "acme", "offer.txt")); err != nil {
		t.Fatal(err)
	}
	offer := filepath.ToSlash(dir) + "/acme/offer.txt"
	for _, dry := range []bool{true, false} {
		r := importingFolder(t, st, dir, ingest.Options{DryRun: dry})
		if r.Conversations != (ingest.Changes{Updated: 2, Unchanged: 1}) || !slices.Equal(r.Gone, []string{offer}) || r.Turns.New != 1 {
			t.Errorf("dry %v: %+v", dry, r)
		}
	}
	if got := texts(t, st, store.Filter{}); got != "code.go: package pond\nplan.md › Plan: Herons fish." {
		t.Errorf("changed: got\n%s", got)
	}
	if got := texts(t, st, store.Filter{AllBranches: true}); !strings.Contains(got, "Herons wade.") || !strings.Contains(got, "We offer a pond.") {
		t.Errorf("text that left the document is lost:\n%s", got)
	}
	if r := importingFolder(t, st, dir, ingest.Options{}); r.Changed() || len(r.Gone) > 0 {
		t.Errorf("a gone document counts as changed again: %+v", r)
	}

	put(t, dir, "plan.md", "# Plan\n\nHerons wade.\n")
	put(t, dir, "acme/offer.txt", "We offer a pond.")
	if r := importingFolder(t, st, dir, ingest.Options{}); r.Conversations != (ingest.Changes{Updated: 2, Unchanged: 1}) || r.Turns.New != 0 {
		t.Errorf("back again: %+v", r)
	}
	if got, want := texts(t, st, store.Filter{}), "code.go: package pond\noffer.txt: We offer a pond.\nplan.md › Plan: Herons wade."; got != want {
		t.Errorf("back again: got\n%s", got)
	}
}

func TestImportDocuments_OtherFoldersAreNotGone(t *testing.T) {
	dir, st := folderOf(t, notes()), newArchive(t)
	importingFolder(t, st, dir, ingest.Options{})
	for _, path := range []string{filepath.Join(dir, "plan.md"), filepath.Join(dir, "acme", "deep"), folderOf(t, map[string]string{"a.md": "text"})} {
		if r := importingFolder(t, st, path, ingest.Options{}); len(r.Gone) > 0 {
			t.Errorf("after the import of %s: %v", path, r.Gone)
		}
	}
}

func TestImportDocuments_ChangedTextLosesVector(t *testing.T) {
	long := strings.Repeat("A heron stands in the shallow water and waits. ", 80)
	dir := folderOf(t, map[string]string{"a.md": "# One\n\n" + long + "\n\n# Two\n\n" + long + "x"})
	st, model := newArchive(t), new(fakeModel)
	importingFolder(t, st, dir, ingest.Options{})
	if _, err := ingest.Embed(t.Context(), st, model, ingest.EmbedOptions{}); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "a.md", "# One\n\nNew: "+long+"\n\n# Two\n\n"+long+"x")
	importingFolder(t, st, dir, ingest.Options{})
	all := len(strings.Split(texts(t, st, store.Filter{}), "\n"))
	gens, err := st.Generations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, err := st.CountPending(t.Context(), gens[0].ID, store.Filter{})
	if err != nil || n == 0 || n > all/2+1 {
		t.Errorf("%d of %d chunks have no vector, %v", n, all, err)
	}
}

// fakeModel returns vectors that depend only on the length of the text.
type fakeModel struct{}

func (*fakeModel) Model() (provider, name string) { return "fake", "length" }

func (*fakeModel) Embed(_ context.Context, texts []string) ([]fakeVector, error) {
	out := make([]fakeVector, len(texts))
	for i, text := range texts {
		out[i].Values = []float32{1, float32(len(text))}
	}
	return out, nil
}

type fakeVector struct {
	Values    []float32
	Tokens    int
	Truncated bool
	Text      string
	Err       error
}

func TestImportDocuments_UnreadableDocuments(t *testing.T) {
	dir, st := folderOf(t, notes()), newArchive(t)
	put(t, dir, "broken.pdf", "%PDF-1.4\nnothing more")
	put(t, dir, "broken.docx", "PK\x03\x04nothing more")
	put(t, dir, "binary.txt", "a\x00b")
	for _, dry := range []bool{true, false} {
		r := importingFolder(t, st, dir, ingest.Options{DryRun: dry})
		var why []string
		for _, u := range r.Unread {
			why = append(why, filepath.Base(u.Path)+" "+u.Why)
		}
		want := []string{"binary.txt not text, whatever its name says", "broken.docx damaged docx", "broken.pdf damaged PDF", "empty.txt without text"}
		if !slices.Equal(why, want) || r.Conversations.New != 3 {
			t.Errorf("dry %v: %q, %+v", dry, why, r)
		}
	}
}

func TestImportDocuments_Tags(t *testing.T) {
	dir, st := folderOf(t, notes()), newArchive(t)
	importingFolder(t, st, dir, ingest.Options{})
	r := importingFolder(t, st, dir, ingest.Options{Tag: "mine"})
	if r.Conversations.Updated != 3 {
		t.Errorf("another tag: %+v", r)
	}
	if got := texts(t, st, store.Filter{Meta: map[string]string{"client_tag": "mine"}}); len(strings.Split(got, "\n")) != 3 {
		t.Errorf("of mine: %s", got)
	}
	if got := texts(t, st, store.Filter{Meta: map[string]string{"client_tag": "acme"}}); got != "" {
		t.Errorf("still of acme: %s", got)
	}
}

func TestImportDocuments_FolderWithExport(t *testing.T) {
	dir := folderOf(t, notes())
	raw, err := os.ReadFile(writeExport(t, []chat{heron()}))
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "conversations.json", string(raw))
	if r := importingFolder(t, newArchive(t), dir, ingest.Options{}); len(r.Files) != 1 || r.Files[0].Format != store.ChatGPT {
		t.Errorf("got %+v", r.Files)
	}
	if r := importingFolder(t, newArchive(t), dir, ingest.Options{Documents: true}); len(r.Files) != 1 || r.Files[0].Format != store.Documents || r.Conversations.New != 3 {
		t.Errorf("got %+v", r)
	}
	nothing := folderOf(t, map[string]string{"photo.jpg": "x"})
	for _, opts := range []ingest.Options{{}, {Documents: true}} {
		if _, err := ingest.Import(t.Context(), newArchive(t), []string{nothing}, opts); errs.CodeOf(err) != errs.NotFound {
			t.Errorf("an empty folder: %v", err)
		}
	}
}

// TestImportDocuments_ChatsAmongNotes: chats that a person saves as Markdown are chats in any folder or zip, and do not
// keep the notes around them out.
func TestImportDocuments_ChatsAmongNotes(t *testing.T) {
	const saved = "---\nsource: https://chatgpt.com/c/69051400-0000-8000-8000-0000000000c1\n---\n\n# Rust\n\n" +
		"#### You:\nWhy?\n\n#### ChatGPT:\nWater.\n"
	quoting := "# Rust\nI asked:\n" + saved[strings.Index(saved, "#### You"):]
	export := mustHave(os.ReadFile(writeExport(t, []chat{heron()})))
	alone := folderOf(t, map[string]string{"chats/Rust.md": saved})
	notes := folderOf(t, map[string]string{"chats/Rust.md": saved, "quoting.md": quoting, "b.epub": "x"})
	beside := folderOf(t, map[string]string{"Rust.md": saved, "conversations.json": string(export), "quoting.md": quoting})
	for name, want := range map[string]struct {
		path             string
		chats, documents int
		kinds            map[string]int
	}{
		"alone":            {alone, 1, 0, nil},
		"among notes":      {notes, 1, 1, map[string]int{".epub": 1}},
		"beside an export": {beside, 2, 0, map[string]int{".md": 1}},
		"a file":           {filepath.Join(alone, "chats/Rust.md"), 1, 0, nil},
		"a note":           {filepath.Join(notes, "quoting.md"), 0, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			for again := range 2 {
				r := importingFolder(t, st, want.path, ingest.Options{})
				if r.Changed() != (again == 0) || !maps.Equal(r.UnreadKinds, want.kinds) {
					t.Errorf("got %+v, %v", r.Conversations, r.UnreadKinds)
				}
			}
			chats := mustHave(st.ConversationIDs(t.Context(), store.ChatGPT))
			documents := mustHave(st.ConversationIDs(t.Context(), store.Documents))
			if len(chats) != want.chats || len(documents) != want.documents {
				t.Errorf("got %d chats and %d documents", len(chats), len(documents))
			}
		})
	}
}

// TestImport_MarkedText: what a text is does not depend on its name.
func TestImport_MarkedText(t *testing.T) {
	dir := folderOf(t, map[string]string{"old/history.txt": "# aider chat started at 2024-08-05 19:33:02\n\n#### Why?\n\nSo.\n"})
	if r := importingFolder(t, newArchive(t), dir, ingest.Options{}); r.Turns.New != 1 || r.Files[0].Format != store.Aider {
		t.Errorf("got %+v", r.Files)
	}
}

// TestImport_NoteQuotesHistory: a note that quotes a marked text stays a note, and keeps no other out.
func TestImport_NoteQuotesHistory(t *testing.T) {
	const quoted = "How Aider begins:\n\n```\n# aider chat started at 2024-08-05 19:33:02\n\n#### Why?\n\nSo.\n```\n"
	st, dir := newArchive(t), folderOf(t, map[string]string{"a.md": "A note.", "b.md": quoted})
	importingFolder(t, st, dir, ingest.Options{})
	if documents := mustHave(st.ConversationIDs(t.Context(), store.Documents)); len(documents) != 2 {
		t.Errorf("got %d documents", len(documents))
	}
}

// TestImportDocuments_BecomesChat: a chat that an older Lens read as a document is not found twice.
func TestImportDocuments_BecomesChat(t *testing.T) {
	st, dir := newArchive(t), folderOf(t, map[string]string{"a.md": "A note.", "b.md": "Another."})
	importingFolder(t, st, dir, ingest.Options{})
	put(t, dir, "b.md", "#### You:\nWhy?\n\n#### ChatGPT:\nWater.\n")
	if r := importingFolder(t, st, dir, ingest.Options{}); r.Turns.New != 1 || len(r.Gone) != 1 {
		t.Errorf("got %+v, gone %v", r.Turns, r.Gone)
	}
}

func TestImportRecords_MetadataAndVectors(t *testing.T) {
	var lines strings.Builder
	for i := range 200 {
		vector := ""
		if i%2 == 0 {
			vector = fmt.Sprintf(`,"vector":[%d,1]`, i)
		}
		fmt.Fprintf(&lines, `{"id":"%d","text":"Story %d of a heron","meta":{"entity":"%s","n":%d}%s}`+"\n", i, i, []string{"story", "comic"}[i%2], i, vector)
	}
	lines.WriteString(`{"id":"bad","text":"t","vector":[0,0]}` + "\nno JSON\n")
	path := filepath.Join(folderOf(t, map[string]string{"corpus.jsonl": lines.String()}), "corpus.jsonl")
	st := newArchive(t)
	r := importingFolder(t, st, path, ingest.Options{VectorsOf: ingest.Model{Provider: "fake", Name: "length"}, BatchBytes: 20 << 10})
	if r.Conversations.New != 201 || r.Skipped["record: line that is not JSON"] != 1 || r.Vectors == nil || r.Vectors.Given != 101 || r.Vectors.Refused["vector that is zero or not finite"] != 1 {
		t.Fatalf("got %+v, %+v", r, r.Vectors)
	}
	near, err := st.Nearest(t.Context(), []float32{1, 0}, store.Filter{Meta: map[string]string{"entity": "story", "n": "4"}}, 10)
	if err != nil || len(near) != 1 {
		t.Errorf("near: %v, %v", near, err)
	}
	report, err := ingest.Embed(t.Context(), st, new(fakeModel), ingest.EmbedOptions{})
	if err != nil || report.Embedded != 101 || report.Pending != 0 {
		t.Errorf("embedded %+v, %v", report, err)
	}
	if again := importingFolder(t, st, path, ingest.Options{VectorsOf: ingest.Model{Provider: "fake", Name: "length"}}); again.Changed() {
		t.Errorf("again: %+v", again)
	}
	unnamed := newArchive(t)
	importingFolder(t, unnamed, path, ingest.Options{})
	if all, err := unnamed.Generations(t.Context()); err != nil || len(all) > 0 {
		t.Errorf("vectors of an unknown model: %v, %v", all, err)
	}
}
