package app

import (
	"context"
	"errors"
	"testing"

	"github.com/google/uuid"
)

// stores is an archive with stored data.
type stores func(ctx context.Context, conversation, turn uuid.UUID) (string, error)

func (s stores) Stored(ctx context.Context, conversation, turn uuid.UUID) (string, error) {
	return s(ctx, conversation, turn)
}

func TestStoredData_OfAnUnreadableTurn(t *testing.T) {
	e := newFake(300)
	e.before = func(_ context.Context, call string) error {
		if call == "turn" {
			return errors.New("the block is damaged")
		}
		return nil
	}
	asked := uuid.Nil
	d := drive(Options{Archive: over(e), Storage: stores(func(_ context.Context, conversation, turn uuid.UUID) (string, error) {
		if asked = turn; conversation == uuid.Nil {
			t.Error("the chat is not shown")
		}
		return `{"role":"user","text":"\u001b]0;evil\u0007half"}` + "\n", errors.New("the rest is damaged")
	})}, 120, 40)
	d.search("cancel").keys("2").mustShow(t,
		"Can't read this turn",
		"the block is damaged",
		"3, then m shows the stored data",
	)
	d.keys("3 m").mustShow(t, "as stored", `"role": "user"`, "half", "the rest is damaged")
	d.mustBeHarmless(t)
	if asked != d.reader.Wanted() {
		t.Errorf("asked for %v, not %v", asked, d.reader.Wanted())
	}
	d.keys("m").mustShow(t, "Can't read this turn")
	e.before = nil
	d.keys("ctrl+l").mustShow(t, " UTC ")
	d.mustNotShow(t, "as stored")
}

func TestStoredData_NotOfferedIfUnavailable(t *testing.T) {
	e := newFake(300)
	e.before = func(_ context.Context, call string) error {
		if call == "turn" {
			return errors.New("the block is damaged")
		}
		return nil
	}
	d := explore(e, 120, 40)
	d.search("cancel").keys("3").mustShow(t, "Can't read this turn")
	d.mustNotShow(t, "m shows")
	d.keys("Y").mustNotShow(t, "Copy")
	d.keys("m").mustShow(t, "No stored data to show")
}
