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
