package shard

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"lens/store/terms"
)

// someRef returns a valid Ref.
func someRef(name string) Ref {
	sum := strings.Repeat("0123456789abcdef", 4)
	return Ref{Key: name + "-" + sum[:nameDigits], Size: 100, SHA256: sum}
}

func someManifest() *Manifest {
	return &Manifest{
		Format: Format, Generation: 3, Model: Model{Provider: "local", ID: "use-lite", Dims: 512, Recipe: 1}, Terms: terms.Version, Records: 7, Length: 70,
		Statistics: someRef("statistics"),
		Shards:     []Part{{Ref: someRef("shard"), Content: "c", Records: 7, Vectors: 6, First: 5, Last: 9, Facts: Facts{"entity": {"comic", "story"}, "id": nil}}},
	}
}

func TestManifest_RoundTrip(t *testing.T) {
	m := someManifest()
	text, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseManifest(text)
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// A reader that knows no prefixes would embed queries without theirs, so the format tells it not to.
func TestManifest_Prefixes(t *testing.T) {
	m := someManifest()
	m.Model.QueryPrefix, m.Model.DocumentPrefix = "query: ", "passage:\n"
	for format, want := range map[int]error{Format: ErrDamaged, formatPrefixes: nil, formatPrefixes + 1: ErrNewer} {
		m.Format = format
		text, err := m.Encode()
		must(t, err)
		got, err := ParseManifest(text)
		if !errors.Is(err, want) || err == nil && !reflect.DeepEqual(got, m) {
			t.Errorf("format %d: got %+v, %v", format, got, err)
		}
	}
}

func TestParseManifest_Invalid(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(m *Manifest)
		want   error
	}{
		"newer format":              {func(m *Manifest) { m.Format++ }, ErrNewer},
		"no format":                 {func(m *Manifest) { m.Format = 0 }, ErrDamaged},
		"newer terms":               {func(m *Manifest) { m.Terms++ }, ErrNewer},
		"older terms":               {func(m *Manifest) { m.Terms-- }, ErrOlder},
		"no generation":             {func(m *Manifest) { m.Generation = 0 }, ErrDamaged},
		"no model":                  {func(m *Manifest) { m.Model.ID = "" }, ErrDamaged},
		"no dimensions":             {func(m *Manifest) { m.Model.Dims = 0 }, ErrDamaged},
		"wrong number of records":   {func(m *Manifest) { m.Records++ }, ErrDamaged},
		"empty shard":               {func(m *Manifest) { m.Shards[0].Records, m.Records = 0, 0 }, ErrDamaged},
		"more vectors than records": {func(m *Manifest) { m.Shards[0].Vectors = 8 }, ErrDamaged},
		"reversed times":            {func(m *Manifest) { m.Shards[0].First = 10 }, ErrDamaged},
		"object in another folder":  {func(m *Manifest) { m.Shards[0].Key = "../" + m.Shards[0].Key }, ErrDamaged},
		"wrong name":                {func(m *Manifest) { m.Shards[0].Key = "shard" }, ErrDamaged},
		"no checksum":               {func(m *Manifest) { m.Statistics.SHA256 = "" }, ErrDamaged},
		"duplicate object":          {func(m *Manifest) { m.Statistics = m.Shards[0].Ref }, ErrDamaged},
		"empty object":              {func(m *Manifest) { m.Statistics.Size = 0 }, ErrDamaged},
		"sorted facts":              {func(m *Manifest) { m.Shards[0].Facts["entity"] = []string{"a", "b"} }, nil},
		"unsorted facts":            {func(m *Manifest) { m.Shards[0].Facts["entity"] = []string{"b", "a"} }, ErrDamaged},
	} {
		m := someManifest()
		c.damage(m)
		text, _ := m.Encode()
		if _, err := ParseManifest(text); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for _, text := range []string{"", "{", "[]", "null", `{"format":1,"unknown":1}`, `{"format":"1"}`, `{"format":2,"unknown":1}`} {
		if _, err := ParseManifest([]byte(text)); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}

func TestModelRoot_Escaping(t *testing.T) {
	got := Model{ID: "nomic/embed:latest ü", Dims: 768}.Root()
	if want := "indexes/model=nomic%2Fembed%3Alatest%20%C3%BC/dims=768/"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzParseManifest(f *testing.F) {
	text, _ := someManifest().Encode()
	f.Add(string(text))
	f.Add(`{"format":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseManifest([]byte(text))
		if (m == nil) != (err != nil) {
			t.Fatalf("%v, %v", m, err)
		}
		if err != nil {
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		same, err := ParseManifest(again)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := mustJSON(t, m), mustJSON(t, same); x != y {
			t.Fatalf("%s became %s", x, y)
		}
	})
}

func mustJSON(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
