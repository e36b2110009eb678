package ingest_test

import (
	"fmt"
	"slices"
	"testing"

	"lens/store/ingest"
)

func TestImport_VersionOrderDoesNotMatter(t *testing.T) {
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
				importChatsIn(t, there, versions, batch)
				reversed := slices.Clone(versions)
				slices.Reverse(reversed)
				importChatsIn(t, back, reversed, batch)
				for _, m := range []string{"h1", "h3"} {
					if a, b := turnOf(t, there, m), turnOf(t, back, m); a.AssistantText != b.AssistantText {
						t.Errorf("%q stayed in one order, %q in the other", a.AssistantText, b.AssistantText)
					}
				}
				before := exportAll(t, there)
				if r := importChatsIn(t, there, versions, batch); r.Changed() || exportAll(t, there) != before {
					t.Errorf("a second import: %+v", r)
				}
				if r := importChatsIn(t, there, reversed, batch); r.Changed() || exportAll(t, there) != before {
					t.Errorf("in the other order: %+v", r)
				}
			})
		}
	}
}

func TestImport_EqualTimesMoreMessagesWins(t *testing.T) {
	longer := heron()
	longer.messages = append(longer.messages, user("h5", "And what does it eat?"), assistant("h6", "Fish and frogs."))
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	if r := importChats(t, st, []chat{longer}); r.Conversations != (ingest.Changes{Updated: 1}) {
		t.Errorf("the longer one: %+v", r)
	}
	if r := importChats(t, st, []chat{heron()}); r.Changed() {
		t.Errorf("the shorter one again: %+v", r)
	}
}

// Nothing tells which of two versions with equal times is the newer one, so the hash decides, and the text of the other
// stays in the raw JSON.
func TestReimport_UndatedEdit(t *testing.T) {
	edits := []string{"A stately bird.", "A tall bird.", "A bird.", "It wades.", "A grey bird."} // some hashes are greater, some smaller
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	stayed := map[string]bool{}
	for i, text := range edits {
		edited := heron()
		edited.messages[1].text = text
		dry, err := ingest.Import(t.Context(), st, []string{writeExport(t, []chat{edited})}, ingest.Options{DryRun: true})
		r := importChats(t, st, []chat{edited})
		if err != nil || dry.Conversations != r.Conversations {
			t.Errorf("a dry run of edit %d: %+v, %v; the import: %+v", i, dry, err, r)
		}
		now := turnOf(t, st, "h1").AssistantText
		if stayed[now] = true; r.Changed() != (now == text) {
			t.Errorf("edit %d: the answer is %q, the receipt %+v", i, now, r)
		}
		if r := importChats(t, st, []chat{heron()}); r.Changed() {
			t.Errorf("after edit %d, the first version again: %+v", i, r)
		}
		if !remembers(t, st, text) {
			t.Errorf("edit %d is lost", i)
		}
	}
	if len(stayed) < 2 || stayed[heron().messages[1].text] {
		t.Errorf("the texts that stayed are %v", stayed)
	}
}

func TestImport_TwoEditsInEitherOrder(t *testing.T) {
	first, second := heron(), heron()
	first.messages[1].text, second.messages[1].text = "A stately bird.", "A tall bird."
	var stayed []string
	for _, content := range [][]chat{{first, second}, {second, first}} {
		st := newArchive(t)
		importChats(t, st, []chat{heron()})
		importChats(t, st, content)
		stayed = append(stayed, turnOf(t, st, "h1").AssistantText)
		if r := importChats(t, st, []chat{second, heron(), first}); r.Changed() {
			t.Errorf("all of them again: %+v", r)
		}
	}
	if stayed[0] != stayed[1] || stayed[0] == heron().messages[1].text {
		t.Errorf("the texts that stayed are %q", stayed)
	}
}
