package source

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
)

func sampleOf(t testing.TB, name, text string) *Sample {
	t.Helper()
	s, err := NewSample(name, int64(len(text)), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewSample_Records(t *testing.T) {
	many := `[` + strings.Repeat(`{"id":1},`, 1000) + `{"late":1}]`
	for name, c := range map[string]struct {
		file, text string
		want       string // the members of each record
		damaged    bool
	}{
		"an array":                    {"a.json", `[{"a":1,"b":2},{"c":{}}]`, "[a b] [c]", false},
		"a wrapper":                   {"a.json", `{"x":0,"conversations":[{"a":1}]}`, "[a]", false},
		"an object":                   {"a.json", "{\n\"a\": 1\n}\n", "[a]", false},
		"a byte order mark":           {"a.json", "\xEF\xBB\xBF{\"a\":1}", "[a]", false},
		"lines":                       {"a", "{\"a\":1}\n\n{\"b\":1}\n", "[a] [b]", false},
		"lines, the first is damaged": {"a.jsonl", "{\"a\n{\"b\":1}\n42\n", "[] [b]", false},
		"one line":                    {"a.jsonl", `{"a":1}`, "[a]", false},
		"a cut object":                {"a.json", `[{"a":1,"b":"x`, "[a b]", true},
		"malformed":                   {"a.json", `{"a":}`, "[a]", true},
		"many":                        {"a.json", many, strings.TrimSpace(strings.Repeat("[id] ", maxElements)), false},
		"deep":                        {"a.json", strings.Repeat("[", 100_000), "", true},
		"text":                        {"a.json", "Dear diary", "", false},
		"nothing":                     {"a.json", "", "", false},
		"elements that are no object": {"a.json", `[null,3,"x",{"a":1}]`, "[] [] [] [a]", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := sampleOf(t, c.file, c.text)
			var got []string
			for _, v := range s.Records() {
				if v.IsArray() {
					continue
				}
				got = append(got, fmt.Sprint(v.names))
			}
			if strings.Join(got, " ") != c.want || s.Damaged != c.damaged {
				t.Errorf("got %s, damaged: %t", strings.Join(got, " "), s.Damaged)
			}
		})
	}
}

func TestNewSample_Values(t *testing.T) {
	long := strings.Repeat("x", 2*maxText)
	v := sampleOf(t, "a.json", `{"a":{"b":[1,"`+long+`",null]},"c":true}`).Records()[0]
	list := v.Get("a", "b")
	switch {
	case !list.IsArray() || len(list.Elements()) != 3 || !v.Get("a").IsObject():
		t.Errorf("got %v", list)
	case !list.Elements()[0].IsNumber() || list.Elements()[0].Text() != "1":
		t.Errorf("got %v", list.Elements()[0])
	case !list.Elements()[1].IsString() || list.Elements()[1].Text() != long[:maxText]:
		t.Error("a string is not cut")
	case !v.Has("a", "c") || v.Has("a", "d"):
		t.Error("Has does not find members")
	case v.Get("a", "x", "y").IsObject() || v.Get("c").Any(func(Value) bool { return true }):
		t.Error("found what is not there")
	}
}

func TestNewSample_ReadsNoMoreThanItNeeds(t *testing.T) {
	record := `{"title":"` + strings.Repeat("x", 1<<20) + `"},`
	counted := &counter{Reader: strings.NewReader("[" + strings.Repeat(record, 100))}
	if _, err := NewSample("a.json", 100<<20, counted); err != nil || counted.n > maxSampled {
		t.Errorf("%d bytes were read: %v", counted.n, err)
	}
}

type counter struct {
	*strings.Reader
	n int
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

func TestNewSample_ReadError(t *testing.T) {
	broken := errors.New("the disk is broken")
	if _, err := NewSample("a.json", 10, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func FuzzNewSample(f *testing.F) {
	for _, seed := range []string{`[{"a":[1,{"b":null}]}]`, "{\"a\":1}\n{\"b\":\"\\ud800\"}", "<html>", `{"a":{"a":{"a":[[[[[[[[[[[[[1]]]]]]]]]]]]]}}}`} {
		f.Add("a.jsonl", []byte(seed))
		f.Add("a", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s, err := NewSample(name, int64(len(data)), bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range s.Records() {
			if len(v.values) > maxElements || v.IsObject() && len(v.values) > len(v.names) {
				t.Errorf("%d members, %d values", len(v.names), len(v.values))
			}
			v.Get("a", "a").Any(Value.IsArray)
		}
	})
}
