package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// hunt WORD DIR… looks for a word in the names and bytes of all files below folders, and fails where it is not there; ! hunt fails where it is.
func hunt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] hunt WORD DIR…")
	}
	files, found := 0, []string(nil)
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			files++
			if bytes.Contains(bytes.ToLower(content), []byte(args[0])) || bytes.Contains([]byte(e.Name()), []byte(args[0])) {
				found = append(found, path)
			}
			return err
		}))
	}
	ts.Logf("%d files looked into, found in %v", files, found)
	if neg == (len(found) > 0) {
		ts.Fatalf("%q found in %v", args[0], found)
	}
}

// killed FILE PROGRAM ARGS… runs a program and ends it, as kill -9 does, once it has made the file.
func killed(ts *testscript.TestScript, _ bool, args []string) {
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), append(environment(ts), "LENS_PIN_FILE="+ts.Getenv("LENS_PIN_FILE"))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			break
		}
	}
	ts.Check(cmd.Process.Kill())
	if exit := new(exec.ExitError); !errors.As(cmd.Wait(), &exit) || exit.Exited() {
		ts.Fatalf("it ended by itself: %s", &said)
	}
}
