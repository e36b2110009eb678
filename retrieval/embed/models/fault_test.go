package models

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/retrieval/embed/embedtest"
)

// published returns a model that runs, on a hub.
func published(t *testing.T) (*Model, *embedtest.Hub) {
	t.Helper()
	m, _ := invented(t)
	files := embedtest.Model(32, 7)
	m.Files = nil
	for _, name := range []string{"model.safetensors", "tokenizer.json", "config.json"} {
		m.Files = append(m.Files, File{name, checksum(files[name]), int64(len(files[name]))})
	}
	h := embedtest.NewHub(t)
	h.Publish(m.Origin.Repository, m.Origin.Revision, files)
	return m, h
}

func TestPull_StalledDownload(t *testing.T) {
	m, h := published(t)
	before := idleTimeout
	idleTimeout = 500 * time.Millisecond
	t.Cleanup(func() { idleTimeout = before })
	h.Fail(embedtest.HangHalf)
	f := Folder(t.TempDir())
	err := f.Pull(context.Background(), http.DefaultClient, h.URL, m, nil)
	if errs.CodeOf(err) != "unavailable" || !strings.Contains(err.Error(), "lost mid-download") {
		t.Fatalf("error %v", err)
	}
	idleTimeout = before
	if err := f.Pull(context.Background(), http.DefaultClient, h.URL, m, nil); err != nil {
		t.Fatal(err)
	}
	if f.PartialBytes(m) != 0 || !f.Has(m) {
		t.Fatalf("%d bytes are left over; there: %v", f.PartialBytes(m), f.Has(m))
	}
}

func TestPublish_FailureKeepsOldModel(t *testing.T) {
	m, h := published(t)
	f := Folder(t.TempDir())
	gathered := filepath.Join(string(f), ".gone.partial")
	if err := f.publish(m, gathered); errs.CodeOf(err) != "unavailable" || f.Has(m) {
		t.Fatalf("nothing was gathered: %v", err)
	}
	if err := f.Pull(context.Background(), http.DefaultClient, h.URL, m, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.publish(m, gathered); errs.CodeOf(err) != "unavailable" || !f.Has(m) {
		t.Errorf("error %v; there: %v", err, f.Has(m))
	}
}

func TestPull_FullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	s := &checksumFile{file: full, sum: sha256.New()}
	err = interrupted(context.Background(), "hub.example", s.fill(context.Background(), strings.NewReader("weights"), 100, func(int64) {}))
	var said *errs.Error
	if !errors.As(err, &said) || said.Code != "unavailable" || !strings.Contains(said.Hint, "free space") {
		t.Fatalf("error %v", err)
	}
}

func TestImport_Symlinks(t *testing.T) {
	m, files := invented(t)
	cache := t.TempDir()
	for name, data := range files {
		write(t, filepath.Join(cache, "blobs", checksum(data)), data)
		if err := os.MkdirAll(filepath.Join(cache, "snapshots", "abc"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join("..", "..", "blobs", checksum(data)), filepath.Join(cache, "snapshots", "abc", name)); err != nil {
			t.Skip("no links here: ", err)
		}
	}
	f := Folder(t.TempDir())
	if got, err := f.Import(context.Background(), cache, nil); err != nil || got.Name != m.Name {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestMeasure_SavesSpeed(t *testing.T) {
	m, h := published(t)
	f := Folder(t.TempDir())
	if err := f.Pull(context.Background(), http.DefaultClient, h.URL, m, nil); err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Speed(m.Name); ok {
		t.Fatal("a speed that was never measured")
	}
	opened, err := f.Open(m.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	quick, err := measure(context.Background(), opened, time.Nanosecond)
	if err != nil || quick.Turns <= 0 || quick.Query <= 0 || quick.Tokens < 200 || quick.Bytes != len(sampleTurn) {
		t.Fatalf("%+v, %v", quick, err)
	}
	measured, err := f.Measure(context.Background(), m.Name, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if kept, ok := f.Speed(m.Name); !ok || kept != measured {
		t.Fatalf("kept %+v, measured %+v", kept, measured)
	}
	write(t, filepath.Join(f.Path(m.Name), speedFile), []byte(`{"turns_per_second": "fast"}`))
	if _, ok := f.Speed(m.Name); ok {
		t.Fatal("nonsense is taken for a speed")
	}
}
