package datadir

import (
	"bufio"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"lens/cmd/internal/keys"
	"lens/internal/testenv"
)

func folderIn(tb testing.TB, dir string) *Folder {
	tb.Helper()
	f := New(keys.New(keys.Options{Dir: dir, Remote: true}))
	tb.Cleanup(f.Close)
	return f
}

// present prints the name under which it is present, and waits for its end.
var present = testenv.NewChild("present", func(args []string) error {
	name, err := New(keys.New(keys.Options{Dir: args[0], Remote: true})).Presence()
	if err != nil {
		return err
	}
	_, err = os.Stdout.WriteString(name + "\n")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // the test never writes one
	return err
})

func TestPresence_EndsWithTheProcess(t *testing.T) {
	dir := t.TempDir()
	f := folderIn(t, dir)
	child := present.Command(t, dir)
	wait, err := child.StdinPipe()
	must(t, err)
	defer wait.Close()
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	name := line[:len(line)-1]
	for range 3 {
		if !f.IsPresent(name) {
			t.Fatal("a running process is not present")
		}
	}
	own, err := f.Presence() // removes files of processes that have ended
	must(t, err)
	if again, err := f.Presence(); err != nil || again != own || own == name || !f.IsPresent(own) || !f.IsPresent(name) {
		t.Errorf("got %q, then %q, %v", own, again, err)
	}
	must(t, child.Process.Kill())
	_ = child.Wait()
	if f.IsPresent(name) || missing(presencePath(dir, name)) {
		t.Error("a killed process is present, or its file is gone, which this test needs")
	}
	other := folderIn(t, dir)
	_, err = other.Presence()
	must(t, err)
	if !missing(presencePath(dir, name)) || !other.IsPresent(own) {
		t.Error("the file of a killed process stays, or one of a running process went")
	}
	f.Close()
	other.Close()
	if left, _ := filepath.Glob(filepath.Join(dir, presencePrefix+"*")); len(left) > 0 || other.IsPresent(own) {
		t.Errorf("got leftover %v", left)
	}
}

func TestPresence_NamesAreNoPaths(t *testing.T) {
	dir := t.TempDir()
	f := folderIn(t, dir)
	must(t, os.WriteFile(filepath.Join(dir, presencePrefix+"x"), nil, 0o600))
	for _, name := range []string{"", "x", "../x", "AAAAAAAAAAAAAAAAAAAAAAAAA/"} {
		if f.IsPresent(name) {
			t.Errorf("%q is present", name)
		}
	}
}

// Each process removes the files of others that seem to have ended, also while they lock theirs.
func TestPresence_BeginTogether(t *testing.T) {
	for range 50 {
		dir := t.TempDir()
		var folders [20]*Folder
		for i := range folders {
			folders[i] = folderIn(t, dir)
		}
		var began sync.WaitGroup
		for _, f := range folders {
			began.Go(func() { _, _ = f.Presence() })
		}
		began.Wait()
		for _, f := range folders {
			name, err := f.Presence()
			if err != nil || !folders[0].IsPresent(name) || missing(presencePath(dir, name)) {
				t.Fatalf("%q: %v", name, err)
			}
			f.Close()
		}
	}
}
