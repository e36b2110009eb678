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

// grepall WORD DIR… fails unless a file below the folders has the word in its name or bytes; ! grepall fails if one
// has.
func grepAll(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: [!] grepall WORD DIR…")
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
	ts.Logf("searched %d files, found in %v", files, found)
	if neg == (len(found) > 0) {
		ts.Fatalf("%q found in %v", args[0], found)
	}
}

// killwhen FILE PROGRAM ARGS… runs a program and kills it, as kill -9 does, once the file exists.
func killWhen(ts *testscript.TestScript, _ bool, args []string) {
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
		ts.Fatalf("the program ended by itself: %s", &said)
	}
}
