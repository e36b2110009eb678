package errs

import (
	"errors"
	"fmt"
	"testing"
)

func TestForClient_HidesLocation(t *testing.T) {
	of := func(op, message, hint string) error {
		return fmt.Errorf("above: %w", &Error{Code: Unavailable, Op: op, Message: message, Hint: hint})
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{of("retrieval: peek", "nothing is embedded yet", "run lens embed"), "Nothing is embedded yet. Run lens embed."},
		{of("retrieval: turn", "not the start of a turn ID.", ""), "Not the start of a turn ID."},
		{of("postgres: catalog", "cannot reach Postgres at 10.0.0.1", "start it"), ""},
		{of("sqlite: open", "/home/me/lens.db is damaged", ""), ""},
		{nil, ""},
		{of("read beside the archive", "/home/me/keywords.yaml is damaged", ""), ""},
		{of("load chats", "a chat is damaged", "move /home/me/chats/x.json away"), ""},
		{of("vault", "/home/me/lens.vault is unreadable", ""), ""},
		{of("open archive", "there is no archive in /home/me", ""), ""},
		{errors.New("secret"), ""},
	} {
		if got := ForClient(c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
