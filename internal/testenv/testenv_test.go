package testenv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/demo"
)

var echo = NewChild("echo", func(args []string) error {
	fmt.Println(args)
	if len(args) > 1 {
		return errors.New("too many words")
	}
	return nil
})

func TestMain(m *testing.M) {
	BeChild()
	os.Exit(m.Run())
}

func TestChild_DoesItsJob(t *testing.T) {
	if out, err := echo.Command(t, "one").Output(); err != nil || string(out) != "[one]\n" {
		t.Errorf("got %q, %v", out, err)
	}
	if out, err := echo.Command(t, "one", "two").Output(); err == nil || string(out) != "[one two]\ntoo many words\n" {
		t.Errorf("a job that fails: got %q, %v", out, err)
	}
	if out, err := (Child{"unknown"}).Command(t).Output(); err == nil || !strings.Contains(string(out), "unknown") {
		t.Errorf("an unknown job: got %q, %v", out, err)
	}
}

func TestShared_IsBesideTheModule(t *testing.T) {
	if _, err := os.Stat(filepath.Join(root(), "internal", "testenv")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(SharedPath("nothing has this name")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestDemo_WritesAnExport(t *testing.T) {
	text, err := os.ReadFile(Demo(t, demo.Options{Turns: 10}))
	if err != nil || !strings.HasPrefix(string(text), "[\n") {
		t.Errorf("got %.20q, %v", text, err)
	}
	if err := WriteDemo(t.TempDir(), demo.Options{}); err == nil {
		t.Error("it wrote over a folder")
	}
}
