package shell

import (
	"runtime"
	"testing"
)

func TestQuote(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the quotation marks are those of other systems")
	}
	for path, want := range map[string]string{
		"/home/ann/chats-1.json": "/home/ann/chats-1.json", "/a b/c": "'/a b/c'", "it's": `'it'\''s'`, "~/x": "'~/x'",
		"$HOME": "'$HOME'", "": "''", `/a\b`: `'/a\b'`,
	} {
		if got := Quote(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
	}
}
