package chat

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/go-json-experiment/json/jsontext"
)

func TestValueEnd(t *testing.T) {
	deep := strings.Repeat("[", maxScanDepth) + strings.Repeat("]", maxScanDepth)
	for json, want := range map[string]int{
		`{"a": [1, {"b":null}], "c":true} `: 32, `{}`: 2, `[ ]`: 3, `"\"]}\\"`: 8, `"é\ud800\u00E9"`: 16, "\"\xff\"": 3,
		`false`: 5, `-0.5e+10,`: 8, `0]`: 1, `01`: 1, deep: len(deep),

		``: incomplete, `{`: incomplete, `{"a`: incomplete, `{"a"`: incomplete, `{"a":`: incomplete, `[1`: incomplete,
		`[1,`: incomplete, `"a\`: incomplete, `"\u00e`: incomplete, `tru`: incomplete, `12`: incomplete, `-`: incomplete,
		`1.`: incomplete, `1e+`: incomplete,

		`}`: doubtful, `{a:1}`: doubtful, `{"a";1}`: doubtful, `{"a":1,}`: doubtful, `[1,]`: doubtful, `[1}`: doubtful,
		`[1 2]`: doubtful, "\"a\nb\"": doubtful, "\"0123\x1f56789\"": doubtful, `"\x"`: doubtful, `"\u00g0"`: doubtful,
		`nul]`: doubtful, `-]`: doubtful, `1.]`: doubtful, `1e+]`: doubtful, `.5,`: doubtful, "[" + deep + "]": doubtful,
	} {
		if got := valueEnd([]byte(json), 0, 0); got != want {
			t.Errorf("%.20s: got %d, want %d", json, got, want)
		}
	}
}

// damagedElements are seeds: elements of arrays, most of them malformed somewhere.
var damagedElements = []string{
	`{"a":"]"},[1,[2]],"\"",null`, `1,2 ,-0.5e+10, true`, ``, ` `, `,`, `1,`, `1 23`, `{"a":1}{`, `{"a" 1}`, `{"a":1,}`,
	`[1}`, `[01]`, `"\x"`, `"\u00g0"`, `"\ud800"`, "\"\xff\xc3\"", "\"0123\x1f56789abcdef\"", "\"0123\x7f56789abcdef\"",
	`tru`, `nulll`, `-`, `1.e5`, `.5`, `+1`, "\v1", "{\"a\"\f:1}", `"a`, `{"a":1`,
	strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
}

// FuzzElementScanner checks that it reads what a lenient decoder reads, up to an element that is malformed or deep, and
// leaves the rest.
func FuzzElementScanner(f *testing.F) {
	for _, s := range damagedElements {
		f.Add([]byte(s), uint8(8), uint16(1<<12))
	}
	f.Add([]byte(`"`+strings.Repeat("a", 60)+`"`+strings.Repeat(`,"b"`, 50)), uint8(8), uint16(62)) // read ahead beyond it
	f.Fuzz(func(t *testing.T, data []byte, window uint8, limit uint16) {
		data = append(bytes.Clone(data), ']')
		dec := jsontext.NewDecoder(io.MultiReader(strings.NewReader("["), bytes.NewReader(data)), lenient...)
		if _, err := dec.ReadToken(); err != nil {
			t.Fatal(err)
		}
		in := &limitedReader{r: iotest.HalfReader(bytes.NewReader(data)), limit: int(limit)}
		e := elementScanner{src: in, in: in, data: make([]byte, 0, window)}
		for got, ok := e.next(); ok; got, ok = e.next() {
			want, err := dec.ReadValue()
			if err != nil || !bytes.Equal(got, want) || e.passed+1 != dec.InputOffset() {
				t.Fatalf("%q: got %q up to %d, want %q and %v", data, got, e.passed, want, err)
			}
		}
		if errors.Is(e.err, errTooLarge) {
			if value, err := dec.ReadValue(); err == nil && dec.InputOffset()-1-e.passed <= int64(limit) {
				t.Fatalf("%q: %q is too large", data, value)
			}
			return
		}
		in.limit = len(data) // of an element, not of the rest
		rest := &unreader{src: in}
		rest.unread(e.data[e.at:], e.err)
		if rest, err := io.ReadAll(rest); err != nil || !bytes.Equal(rest, data[e.passed:]) {
			t.Fatalf("%q: left %q and %v behind %d", data, rest, err, e.passed)
		}
		if dec.PeekKind() == ']' {
			return
		}
		value, err := dec.ReadValue()
		if deep := bytes.Count(value, []byte("["))+bytes.Count(value, []byte("{")) > maxScanDepth; err == nil && !deep {
			t.Fatalf("%q: %q was not read", data, value)
		}
	})
}

// FuzzSplit_Errors checks that split emits what a decoder reads of an array, and says the same of what is wrong with it.
func FuzzSplit_Errors(f *testing.F) {
	for _, s := range damagedElements {
		f.Add([]byte(s))
		f.Add([]byte(s + `]`))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, begin := range []string{`[`, `{"title":1, "conversations" : [`} {
			json := append([]byte(begin), data...)
			want, wantErr := byDecoder(json)
			var got [][]byte
			err := splitChats(bytes.NewReader(json), 1<<20, nil, func(v []byte) bool { got = append(got, v); return true })
			if wantErr == nil {
				got = got[:min(len(got), len(want))] // behind the array
			} else if !sameSyntaxError(err, wantErr) {
				t.Fatalf("%q: got %v, want %v", json, err, wantErr)
			}
			if !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)) || len(got) != len(want) {
				t.Fatalf("%q: got %q, want %q", json, got, want)
			}
		}
	})
}

// byDecoder reads the elements of the first array in json.
func byDecoder(json []byte) (elements [][]byte, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(json), lenient...)
	for kind := jsontext.Kind(0); kind != '['; {
		token, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		kind = token.Kind()
	}
	for dec.PeekKind() != ']' {
		value, err := dec.ReadValue()
		if err != nil {
			return elements, err
		}
		elements = append(elements, bytes.Clone(value))
	}
	_, err = dec.ReadToken()
	return elements, err
}

func sameSyntaxError(a, b error) bool {
	var x, y *jsontext.SyntacticError
	return errors.As(a, &x) && errors.As(b, &y) && x.ByteOffset == y.ByteOffset && x.Err.Error() == y.Err.Error()
}

// Every length, and every place of the pair, beside bytes that differ from it in one bit.
func TestIndexPair(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		s := make([]byte, random.IntN(50))
		for i := range s {
			s[i] = "cibkKa\x00\xe3\x80"[random.IntN(9)]
		}
		want := bytes.Index(s, []byte("ci"))
		if got := indexPair(s, 'c', 'i'); got != want {
			t.Fatalf("%q has it at %d, want %d", s, got, want)
		}
		if got := indexPair(string(s), 'c', 'i'); got != want {
			t.Fatalf("the text %q has it at %d, want %d", s, got, want)
		}
	}
}
