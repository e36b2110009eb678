package chat

import (
	"strings"
	"testing"

	"github.com/google/uuid"
)

func TestIDs(t *testing.T) {
	const canonical = "bd389b0b-ff88-52c3-b512-5c149674daae"
	if got := MessageID("c", canonical); got.String() != canonical {
		t.Errorf("a UUID became %s", got)
	}
	if got := MessageID("c", strings.ToUpper(canonical)); got.String() != canonical {
		t.Errorf("an upper-case UUID became %s", got)
	}
	if got, want := conversationID("my chat"), uuid.NewSHA1(Namespace, []byte("my chat")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if MessageID("c1", "1") == MessageID("c2", "1") {
		t.Error("two conversations that number their messages share an id")
	}
	if got := MessageID("c", uuid.Nil.String()); got == uuid.Nil {
		t.Error("the nil UUID was taken as an id")
	}
}
