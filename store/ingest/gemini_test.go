package ingest_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/store"
	"lens/store/ingest"
)

const (
	activityJSON = `[{"header":"Gemini-Apps","title":"Prompted What is a heron?","time":"2025-03-04T05:06:07.891Z","safeHtmlItem":[{"html":"<p>A wading bird.</p>"}]}]`
	activityHTML = `<html><style>x{}</style><div class="outer-cell mdl-cell"><div class="header-cell">Gemini-Apps<br></div>` +
		`<div class="content-cell mdl-typography--body-1">Prompted&nbsp;What is a heron?<br>04.03.2025, 06:06:07 MEZ<br><p>A wading bird.</p></div></div></html>`
	otherHTML = `<html><div class="outer-cell">Search</div></html>`
)

// takeout returns the zip that Takeout makes for an account in German.
func takeout(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		w, err := z.Create("Takeout/Meine Aktivitäten/" + name)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "takeout.zip")
	if err := errors.Join(z.Close(), os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImport_GeminiTakeout(t *testing.T) {
	html := folderOf(t, map[string]string{"MyActivity.html": activityHTML})
	var all []string
	for _, path := range []string{
		takeout(t, map[string]string{"Gemini-Apps/MeineAktivitäten.json": activityJSON, "Suche/MeineAktivitäten.html": otherHTML}),
		takeout(t, map[string]string{"Gemini-Apps/MeineAktivitäten.html": activityHTML, "Suche/MeineAktivitäten.json": strings.ReplaceAll(activityJSON, "Gemini-Apps", "Suche")}),
		html, filepath.Join(html, "MyActivity.html"),
	} {
		st := newArchive(t)
		r := importingFolder(t, st, path, ingest.Options{})
		if len(r.Files) != 1 || r.Files[0].Format != store.Gemini || r.Conversations.New != 1 || r.Turns.Embeddable != 1 {
			t.Errorf("%s: %+v", path, r)
		}
		all = append(all, exportAll(t, st))
		if again := importingFolder(t, st, path, ingest.Options{}); again.Changed() {
			t.Errorf("%s again: %+v", path, again)
		}
	}
	for _, each := range all[1:] {
		if id := all[0][:60]; !strings.HasPrefix(each, id) {
			t.Errorf("turns differ:\n%s\n%s", all[0], each)
		}
	}
}

func TestImport_OtherHTMLIsDocument(t *testing.T) {
	path := filepath.Join(folderOf(t, map[string]string{"page.html": "<title>T</title><p>Gemini is a sign of the zodiac."}), "page.html")
	if r := importingFolder(t, newArchive(t), path, ingest.Options{}); r.Files[0].Format != store.Documents || r.Conversations.New != 1 {
		t.Errorf("got %+v", r)
	}
}
