package models

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval/embed/local"
)

// invented registers a model of two files for the duration of the test.
func invented(t *testing.T) (*Model, map[string][]byte) {
	t.Helper()
	files := map[string][]byte{"weights.bin": bytes.Repeat([]byte("weights "), 100_000), "words.json": []byte(`["a","b"]`)}
	m := Model{Spec: local.Spec{Name: "invented"}, Origin: Origin{Repository: "somebody/invented", Revision: "abc123"}}
	for _, name := range []string{"weights.bin", "words.json"} {
		m.Files = append(m.Files, File{name, checksum(files[name]), int64(len(files[name]))})
	}
	before := known
	known = append([]Model{m}, known...)
	t.Cleanup(func() { known = before })
	return &known[0], files
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// hub serves files at the paths of a pinned revision; serve may answer in its place.
func hub(t *testing.T, m *Model, files map[string][]byte, serve func(w http.ResponseWriter, r *http.Request, data []byte) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, ok := files[path.Base(r.URL.Path)]
		if !ok || r.URL.Path != "/"+m.Origin.Repository+"/resolve/"+m.Origin.Revision+"/"+path.Base(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		if serve == nil || !serve(w, r, data) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// Stored vectors know only the name of their model, and results name its revision by that. A change of a revision
// needs another name for the model, or old vectors pass for those of the new one.
func TestModel_RevisionBelongsToName(t *testing.T) {
	want := map[string]string{
		"bge-small-en-v1.5": "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
		"all-MiniLM-L6-v2":  "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
		"use-lite":          "0.2.0",
	}
	for _, m := range All() {
		if revision, ok := want[m.Name]; ok && m.Revision() != revision || m.Revision() == "" {
			t.Errorf("%s is revision %q, want %q", m.Name, m.Revision(), revision)
		}
	}
	if got := (&Model{Origin: Origin{Package: "@scope/without-version"}}).Revision(); got != "" {
		t.Errorf("a package without a version has revision %q", got)
	}
}

func TestPull_ReportsProgress(t *testing.T) {
	m, files := invented(t)
	server := hub(t, m, files, nil)
	f := Folder(filepath.Join(t.TempDir(), "models"))
	last := int64(0)
	if err := f.Pull(context.Background(), server.Client(), server.URL, m, func(done, total int64) { last = done }); err != nil {
		t.Fatal(err)
	}
	if last != m.Bytes() || !f.Has(m) {
		t.Fatalf("reported %d of %d bytes, installed: %v", last, m.Bytes(), f.Has(m))
	}
	if err := f.Verify(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if first, ok := f.FirstInstalled(); !ok || first.Name != "invented" {
		t.Fatal("First does not find it")
	}
	onlyThe(t, f, "invented")
}

func TestPull_Resume(t *testing.T) {
	m, files := invented(t)
	cut, ranges := true, []string{}
	server := hub(t, m, files, func(w http.ResponseWriter, r *http.Request, data []byte) bool {
		ranges = append(ranges, r.Header.Get("Range"))
		if !cut {
			return false
		}
		w.Header().Set("Content-Length", "800000")
		w.Write(data[:300_000])
		cut = false
		panic(http.ErrAbortHandler)
	})
	f := Folder(t.TempDir())
	if err := f.Pull(context.Background(), server.Client(), server.URL, m, nil); errs.CodeOf(err) != "unavailable" {
		t.Fatalf("a cut connection gave %v", err)
	}
	if f.Has(m) {
		t.Fatal("half a model is there")
	}
	if err := f.Pull(context.Background(), server.Client(), server.URL, m, nil); err != nil {
		t.Fatal(err)
	}
	if len(ranges) < 2 || !strings.HasPrefix(ranges[1], "bytes=") || ranges[1] == "bytes=0-" {
		t.Fatalf("asked for %q", ranges)
	}
	if err := f.Verify(context.Background(), m); err != nil {
		t.Fatal(err)
	}
}

func TestPull_WrongChecksum(t *testing.T) {
	m, files := invented(t)
	files["words.json"] = []byte(`["a","c"]`)
	server := hub(t, m, files, nil)
	f := Folder(t.TempDir())
	if err := f.Pull(context.Background(), server.Client(), server.URL, m, nil); errs.CodeOf(err) != "invalid" {
		t.Fatalf("error %v", err)
	}
	if f.Has(m) {
		t.Fatal("a wrong model is there")
	}
	if _, err := os.Stat(filepath.Join(string(f), ".invented.partial", "words.json")); !os.IsNotExist(err) {
		t.Fatal("the wrong file was kept")
	}
}

func TestPull_Errors(t *testing.T) {
	m, files := invented(t)
	gone := hub(t, m, nil, nil)
	long := hub(t, m, files, func(w http.ResponseWriter, _ *http.Request, data []byte) bool {
		w.Write(append(data, 'x'))
		return true
	})
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, c := range map[string]struct {
		url  string
		code errs.Code
	}{
		"not found": {gone.URL, "unavailable"}, "too long": {long.URL, "invalid"}, "nobody there": {closed.URL, "unavailable"},
	} {
		if err := Folder(t.TempDir()).Pull(context.Background(), http.DefaultClient, c.url, m, nil); errs.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPull_Canceled(t *testing.T) {
	m, files := invented(t)
	ctx, cancel := context.WithCancel(context.Background())
	server := hub(t, m, files, func(http.ResponseWriter, *http.Request, []byte) bool { cancel(); return false })
	if err := Folder(t.TempDir()).Pull(ctx, server.Client(), server.URL, m, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
}

func TestImport_FolderAndTarball(t *testing.T) {
	m, files := invented(t)
	folder := t.TempDir()
	for name, data := range files {
		write(t, filepath.Join(folder, "deep", "er", name), data)
	}
	write(t, filepath.Join(folder, "weights.bin"), []byte("another file of that name"))
	tarball := filepath.Join(t.TempDir(), "model.tgz")
	write(t, tarball, tgz(t, files))
	for name, from := range map[string]string{"folder": folder, "tarball": tarball} {
		f := Folder(t.TempDir())
		got, err := f.Import(context.Background(), from, nil)
		if err != nil || got.Name != m.Name {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if err := f.Verify(context.Background(), m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		onlyThe(t, f, "invented")
	}
}

func TestImport_IncompleteModel(t *testing.T) {
	_, files := invented(t)
	incomplete := t.TempDir()
	write(t, filepath.Join(incomplete, "weights.bin"), files["weights.bin"])
	cut := filepath.Join(t.TempDir(), "cut.tgz")
	whole := tgz(t, files)
	write(t, cut, whole[:len(whole)-20])
	text := filepath.Join(t.TempDir(), "text.tgz")
	write(t, text, []byte("no tarball"))
	for name, from := range map[string]string{"incomplete": incomplete, "cut": cut, "text": text} {
		f := Folder(t.TempDir())
		if _, err := f.Import(context.Background(), from, nil); errs.CodeOf(err) != "invalid" {
			t.Errorf("%s: %v", name, err)
		}
		onlyThe(t, f)
	}
	if _, err := Folder(t.TempDir()).Import(context.Background(), filepath.Join(t.TempDir(), "none"), nil); errs.CodeOf(err) != "not_found" {
		t.Errorf("missing: %v", err)
	}
}

func TestVerify_FlippedBit(t *testing.T) {
	m, files := invented(t)
	f := Folder(t.TempDir())
	for name, data := range files {
		write(t, filepath.Join(f.Path(m.Name), name), data)
	}
	if err := f.Verify(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	files["weights.bin"][77777] ^= 1
	write(t, filepath.Join(f.Path(m.Name), "weights.bin"), files["weights.bin"])
	if err := f.Verify(context.Background(), m); errs.CodeOf(err) != "invalid" {
		t.Fatalf("error %v", err)
	}
	if err := os.Remove(filepath.Join(f.Path(m.Name), "words.json")); err != nil {
		t.Fatal(err)
	}
	if f.Has(m) {
		t.Fatal("a model without one of its files is said to be there")
	}
}

func TestModels_EveryFilePinned(t *testing.T) {
	for _, m := range All() {
		for _, file := range append(m.Files, m.Origin.Tarball) {
			if sum, err := hex.DecodeString(file.SHA256); file.Name != "" && (err != nil || len(sum) != sha256.Size) {
				t.Errorf("%s: %s has no checksum", m.Name, file.Name)
			}
		}
		if m.Dim == 0 || m.License == "" || m.Bytes() == 0 || (m.Origin.Package == "") == (m.Origin.Revision == "") {
			t.Errorf("%s is not described: %+v", m.Name, m)
		}
	}
	if _, err := Folder(t.TempDir()).Open("gpt-5"); errs.CodeOf(err) != "not_found" {
		t.Errorf("an unknown name gave %v", err)
	}
}

// onlyThe fails if the folder holds anything but the named models.
func onlyThe(t *testing.T, f Folder, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(string(f))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if strings.Join(left, " ") != strings.Join(names, " ") {
		t.Fatalf("in the folder: %q, want %q", left, names)
	}
}

func TestRemove(t *testing.T) {
	m, files := invented(t)
	f := Folder(t.TempDir())
	from := t.TempDir()
	for name, data := range files {
		write(t, filepath.Join(from, name), data)
	}
	if err := f.Remove(m.Name); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("not installed: %v", err)
	}
	for _, name := range []string{"", ".", "..", "../x", "other", m.Name + "/"} {
		if err := f.Remove(name); errs.CodeOf(err) != errs.NotFound {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := f.Import(t.Context(), from, nil); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(string(f), "."+m.Name+".partial", "words.json"), []byte("["))
	write(t, filepath.Join(string(f), "."+m.Name+".partial.old", "words.json"), []byte("["))
	if err := f.Remove(m.Name); err != nil || f.Has(m) {
		t.Errorf("installed: %v; it is there: %v", err, f.Has(m))
	}
	write(t, filepath.Join(string(f), "."+m.Name+".partial", "words.json"), []byte("["))
	if err := f.Remove(m.Name); err != nil {
		t.Errorf("a download was interrupted: %v", err)
	}
	if left, err := os.ReadDir(string(f)); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func tgz(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, data := range files {
		if err := w.WriteHeader(&tar.Header{Name: "package/dist/" + name, Mode: 0o644, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	w.Close()
	z.Close()
	return b.Bytes()
}
