package ingest_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"lens/store"
	"lens/store/ingest"
)

// TestImport_UnchangedOverlap imports files that have a chat in common, in changing company: it counts once in each
// import, also where the files have not changed.
func TestImport_UnchangedOverlap(t *testing.T) {
	a, b := writeExport(t, []chat{heron()}), writeExport(t, []chat{heron()})
	for name, imports := range map[string][][]string{
		"apart, then together":         {{a}, {b}, {a, b}, {a, b}},
		"together, then apart":         {{a, b}, {b}, {a}, {a, b}},
		"together, in the other order": {{a, b}, {b, a}, {a, b}},
		"one, then both":               {{b}, {a, b}, {b}},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			for i, files := range imports {
				for _, dry := range []bool{true, false} {
					r := mustHave(ingest.Import(t.Context(), st, files, ingest.Options{DryRun: dry}))
					c, m := r.Conversations, r.Messages
					if err := r.Check(); err != nil || c.New+c.Updated+c.Unchanged != 1 || m.New+m.Updated+m.Unchanged != 4 || r.Turns.Total != 2 {
						t.Errorf("import %d, dry %t: %+v, %+v, %+v, %v", i, dry, c, m, r.Turns, err)
					}
					if i > 0 && slices.Equal(files, imports[i-1]) && r.UnchangedFiles != len(files) {
						t.Errorf("import %d: %s", i, fmt.Sprint(r.UnchangedFiles))
					}
				}
			}
		})
	}
}

// What derives from a chat that an unchanged file and one that changed have in common counts once, too.
func TestImport_UnchangedOverlapOfDerived(t *testing.T) {
	st, dir := newArchive(t), t.TempDir()
	a, b := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	other := drawnVersion{claude: true, id: "other", title: "Other", created: 1, updated: 1, nodes: []drawnNode{
		{id: "o1", role: "user", text: "Why?", time: 1}, {id: "o2", parent: "o1", role: "assistant", text: "So.", time: 2},
	}}
	writeFile(t, a, []drawnVersion{menu()})
	writeFile(t, b, []drawnVersion{menu()})
	for range 2 {
		r := mustHave(ingest.Import(t.Context(), st, []string{a, b}, ingest.Options{}))
		if !maps.Equal(r.Derived, map[store.Kind]int{store.Artifact: 1, store.Attachment: 1}) {
			t.Errorf("the receipt has %v", r.Derived)
		}
		writeFile(t, b, []drawnVersion{menu(), other})
	}
}
