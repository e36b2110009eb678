package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/local"
	"lens/retrieval/embed/models"
)

// The lens of the scripts knows three more models: tiny, heir with other dimensions, and giant, which no disk has space
// for.
var tinyFiles = map[string]map[string][]byte{"tiny": embedtest.Model(32, 1), "heir": embedtest.Model(16, 2)}

const tinyRevision = "0123abcd"

func trustTiny() {
	for _, name := range []string{"tiny", "heir"} {
		k := models.Model{
			Spec: local.Spec{Name: name}, Dim: 32, License: "MIT", Origin: models.Origin{Repository: "tests/" + name, Revision: tinyRevision},
		}
		for _, file := range []string{"model.safetensors", "tokenizer.json", "config.json"} {
			data := tinyFiles[name][file]
			sum := sha256.Sum256(data)
			k.Files = append(k.Files, models.File{Name: file, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))})
		}
		models.Register(k)
	}
	models.Register(models.Model{
		Spec: local.Spec{Name: "giant"}, Dim: 1, License: "MIT", Origin: models.Origin{Repository: "tests/giant", Revision: tinyRevision},
		Files: []models.File{{Name: "model.safetensors", SHA256: strings.Repeat("0", 64), Bytes: 1 << 60}},
	})
}

// hub [cut|hang|spoil|gone|moved] starts a server of model files if none is running, points the environment at it, and
// makes it fail once in the given way.
func startHub(ts *testscript.TestScript, _ bool, args []string) {
	r := runningOf(ts)
	if r.hub == nil {
		r.hub = embedtest.NewHub(r.t)
		for name, files := range tinyFiles {
			r.hub.Publish("tests/"+name, tinyRevision, files)
		}
		ts.Setenv("LENS_MODEL_HUB", r.hub.URL)
	}
	for _, fault := range args {
		r.hub.Fail(embedtest.HubFault(fault))
	}
}

// asked RANGE… checks which ranges of files were requested from the hub since the last check: - for a whole file,
// resume for a part.
func asked(ts *testscript.TestScript, _ bool, args []string) {
	r := runningOf(ts)
	all := r.hub.Ranges()
	var got []string
	for _, header := range all[r.heard:] {
		if strings.HasPrefix(header, "bytes=") && header != "bytes=0-" {
			got = append(got, "resume")
		} else {
			got = append(got, "-")
		}
	}
	r.heard = len(all)
	if !slices.Equal(got, args) {
		ts.Fatalf("requested from the hub: %v, want %v", got, args)
	}
}

// model NAME FOLDER writes a model's files. NAME is one that lens knows, or that of a tiny encoder, bert or xlm-roberta.
func writeModel(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[1])
	files, known := tinyFiles[args[0]]
	if !known {
		ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join("../../retrieval/embed/local/testdata/encoders", args[0]))))
		return
	}
	ts.Check(os.MkdirAll(dir, 0o700))
	for name, data := range files {
		ts.Check(os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
}

// flip PATTERN flips one bit in the middle of the one file that matches.
func flipBit(ts *testscript.TestScript, _ bool, args []string) {
	paths, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(paths) != 1 {
		ts.Fatalf("flip %s: %d files match, want 1", args[0], len(paths))
	}
	data, err := os.ReadFile(paths[0])
	ts.Check(err)
	data[len(data)/2] ^= 1
	ts.Check(os.WriteFile(paths[0], data, 0o600))
}

// interruptpull PROGRAM ARGS… runs a program and sends it a Ctrl+C once the hub has sent half a file and hangs; it must
// end with 130.
func interruptPull(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd.Path, cmd.Dir, cmd.Env = path, ts.MkAbs("."), append(environment(ts), "LENS_MODEL_HUB="+ts.Getenv("LENS_MODEL_HUB"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	ts.Check(cmd.Start())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	select {
	case <-runningOf(ts).hub.HalfSent():
	case <-ctx.Done():
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		ts.Fatalf("exit code %d, want 130\n%s", code, &stderr)
	}
	ts.Logf("%s", &stderr)
}

// useLite returns the folder with the real model use-lite, and skips the test without it.
func useLite(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("LENS_TEST_USE_LITE")
	if dir == "" {
		t.Skip("SKIPPED: LENS_TEST_USE_LITE names no folder with the weights of use-lite; make model fetches them")
	}
	return dir
}
