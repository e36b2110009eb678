package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestExport_FileNameIsSanitized(t *testing.T) {
	dir := t.TempDir()
	lens := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("lens", args...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", args, err)
		}
		return string(out)
	}
	lens("import", "testdata/fixtures/chats.json", "--no-embed")
	said := lens("export", "-o", filepath.Join(dir, "a\u202eb.jsonl"))
	if !strings.HasSuffix(said, `a\u202eb.jsonl`+"\n") {
		t.Errorf("it says %q", said)
	}
}
