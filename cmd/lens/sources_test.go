package main

import (
	"runtime"
	"testing"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
)

// In paranoid mode neither lens sources nor the explorer has anything that could look.
func TestLookAround(t *testing.T) {
	for security, want := range map[string]bool{config.Standard: true, config.Strict: true, config.Paranoid: false} {
		if look := lookAround(config.Config{Security: security}, new(archive.Machine)); (look != nil) != want {
			t.Errorf("%s: it looks: %v", security, look != nil)
		}
	}
}

func TestShellPath(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("USERPROFILE", "/home/me")
	for path, want := range map[string]string{
		"/home/me/.codex":                 "~/.codex",
		"/home/me/it's.zip":               `'/home/me/it'\''s.zip'`,
		"/home/me/a b":                    "'/home/me/a b'",
		"/home/meanwhile":                 "/home/meanwhile",
		"/x/$(rm).zip":                    "'/x/$(rm).zip'",
		"/home/me/Übersicht-2025-01.json": "~/Übersicht-2025-01.json",
	} {
		if got := shellPath(path); got != want && runtime.GOOS != "windows" {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
