package ingest_test

import (
	"fmt"
	"slices"
	"testing"

	"lens/store/ingest"
)

func TestTheSameVersionStaysInWhateverOrderTheyAreRead(t *testing.T) {
	edited, longer, undated, unlike := heron(), heron(), heron(), heron()
	edited.messages[1].text = "A stately bird."
	longer.messages = append(longer.messages, user("h5", "And what does it eat?"))
	undated.updated, unlike.updated = 0, 0
	unlike.messages = slices.Clone(unlike.messages)
	unlike.messages[3].text = "On cliffs."
	for name, versions := range map[string][]chat{
		"equal times":             {heron(), edited},
		"equal times, one longer": {heron(), edited, longer},
		"unknown times":           {undated, unlike},
		"one unknown time":        {undated, heron()},
		"all of them":             {undated, heron(), longer, unlike, edited},
	} {
		for _, batch := range []int{0, 1} {
			t.Run(fmt.Sprintf("%s, batches of %d", name, batch), func(t *testing.T) {
				there, back := newArchive(t), newArchive(t)
				importingIn(t, there, versions, batch)
				reversed := slices.Clone(versions)
				slices.Reverse(reversed)
				importingIn(t, back, reversed, batch)
				for _, m := range []string{"h1", "h3"} {
					if a, b := turnOf(t, there, m), turnOf(t, back, m); a.AssistantText != b.AssistantText {
						t.Errorf("%q stayed in one order, %q in the other", a.AssistantText, b.AssistantText)
					}
				}
				before := exported(t, there)
				if r := importingIn(t, there, versions, batch); r.Changed() || exported(t, there) != before {
					t.Errorf("a second import: %+v", r)
				}
				if r := importingIn(t, there, reversed, batch); r.Changed() || exported(t, there) != before {
					t.Errorf("in the other order: %+v", r)
				}
			})
		}
	}
}

func TestAtEqualTimesTheVersionWithMoreMessagesStays(t *testing.T) {
	longer := heron()
	longer.messages = append(longer.messages, user("h5", "And what does it eat?"), assistant("h6", "Fish and frogs."))
	st := newArchive(t)
	importing(t, st, []chat{heron()})
	if r := importing(t, st, []chat{longer}); r.Conversations != (ingest.Changes{Updated: 1}) {
		t.Errorf("the longer one: %+v", r)
	}
	if r := importing(t, st, []chat{heron()}); r.Changed() {
		t.Errorf("the shorter one again: %+v", r)
	}
}
