package store_test

import (
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

// Archives hold such ids: UUIDv5 of the message's id, and of the text of two.
func TestTurnID_IsUUIDv5(t *testing.T) {
	space := uuid.MustParse("6c656e73-0000-5000-8000-7475726e6964")
	for range 100 {
		user, first := uuid.New(), uuid.New()
		if got, want := store.TurnID(user), uuid.NewSHA1(space, user[:]); got != want {
			t.Errorf("turn %s, want %s", got, want)
		}
		if got, want := store.AnswerID(user, first), uuid.NewSHA1(space, []byte(user.String()+"/"+first.String())); got != want {
			t.Errorf("answer %s, want %s", got, want)
		}
	}
}
