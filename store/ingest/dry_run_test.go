package ingest_test

import (
	"errors"
	"slices"
	"testing"

	"lens/internal/errs"
	"lens/store/ingest"
)

func TestDryRun_CountsWithoutWriting(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	before := exportAll(t, st)
	path := writeExport(t, append(manyChats(3), heron()))
	r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{DryRun: true})
	if err != nil || r.Check() != nil {
		t.Fatal(err, r.Check())
	}
	if r.Conversations != (ingest.Changes{New: 3, Unchanged: 1}) || r.Turns.New != 3 {
		t.Errorf("receipt %+v", r)
	}
	if runs, _ := st.ImportRuns(t.Context(), 10); exportAll(t, st) != before || len(runs) != 1 {
		t.Error("something was written")
	}
	r, err = ingest.Import(t.Context(), nil, []string{path}, ingest.Options{DryRun: true})
	if err != nil || r.Conversations != (ingest.Changes{New: 4}) {
		t.Errorf("without an archive: %+v, %v", r, err)
	}
}

// A dry run does not wait for another writer, and works on an archive that is open only for reading.
func TestDryRun_LockedArchive(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	locked := &failingStore{st, 0, errors.New("another program is writing")}
	r, err := ingest.Import(t.Context(), locked, []string{writeExport(t, append(manyChats(3), heron()))}, ingest.Options{DryRun: true})
	if err != nil || r.Conversations != (ingest.Changes{New: 3, Unchanged: 1}) {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestDryRun_CountsLikeImport(t *testing.T) {
	grown, lesser, shrunk, shared := heron(), heron(), heron(), heron()
	grown.updated++
	grown.messages = append(grown.messages, user("h5", "And what does it eat?"), assistant("h6", "Fish and frogs."))
	lesser.updated--
	shrunk.updated += 2
	shrunk.messages = append(shrunk.messages[:2:2], user("h7", "Is it rare?"), assistant("h8", "No."))
	shared.id, shared.created, shared.updated = "copy", 1.75e9, 1.8e9
	again := shared
	again.updated++
	again.messages = append(slices.Clone(shared.messages), user("k1", "Thank you."))
	back := heron()
	back.updated += 3
	for _, c := range []struct {
		name    string
		there   []chat
		content []chat
	}{
		{"the same conversation twice", []chat{}, []chat{heron(), heron()}},
		{"grows within the run", []chat{}, []chat{heron(), grown}},
		{"older version last", []chat{}, []chat{grown, lesser}},
		{"grows, shrinks and comes back", []chat{}, []chat{heron(), grown, shrunk, back}},
		{"stored, then grows", []chat{heron()}, []chat{grown, heron(), shrunk}},
		{"stored, then comes back", []chat{heron(), shrunk}, []chat{back, grown}},
		{"messages of another conversation", []chat{heron()}, []chat{shared, again, grown}},
		{"stored messages of another conversation", []chat{heron(), shared}, []chat{again, grown, shared}},
		{"messages of another conversation of the same run", []chat{}, []chat{heron(), shared, again, grown}},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := newArchive(t)
			if len(c.there) > 0 {
				importChats(t, st, c.there)
			}
			dry, err := ingest.Import(t.Context(), st, []string{writeExport(t, c.content)}, ingest.Options{DryRun: true})
			if err != nil || dry.Check() != nil {
				t.Fatal(err, dry.Check())
			}
			real := importChats(t, st, c.content)
			if dry.Conversations != real.Conversations || dry.Messages != real.Messages || dry.Turns != real.Turns {
				t.Errorf("the dry run counted %+v %+v %+v, the import %+v %+v %+v",
					dry.Conversations, dry.Messages, dry.Turns, real.Conversations, real.Messages, real.Turns)
			}
		})
	}
}

func TestDryRun_UnreadableArchive(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, []chat{heron()})
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := ingest.Import(t.Context(), st, []string{writeExport(t, []chat{heron()})}, ingest.Options{DryRun: true})
	if errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
}
