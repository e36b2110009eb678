package shardtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/errs"
)

// Fault is one kind of damage to a published index.
type Fault struct {
	Name    string
	Damage  func(t testing.TB, dir string) // dir contains the objects of the bucket as files
	Code    errs.Code                      // of the reader's error
	Message string                         // part of the error message
}

// Faults returns all kinds of damage to the index of an Archive.
func Faults() []Fault {
	const gone, damaged = "a shard of the index is missing", "the published index is damaged"
	const newer, older = "published by a newer Lens", "published by an older Lens"
	const shards, statistics, manifest = "shard-*", "statistics-*", "manifest.json"
	model := func(id string, dims int) map[string]any {
		return map[string]any{"provider": Provider, "id": id, "dims": dims, "recipe": 1}
	}
	truncated := func(b []byte) []byte { return b[:len(b)-1] }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	empty := func([]byte) []byte { return nil }
	longer := func(b []byte) []byte { return append(b, 0) }
	return []Fault{
		{"no index", remove(manifest), errs.NotFound, "no index is published there"},
		{"missing shard", remove(shards), errs.NotFound, gone},
		{"no statistics", remove(statistics), errs.NotFound, gone},
		{"truncated shard", change(shards, truncated), errs.Unavailable, damaged},
		{"half a shard", change(shards, half), errs.Unavailable, damaged},
		{"empty shard", change(shards, empty), errs.Unavailable, damaged},
		{"longer shard", change(shards, longer), errs.Unavailable, damaged},
		{"flipped bit", change(shards, flip(2)), errs.Unavailable, damaged},
		{"flipped first bit", change(shards, flip(1<<40)), errs.Unavailable, damaged},
		{"flipped statistics", change(statistics, flip(2)), errs.Unavailable, damaged},
		{"half a manifest", change(manifest, half), errs.Unavailable, damaged},
		{"empty manifest", change(manifest, empty), errs.Unavailable, damaged},
		{"newer format", setMember("format", 2), errs.Unavailable, newer},
		{"newer terms", setMember("terms", 1000), errs.Unavailable, newer},
		{"older terms", setMember("terms", 0), errs.Unavailable, older},
		{"another model", setMember("model", model("other", Dims)), errs.Unavailable, damaged},
		{"other dimensions", setMember("model", model(Model, 384)), errs.Unavailable, damaged},
	}
}

// remove deletes the objects that match names.
func remove(names string) func(testing.TB, string) {
	return forEachFile(names, os.Remove)
}

// change transforms the objects that match names.
func change(names string, f func([]byte) []byte) func(testing.TB, string) {
	return forEachFile(names, func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, f(text), 0o600)
	})
}

// flip flips a bit at the given fraction of the length: 2 is the middle.
func flip(part int) func([]byte) []byte {
	return func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)/part] ^= 1
		return b
	}
}

// setMember sets a member of the manifest.
func setMember(name string, value any) func(testing.TB, string) {
	return change("manifest.json", func(b []byte) []byte {
		m := map[string]any{}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber() // times exceed the exact range of float64
		if err := d.Decode(&m); err != nil {
			panic(err)
		}
		m[name] = value
		text, err := json.Marshal(m)
		if err != nil {
			panic(err)
		}
		return text
	})
}

// forEachFile applies do to the files that match names, at least one.
func forEachFile(names string, do func(path string) error) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(Root), names))
		must(t, err)
		if len(paths) == 0 {
			t.Fatalf("no %s in %s", names, dir)
		}
		for _, path := range paths {
			must(t, do(path))
		}
	}
}
