package main

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits CODE PROGRAM ARGS… runs a program and checks its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// json [PATH WANT]… checks that stdout is one JSON document and nothing else, and the values at paths like
// .matches.0.title. A path that ends in len is the length of a list or object.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args)%2 != 0 {
		ts.Fatalf("usage: json [PATH WANT]…")
	}
	d := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	d.UseNumber()
	var document any
	ts.Check(d.Decode(&document))
	if _, err := d.Token(); err != io.EOF {
		ts.Fatalf("stdout continues after the document")
	}
	for i := 0; i < len(args); i += 2 {
		if got := fmt.Sprint(at(ts, document, args[i])); got != args[i+1] {
			ts.Fatalf("%s is %s, want %s", args[i], got, args[i+1])
		}
	}
}

// samejson A B KEY… checks that two JSON files are equal except for the given keys.
func sameJSON(ts *testscript.TestScript, _ bool, args []string) {
	var documents [2]map[string]any
	for i := range documents {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[i])), &documents[i]))
		for _, key := range args[2:] {
			delete(documents[i], key)
		}
	}
	if !reflect.DeepEqual(documents[0], documents[1]) {
		ts.Fatalf("%s and %s differ:\n%v\n%v", args[0], args[1], documents[0], documents[1])
	}
}

func at(ts *testscript.TestScript, value any, path string) any {
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		switch v := value.(type) {
		case map[string]any:
			if step == "len" {
				return len(v)
			}
			inside, ok := v[step]
			if !ok {
				ts.Fatalf("%s: no %s", path, step)
			}
			value = inside
		case []any:
			if step == "len" {
				return len(v)
			}
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(v) {
				ts.Fatalf("%s: no %s in a list of %d", path, step, len(v))
			}
			value = v[i]
		default:
			ts.Fatalf("%s: nothing inside %v", path, value)
		}
	}
	return value
}

// ! controls FILE… checks that files (also stdout and stderr) contain no control character but line feeds.
func controls(ts *testscript.TestScript, neg bool, files []string) {
	if !neg {
		ts.Fatalf("usage: ! controls FILE…")
	}
	for _, name := range files {
		for i, r := range ts.ReadFile(name) {
			if r < ' ' && r != '\n' || 0x7f <= r && r <= 0x9f || r == '\u202e' || r == utf8.RuneError {
				ts.Fatalf("%s contains %q at byte %d", name, r, i)
			}
		}
	}
}

// zip ARCHIVE FILE… packs files.
func zipFiles(ts *testscript.TestScript, _ bool, args []string) {
	out, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	w := zip.NewWriter(out)
	for _, name := range args[1:] {
		member, err := w.Create(name)
		ts.Check(err)
		content, err := os.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		_, err = member.Write(content)
		ts.Check(err)
	}
	ts.Check(errors.Join(w.Close(), out.Close()))
}

// truncate FILE BYTES truncates a file; a negative number is how many bytes go.
func truncate(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if size < 0 {
		size += int64(len(ts.ReadFile(args[0])))
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// encrypt ARCHIVE marks all members of a zip as encrypted, as a password does.
func encrypt(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	content, err := os.ReadFile(path)
	ts.Check(err)
	for signature, flags := range map[string]int{"PK\x03\x04": 6, "PK\x01\x02": 8} {
		for at := 0; ; at += 4 {
			next := strings.Index(string(content[at:]), signature)
			if next < 0 {
				break
			}
			at += next
			field := content[at+flags:]
			binary.LittleEndian.PutUint16(field, binary.LittleEndian.Uint16(field)|1)
		}
	}
	ts.Check(os.WriteFile(path, content, 0o600))
}

// interrupt PROGRAM ARGS… runs a program and sends it a Ctrl+C once it writes its archive or sends a request to the
// script's server; it must exit with 130.
func interruptAfter(ts *testscript.TestScript, _ bool, args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = environment(ts)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	cmd.Path = path
	ts.Check(cmd.Start())
	note := ts.MkAbs("data/lens/lens.writer")
	server := runningOf(ts).server
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(note); err == nil || server != nil && server.Requests() > 0 {
			break
		}
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		ts.Fatalf("exit code %d, want 130\n%s", code, &stderr)
	}
	ts.Logf("%s", &stderr)
}

func environment(ts *testscript.TestScript) []string {
	all := []string{endsAtOnce}
	for _, name := range []string{"PATH", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "TMPDIR", "OPENAI_BASE_URL", "OPENAI_API_KEY"} {
		if v := ts.Getenv(name); v != "" {
			all = append(all, name+"="+v)
		}
	}
	return all
}
