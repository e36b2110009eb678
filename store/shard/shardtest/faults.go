package shardtest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lens/store"
)

// Fault is one of the things that can be wrong with a published index.
type Fault struct {
	Name    string
	Damage  func(t testing.TB, dir string) // dir has the objects of the bucket as files
	Code    store.Code                     // of the error that whoever reads the index gets
	Message string                         // part of its message
}

// Faults returns what can be wrong with the index of an Archive.
func Faults() []Fault {
	const gone, damaged = "a shard of the index is missing", "the published index is damaged"
	return []Fault{
		{"no index", remove("manifest.json"), store.CodeNotFound, "no index is published there"},
		{"a missing shard", remove("shard-*"), store.CodeNotFound, gone},
		{"no statistics", remove("statistics-*"), store.CodeNotFound, gone},
		{"a truncated shard", change("shard-*", func(b []byte) []byte { return b[:len(b)-1] }), store.CodeUnavailable, damaged},
		{"half a shard", change("shard-*", func(b []byte) []byte { return b[:len(b)/2] }), store.CodeUnavailable, damaged},
		{"an empty shard", change("shard-*", func([]byte) []byte { return nil }), store.CodeUnavailable, damaged},
		{"a longer shard", change("shard-*", func(b []byte) []byte { return append(b, 0) }), store.CodeUnavailable, damaged},
		{"a flipped bit", change("shard-*", flip(2)), store.CodeUnavailable, damaged},
		{"a flipped first bit", change("shard-*", flip(1<<40)), store.CodeUnavailable, damaged},
		{"flipped statistics", change("statistics-*", flip(2)), store.CodeUnavailable, damaged},
		{"half a manifest", change("manifest.json", func(b []byte) []byte { return b[:len(b)/2] }), store.CodeUnavailable, damaged},
		{"an empty manifest", change("manifest.json", func([]byte) []byte { return nil }), store.CodeUnavailable, damaged},
		{"a manifest of a later Lens", setMember("format", 2), store.CodeUnavailable, "published by a newer Lens"},
		{"a manifest of later words", setMember("terms", 1000), store.CodeUnavailable, "published by a newer Lens"},
		{"a manifest of earlier words", setMember("terms", 0), store.CodeUnavailable, "published by an older Lens"},
		{"another model's manifest", setMember("model", map[string]any{"provider": Provider, "id": "other", "dims": Dims, "recipe": 1}), store.CodeUnavailable, damaged},
		{"a manifest of other dims", setMember("model", map[string]any{"provider": Provider, "id": Model, "dims": 384, "recipe": 1}), store.CodeUnavailable, damaged},
	}
}

// remove deletes the objects of some names.
func remove(names string) func(testing.TB, string) {
	return forEachFile(names, os.Remove)
}

// change replaces the objects of some names by what f makes of them.
func change(names string, f func([]byte) []byte) func(testing.TB, string) {
	return forEachFile(names, func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, f(text), 0o600)
	})
}

// flip changes a bit of what stands at one part of so many of the length.
func flip(part int) func([]byte) []byte {
	return func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)/part] ^= 1
		return b
	}
}

// member gives a member of the manifest another value.
func setMember(name string, value any) func(testing.TB, string) {
	return change("manifest.json", func(b []byte) []byte {
		m := map[string]any{}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber() // times are longer than a float64 is exact
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

// each does something with the files of some names, of which there must be one.
func forEachFile(names string, do func(path string) error) func(testing.TB, string) {
	return func(t testing.TB, dir string) {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(Root), names))
		must(t, err)
		if len(paths) == 0 {
			t.Fatalf("there is no %s in %s", names, dir)
		}
		for _, path := range paths {
			must(t, do(path))
		}
	}
}
