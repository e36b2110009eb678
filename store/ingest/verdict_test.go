package ingest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
)

// docxOf makes a Word document whose text is n spaces: a bomb for a large n.
func docxOf(t testing.TB, n int) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	part, err := z.Create("word/document.xml")
	testenv.Must(t, err)
	_, err = part.Write([]byte("<document><body><p><t>" + strings.Repeat(" ", n)))
	testenv.Must(t, err)
	testenv.Must(t, z.Close())
	return out.String()
}

// mark changes the reasons that an archive remembers, so that a test sees whether a document was tried again.
func mark(t testing.TB, st store.Store, root string) (marked int) {
	t.Helper()
	known, err := st.ImportedFiles(t.Context(), root)
	testenv.Must(t, err)
	for i := range known.Files {
		var data map[string]string
		if f := &known.Files[i]; json.Unmarshal(f.Data, &data) == nil && data["unreadable"] != "" {
			data["unreadable"] = "as remembered"
			f.Data, err = json.Marshal(data)
			testenv.Must(t, err)
			marked++
		}
	}
	testenv.Must(t, st.Update(t.Context(), func(tx store.Tx) error {
		return tx.PutImportedFiles(t.Context(), known.Epoch, known.Files)
	}))
	return marked
}

func TestImportDocuments_UnreadableIsNotTriedAgain(t *testing.T) {
	st, dir := newArchive(t), folderOf(t, notes())
	put(t, dir, "bomb.docx", docxOf(t, 8<<20))
	put(t, dir, "broken.pdf", "%PDF-1.4\nnothing more")
	unread := func(opts ingest.Options) (bomb, pdf ingest.Unread) {
		t.Helper()
		for _, u := range importingFolder(t, st, dir, opts).Unread {
			switch filepath.Base(u.Path) {
			case "bomb.docx":
				bomb = u
			case "broken.pdf":
				pdf = u
			}
		}
		return bomb, pdf
	}
	bomb, pdf := unread(ingest.Options{})
	if bomb.Why != "docx that unpacks to far too much" || pdf.Why != "damaged PDF" || bomb.Since != nil {
		t.Fatalf("first: %+v, %+v", bomb, pdf)
	}
	if n := mark(t, st, dir); n != 3 { // and empty.txt
		t.Fatalf("%d documents are remembered as unreadable", n)
	}
	for _, opts := range []ingest.Options{{DryRun: true}, {}, {}} {
		if bomb, pdf = unread(opts); bomb.Why != "as remembered" || bomb.Since == nil || pdf.Why != bomb.Why {
			t.Errorf("%+v: tried again: %+v, %+v", opts, bomb, pdf)
		}
	}
	r, err := ingest.Refresh(t.Context(), st, nil, ingest.Options{})
	testenv.Must(t, err)
	if len(r.Unread) != 3 || r.Unread[0].Why != "as remembered" {
		t.Errorf("refresh tried again: %+v", r.Unread)
	}

	put(t, dir, "bomb.docx", docxOf(t, 9<<20))
	if bomb, pdf = unread(ingest.Options{}); bomb.Since != nil || bomb.Why == "as remembered" || pdf.Since == nil {
		t.Errorf("other bytes: %+v, %+v", bomb, pdf)
	}
	if bomb, _ = unread(ingest.Options{}); bomb.Since == nil {
		t.Errorf("other bytes, again: %+v", bomb)
	}
	mark(t, st, dir)
	for _, opts := range []ingest.Options{{Version: "newer"}, {Restore: true}, {Tag: "mine"}} {
		if bomb, _ = unread(opts); bomb.Since != nil || bomb.Why == "as remembered" {
			t.Errorf("%+v: not tried again: %+v", opts, bomb)
		}
	}
	unread(ingest.Options{})
	if _, err := ingest.Forget(t.Context(), st, ingest.ForgetOptions{Conversations: []uuid.UUID{firstConversation(t, st)}}); err != nil {
		t.Fatal(err)
	}
	if bomb, _ = unread(ingest.Options{}); bomb.Since != nil {
		t.Errorf("after something was forgotten: %+v", bomb)
	}

	testenv.Must(t, os.Remove(filepath.Join(dir, "bomb.docx")))
	if r := importingFolder(t, st, dir, ingest.Options{}); len(r.Vanished)+len(r.Gone) != 0 {
		t.Errorf("an unreadable document is gone: %q, %q", r.Vanished, r.Gone)
	}
	if n := mark(t, st, dir); n != 2 {
		t.Errorf("%d documents are remembered as unreadable after one was removed", n)
	}
}

func firstConversation(t testing.TB, st store.Store) uuid.UUID {
	t.Helper()
	ids, err := st.ConversationIDs(t.Context(), "")
	testenv.Must(t, err)
	return ids[0]
}

func TestImportDocuments_UnreadableAlone(t *testing.T) {
	st, path := newArchive(t), filepath.Join(t.TempDir(), "bomb.docx")
	writeFile(t, path, docxOf(t, 8<<20))
	const known = "found by an earlier import, and not tried again"
	for i := range 2 {
		_, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{})
		if err == nil || !strings.Contains(err.Error(), "docx that unpacks to far too much") || strings.Contains(err.Error(), known) != (i > 0) {
			t.Errorf("import %d: %v", i, err)
		}
	}
	if roots, err := ingest.Followed(t.Context(), st); err != nil || len(roots) != 0 {
		t.Errorf("followed: %q, %v", roots, err)
	}
}
