package ingest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
)

func TestReceipt_FieldNames(t *testing.T) {
	raw, err := json.Marshal(importChats(t, newArchive(t), []chat{heron()}))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"conversations", "duration_ms", "files", "forgotten", "messages", "missing_shards", "older_messages", "paths", "skipped", "truncated",
		"turns", "unchanged_files", "unknown_content_types",
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("names %q", names)
	}
	for name, want := range map[string]string{
		"conversations": `{"new":1,"updated":0,"unchanged":0}`, "messages": `{"new":4,"updated":0,"unchanged":0}`,
		"turns":   `{"total":2,"new":2,"embeddable":2,"off_path":0,"undated":0}`,
		"skipped": `{"no message":1}`, "unknown_content_types": `{}`, "missing_shards": `[]`, "truncated": `0`,
	} {
		if string(got[name]) != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
	var files []map[string]any
	if err := json.Unmarshal(got["files"], &files); err != nil {
		t.Fatal(err)
	}
	delete(files[0], "path")
	if fmt.Sprint(files) != "[map[conversations:1 format:chatgpt messages:4 skipped:map[no message:1] turns:2]]" {
		t.Errorf("files: %v", files)
	}
}

func TestReceipt_CheckFindsErrors(t *testing.T) {
	for name, spoil := range map[string]func(*ingest.Receipt){
		"a message too many":          func(r *ingest.Receipt) { r.Messages.New++ },
		"a message of a file lost":    func(r *ingest.Receipt) { r.Files[0].Messages-- },
		"a node skipped twice":        func(r *ingest.Receipt) { r.Files[0].Skipped["no message"]++ },
		"a conversation lost":         func(r *ingest.Receipt) { r.Files[0].Conversations-- },
		"a reason forgotten":          func(r *ingest.Receipt) { delete(r.Skipped, "no message") },
		"more new turns than turns":   func(r *ingest.Receipt) { r.Turns.New = r.Turns.Total + 1 },
		"a turn too few":              func(r *ingest.Receipt) { r.Turns.Total-- },
		"a conversation out of sight": func(r *ingest.Receipt) { r.Conversations.Unchanged++ },
	} {
		r := importChats(t, newArchive(t), []chat{heron()})
		spoil(r)
		if r.Check() == nil {
			t.Errorf("%s: Check found no error", name)
		}
	}
}

// node draws a node of a mapping, valid or not.
func node(t *rapid.T, ids []string) map[string]any {
	n := map[string]any{}
	if rapid.Bool().Draw(t, "has parent") {
		n["parent"] = rapid.SampledFrom(ids).Draw(t, "parent")
	}
	if rapid.Bool().Draw(t, "has children") {
		n["children"] = rapid.SliceOfN(rapid.SampledFrom(ids), 0, 3).Draw(t, "children")
	}
	n["message"] = rapid.SampledFrom([]any{
		nil, 7,
		map[string]any{},
		map[string]any{"id": rapid.SampledFrom(ids).Draw(t, "id"), "author": map[string]any{"role": "user"}, "content": map[string]any{"parts": []string{"Hello there"}}},
		map[string]any{"author": map[string]any{"role": "assistant"}, "create_time": 1.7e9, "content": map[string]any{"content_type": "text", "parts": []string{"Hi"}}},
		map[string]any{"author": map[string]any{"role": "oracle"}, "content": map[string]any{"content_type": "hologram"}},
	}).Draw(t, "message")
	return n
}

func entry(t *rapid.T) any {
	if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
		return rapid.SampledFrom([]any{nil, 3, map[string]any{}, map[string]any{"id": "x"}, map[string]any{"mapping": 1}}).Draw(t, "no conversation")
	}
	ids := []string{"a", "b", "c", "d", "e"}
	mapping := map[string]any{}
	for _, id := range rapid.SliceOfDistinct(rapid.SampledFrom(ids), rapid.ID[string]).Draw(t, "nodes") {
		mapping[id] = node(t, ids)
	}
	return map[string]any{
		"id": rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "conversation"), "mapping": mapping,
		"update_time": rapid.SampledFrom([]any{nil, 1.7e9, 1.8e9}).Draw(t, "updated"),
	}
}

// For any content of the files, every node and every entry is in exactly one count.
func TestReceipt_AlwaysAddsUp(t *testing.T) {
	st := newArchive(t)
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(entry), 1, 8).Draw(t, "entries")
		raw, err := json.Marshal(entries)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "conversations.json")
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		limit := rapid.SampledFrom([]int{1, 1000, 0}).Draw(t, "batch")
		r, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{BatchBytes: limit})
		if err != nil && errs.CodeOf(err) != errs.NotFound { // entries without a conversation are not an export
			t.Fatal(err)
		}
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		if read := r.Files; err == nil && (len(read) != 1 || r.Conversations.New+r.Conversations.Updated+r.Conversations.Unchanged > len(entries)) {
			t.Fatalf("%+v", r)
		}
	})
}

// storedCounts returns what an archive holds, without what derives from chats.
func storedCounts(t *testing.T, st store.Store) (conversations, messages, turns int) {
	t.Helper()
	catalog := mustHave(st.Catalog(t.Context()))
	for row := range catalog.Conversation {
		turns += boolToInt(!catalog.Sources[catalog.SourceOf[catalog.Conversation[row]]].Derived())
	}
	ids := mustHave(st.ConversationIDs(t.Context(), ""))
	for _, c := range mustHave(st.Conversations(t.Context(), ids)) {
		if !c.Source.Derived() {
			conversations++
			messages += len(mustHave(st.Messages(t.Context(), c.ID)))
		}
	}
	return conversations, messages, turns
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// countsTooMuch imports files into an empty archive, and again, and says where a total is more than what is stored.
func countsTooMuch(t *testing.T, files []string) (wrong string) {
	t.Helper()
	st := newArchive(t)
	defer st.Close()
	read := func(opts ingest.Options) *ingest.Receipt {
		r, err := ingest.Import(t.Context(), st, files, opts)
		if err != nil && errs.CodeOf(err) != errs.NotFound { // a version may have no turn
			t.Fatal(err)
		}
		return r
	}
	dry, first := read(ingest.Options{DryRun: true}), read(ingest.Options{})
	conversations, messages, turns := storedCounts(t, st)
	again := read(ingest.Options{})
	total := func(c ingest.Changes) int { return c.New + c.Updated + c.Unchanged }
	for _, r := range []*ingest.Receipt{dry, first, again} {
		err := r.Check()
		c, m := total(r.Conversations), total(r.Messages)
		if err != nil || c != conversations || m > messages || r.Turns.Total > turns || r.Turns.New != 0 && r.Turns.New != r.Turns.Total {
			wrong += fmt.Sprintf("the receipt has %d conversations, %d messages and %+v; stored are %d, %d and %d: %v\n",
				c, m, r.Turns, conversations, messages, turns, err)
		}
	}
	return wrong
}

// TestReceipt_CountsStoredSessions has sessions that repeat others, and files of the same session.
func TestReceipt_CountsStoredSessions(t *testing.T) {
	fewChecks(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := sessionDrawer{versionDrawer: versionDrawer{T: rt}}
		all := d.draw()
		var files []string
		for i := range all {
			files = append(files, all[i].write(t))
		}
		if wrong := countsTooMuch(t, files); wrong != "" {
			rt.Fatalf("%s%+v", wrong, all)
		}
	})
}

// TestReceipt_CountsStoredVersions has versions of chats in several files.
func TestReceipt_CountsStoredVersions(t *testing.T) {
	fewChecks(t)
	rapid.Check(t, func(rt *rapid.T) {
		d := versionDrawer{T: rt}
		var files []string
		for _, v := range d.versions(false) {
			files = append(files, writeExport(t, []drawnVersion{v}))
		}
		if wrong := countsTooMuch(t, files); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// TestReceipt_CountsOnce imports a fork of a session, the same chat from two files, and instructions, which count as documents.
func TestReceipt_CountsOnce(t *testing.T) {
	session := drawnSession{ID: "s", Records: []drawnRecord{
		{"1", "", "user", "Why?", 1}, {"2", "1", "assistant", "So.", 2},
	}}
	fork := drawnSession{ID: "fork", Records: append(session.Records[:2:2],
		drawnRecord{"3", "2", "user", "How?", 3}, drawnRecord{"4", "3", "assistant", "Thus.", 4})}
	for name, c := range map[string]struct {
		files                          []string
		conversations, messages, turns int
		derived                        map[store.Kind]int
	}{
		"a fork":       {[]string{session.write(t), fork.write(t)}, 2, 4, 2, nil},
		"twice":        {[]string{writeExport(t, []chat{heron()}), writeExport(t, []chat{heron()})}, 1, 4, 2, nil},
		"instructions": {[]string{instructed(t, 2, 2024, "In verse."), instructed(t, 2, 2025, "In verse.")}, 4, 8, 4, map[store.Kind]int{store.Instructions: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			for i := range 3 {
				r := mustHave(ingest.Import(t.Context(), st, c.files, ingest.Options{DryRun: i == 0}))
				if err := r.Check(); err != nil {
					t.Error(err)
				}
				got := [3]int{
					r.Conversations.New + r.Conversations.Unchanged, r.Messages.New + r.Messages.Unchanged, r.Turns.Total,
				}
				if want := [3]int{c.conversations, c.messages, c.turns}; got != want || !maps.Equal(r.Derived, c.derived) {
					t.Errorf("import %d: got %v and %v, want %v and %v", i, got, r.Derived, want, c.derived)
				}
				if turns := r.Paths[0].Turns + r.Paths[1].Turns; turns != c.turns {
					t.Errorf("import %d: the paths have %d turns", i, turns)
				}
			}
		})
	}
}

// TestReceipt_UnchangedDocuments counts the chunks of documents that are not read again.
func TestReceipt_UnchangedDocuments(t *testing.T) {
	st, dir := newArchive(t), folderOf(t, notes())
	first := importingFolder(t, st, dir, ingest.Options{})
	again := importingFolder(t, st, dir, ingest.Options{})
	first.Turns.New = 0
	if again.Turns != first.Turns || again.Files[0].Turns != first.Files[0].Turns || again.Paths[0].Turns != first.Paths[0].Turns {
		t.Errorf("got %+v, %+v; at first %+v", again.Turns, again.Files[0], first.Turns)
	}
}
