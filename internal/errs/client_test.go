package errs

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func failed(op, message, hint string, cause error) error {
	return fmt.Errorf("above: %w", &Error{Code: Unavailable, Op: op, Message: message, Hint: hint, Err: cause})
}

func TestForClient_HidesLocation(t *testing.T) {
	vault := &Error{Code: Unavailable, Op: "vault", Message: "it is unreadable"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{
			failed("retrieval: peek", "nothing is embedded yet", "run lens embed", nil),
			"Nothing is embedded yet. On the server: run lens embed.",
		},
		{failed("retrieval: turn", "not the start of a turn ID.", "", nil), "Not the start of a turn ID."},
		{
			failed("agent/openai: chat", "https://a.example/v1/chat does not answer", "", nil),
			"Https://a.example/v1/chat does not answer.",
		},
		{failed("postgres: catalog", "cannot reach Postgres at 10.0.0.1", "start it", nil), ""},
		{failed("open archive", "there is no archive in the folder chats", "", nil), ""},
		{failed("a new package", "the folder chats is missing", "", nil), ""},
		{failed("", "the folder chats is missing", "", nil), ""},
		{failed("offline", "cannot search", "", vault), ""},
		{errors.Join(failed("retrieval: peek", "no model", "", nil), vault), ""},
		{
			&Error{Code: Unavailable, Op: "agent/openai: chat", Message: "h is unavailable", Hint: "wait", Said: "Loading model."},
			`H is unavailable: "Loading model". Wait.`,
		},
		{
			&Error{Code: Unavailable, Op: "agent/openai: chat", Message: "h is unavailable", Said: "no /models/secret/x.gguf"},
			"H is unavailable.",
		},
		{nil, ""},
		{errors.New("secret"), ""},
	} {
		if got, hint := ForClient(c.err); strings.TrimSpace(got+" "+hint) != c.want {
			t.Errorf("%v: %q, %q, want %q", c.err, got, hint, c.want)
		}
	}
}

// Whatever part an error comes from, its path stays on this machine.
func TestForClient_HidesPaths(t *testing.T) {
	for _, op := range append([]string{"sqlite: open", "vault", "listen", "encrypt", "keep keywords", ""}, public...) {
		for _, text := range []string{
			"/home/me/lens.db is damaged", "check the permissions of /home/me/audit.jsonl", "cannot use (~/lens)",
			`C:\Users\me\lens.db is damaged`, "cannot open D:/lens", `"/srv/lens/keywords.yaml" is invalid`,
			`there is no archive in \\server\share`,
		} {
			for name, err := range map[string]error{
				"message": failed(op, text, "", nil),
				"hint":    failed(op, "it failed", text, nil),
				"cause":   failed("retrieval: peek", "it failed", "", failed(op, text, "", nil)),
				"joined":  errors.Join(failed("retrieval: peek", "it failed", "", nil), failed(op, "", text, nil)),
			} {
				if got, hint := ForClient(err); got+hint != "" {
					t.Errorf("%q in the %s of %q: a client sees %q, %q", text, name, op, got, hint)
				}
			}
		}
	}
}

func TestForClient_Hint(t *testing.T) {
	for hint, want := range map[string]string{
		"":                        "",
		"use dense or hybrid":     "Use dense or hybrid.",
		"run lens embed":          "On the server: run lens embed.",
		"set LENS_CHAT_MODEL":     "On the server: set LENS_CHAT_MODEL.",
		"update Lens.":            "Update Lens.",
		"choose another with -o":  "",
		"remove --since":          "",
		"--since takes a date":    "",
		"use a non-empty query":   "Use a non-empty query.",
		"quote it: a -b means no": "",
	} {
		if _, got := ForClient(failed("retrieval: peek", "it failed", hint, nil)); got != want {
			t.Errorf("%q: %q, want %q", hint, got, want)
		}
	}
}
