package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func bytesReader(b []byte) io.Reader { return bytes.NewReader(b) }

// echo decodes a conversation whose title is its JSON.
func echo(raw []byte) (*Parsed, *Skip) {
	if string(raw) == `{"bad":1}` {
		return nil, &Skip{Reason: "bad"}
	}
	return &Parsed{Conversation: store.Conversation{Title: string(raw)}}, nil
}

// collect returns the titles of the conversations that Stream yields, and its last error.
func collect(r io.Reader) (got []string, last error) {
	for p, err := range Stream("test: read", r, echo) {
		var skip *Skip
		switch {
		case errors.As(err, &skip):
			got = append(got, fmt.Sprintf("skip %d %s", skip.Index, skip.Reason))
		case err != nil:
			last = err
		default:
			got = append(got, p.Title)
		}
	}
	return got, last
}

func TestStream_FileShapes(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"an array":                          {`[{"a":1}, {"b":"]}"}]`, `{"a":1};{"b":"]}"}`},
		"an empty array":                    {` [ ] `, ``},
		"a wrapper":                         {`{"version":2,"conversations":[{"a":1},{"b":2}],"more":{}}`, `{"a":1};{"b":2}`},
		"a single conversation":             {`{"id": "x", "mapping": {"n": []}}`, `{"id":"x","mapping":{"n": []}}`},
		"an empty object":                   {`{}`, `{}`},
		"a member of that name, not a list": {`{"conversations":3}`, `{"conversations":3}`},
		"one conversation per line":         {"{\"a\":1}\n{\"b\":2}\n", `{"a":1};{"b":2}`},
		"two arrays joined with cat":        {`[{"a":1}][{"b":2}]`, `{"a":1};{"b":2}`},
		"a byte order mark":                 {"\xEF\xBB\xBF[{\"a\":1}]", `{"a":1}`},
		"null, numbers and lists between":   {`[null,{"a":1},3,[{}],{"bad":1},{"b":2}]`, `skip 0 null;{"a":1};skip 2 not an object;skip 3 not an object;skip 4 bad;{"b":2}`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
				got, err := collect(r)
				if strings.Join(got, ";") != c.want || err != nil {
					t.Errorf("got %v and %v, want %s", got, err, c.want)
				}
			}
		})
	}
}

func TestStream_KeepsOrder(t *testing.T) {
	const n = 5000
	var file bytes.Buffer
	for i := range n {
		fmt.Fprintf(&file, `{"n":%d,"pad":%q}`+"\n", i, strings.Repeat("x", i%700))
	}
	got, err := collect(&file)
	if len(got) != n || err != nil {
		t.Fatalf("%d conversations and %v", len(got), err)
	}
	for i, title := range got {
		if !strings.HasPrefix(title, fmt.Sprintf(`{"n":%d,`, i)) {
			t.Fatalf("number %d is %.20s", i, title)
		}
	}
}

func TestStream_Errors(t *testing.T) {
	deep := strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)
	disk := errors.New("disk on fire")
	for name, c := range map[string]struct {
		in      io.Reader
		before  int // conversations that still came
		code    errs.Code
		message string
	}{
		"an empty file":                        {strings.NewReader(""), 0, errs.Invalid, "the file is empty"},
		"blanks":                               {strings.NewReader(" \n"), 0, errs.Invalid, "the file is empty"},
		"not JSON":                             {strings.NewReader("Dear diary"), 0, errs.Invalid, "not a JSON file"},
		"HTML":                                 {strings.NewReader("<html>"), 0, errs.Invalid, "not a JSON file"},
		"a lone string":                        {strings.NewReader(`"hello"`), 0, errs.Invalid, "neither a conversation nor a list"},
		"incomplete between two conversations": {strings.NewReader(`[{"a":1},`), 1, errs.Invalid, "incomplete"},
		"incomplete inside a conversation":     {strings.NewReader(`[{"a":1},{"b":"xy`), 1, errs.Invalid, "incomplete"},
		"damaged":                              {strings.NewReader(`[{"a":1},{"b":secret}]`), 1, errs.Invalid, "invalid JSON after byte"},
		"text after the end":                   {strings.NewReader(`[{"a":1}] secret`), 1, errs.Invalid, "invalid JSON after byte"},
		"nested too deep":                      {strings.NewReader(`[{"a":1},` + deep + `]`), 1, errs.Invalid, "10,000 levels"},
		"nested too deep in one":               {strings.NewReader(`[{"a":` + deep + `}]`), 0, errs.Invalid, "10,000 levels"},
		"a read error":                         {io.MultiReader(strings.NewReader(`[{"a":1},`), iotest.ErrReader(disk)), 1, errs.Unavailable, "reading failed"},
		"a read error that is an early end":    {io.MultiReader(strings.NewReader(`[{"a":1},`), iotest.ErrReader(&errs.Error{Code: errs.Invalid, Message: "cut off", Hint: "again", Err: io.ErrUnexpectedEOF})), 1, errs.Invalid, "cut off"},
		"a read error with a message":          {io.MultiReader(strings.NewReader(`[`), iotest.ErrReader(&errs.Error{Code: errs.Blocked, Message: "my own words"})), 0, errs.Blocked, "my own words"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := collect(c.in)
			if len(got) != c.before || errs.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.message) {
				t.Errorf("got %d conversations and %v (%s)", len(got), err, errs.CodeOf(err))
			}
			var known *errs.Error
			if !errors.As(err, &known) || (known.Hint == "" && known.Code != errs.Blocked) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v has no hint, or quotes the file", err)
			}
		})
	}
	if _, err := collect(iotest.ErrReader(disk)); !errors.Is(err, disk) {
		t.Errorf("%v does not wrap its cause", err)
	}
}

func TestStream_EndlessConversation(t *testing.T) {
	for _, begin := range []string{`[{"a":"`, `{"a":"`} {
		err := splitChats(io.MultiReader(strings.NewReader(begin), endlessReader{}), 1<<20, nil, func([]byte) bool { return true })
		if err = readError("test: read", err); errs.CodeOf(err) != errs.TooLarge {
			t.Errorf("%s…: got %v", begin, err)
		}
	}
	long := "[" + strings.Repeat(`{"a":"`+strings.Repeat("x", 700<<10)+`"},`, 5) + "{}]"
	n := 0
	if err := splitChats(strings.NewReader(long), 1<<20, nil, func([]byte) bool { n++; return true }); err != nil || n != 6 {
		t.Errorf("many that end: %d, %v", n, err)
	}
}

// endlessReader reads the same letter forever.
type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// manyOf repeats a conversation forever and counts the bytes read.
type manyOf struct {
	b    []byte
	read int
}

func (m *manyOf) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], m.b[(m.read+n)%len(m.b):])
	}
	m.read += n
	return n, nil
}

func TestStream_ConsumerStops(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, after := range []int{1, 2, 100} {
		file := &manyOf{b: []byte(`{"a":"` + strings.Repeat("x", 1000) + "\"}\n")}
		n := 0
		for range Stream("test: read", file, echo) {
			if n++; n == after {
				break
			}
		}
		if n != after || file.read > 64*batchSize {
			t.Errorf("%d conversations taken, %d bytes read", n, file.read)
		}
	}
}

// meteredReader counts the bytes read, for another goroutine.
type meteredReader struct {
	io.Reader
	read atomic.Int64
}

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.read.Add(int64(n))
	return n, err
}

func TestStream_ReadsAheadByBytes(t *testing.T) {
	for _, size := range []int{inFlight + 1<<20, inFlight/2 - 1<<20} {
		one := `{"a":"` + strings.Repeat("x", size) + "\"}\n"
		file := &meteredReader{Reader: strings.NewReader(strings.Repeat(one, 10))}
		n, ahead := 0, 0
		for range Stream("test: read", file, func([]byte) (*Parsed, *Skip) { return new(Parsed), nil }) {
			time.Sleep(50 * time.Millisecond) // for the cutter to run as far ahead as it may
			ahead = max(ahead, int(file.read.Load())-n*len(one))
			n++
		}
		// In addition to inFlight: one conversation that waits for room, and the decoder's buffer.
		if allowed := max(inFlight, len(one)) + 2*len(one); n != 10 || ahead > allowed {
			t.Errorf("conversations of %d bytes: %d came, up to %d bytes were read ahead, want %d", size, n, ahead, allowed)
		}
	}
}

// slowReader is a slow reader that knows whether a Read is in progress.
type slowReader struct {
	r       io.Reader
	reading atomic.Bool
}

func (s *slowReader) Read(p []byte) (int, error) {
	s.reading.Store(true)
	defer s.reading.Store(false)
	time.Sleep(5 * time.Millisecond)
	return s.r.Read(p)
}

func TestStream_NoReadAfterReturn(t *testing.T) {
	file := &slowReader{r: &manyOf{b: []byte(`{"a":"` + strings.Repeat("x", 1000) + "\"}\n")}}
	for range Stream("test: read", file, echo) {
		break
	}
	if file.reading.Load() {
		t.Error("the file is still being read, and may be closed now")
	}
}

func TestStream_ConsumerPanics(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer func() {
		if recover() == nil {
			t.Error("the consumer's panic was swallowed")
		}
	}()
	for range Stream("test: read", strings.NewReader(`[{},{}]`), echo) {
		panic("the consumer's")
	}
}

// FuzzSplit checks that split finds the same values in a JSON array as encoding/json.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{`[{"a":"]"},[1,[2]],"\"",null]`, `[]`, `[1,]`, `[{}`, `{"conversations":[{}]}`, `[[[]]]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got [][]byte
		err := splitChats(bytes.NewReader(data), 1<<20, nil, func(v []byte) bool {
			if !jsontext.Value(v).IsValid(lenient...) {
				t.Fatalf("%q is not a value", v)
			}
			got = append(got, v)
			return true
		})
		var want []json.RawMessage
		if json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: got %q and %v, want %q", data, got, err, want)
		}
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("%q: value %d is %q, want %q", data, i, got[i], want[i])
			}
		}
	})
}

// TestSplit_ReadsAhead: what is read ahead is not of the conversation that the limit is for.
func TestSplit_ReadsAhead(t *testing.T) {
	const limit, more = 1 << 20, 50_000
	for size := limit / 2; size < limit-100; size += 20_021 {
		json := `[` + strings.Repeat(`"before",`, 10_000) + `{"x":"` + strings.Repeat("x", size) + `"}` +
			strings.Repeat(`,{"y":1}`, more) + `]`
		n := 0
		err := splitChats(smallReader{strings.NewReader(json)}, limit, nil, func([]byte) bool { n++; return true })
		if err != nil || n != 10_001+more {
			t.Fatalf("one of %d bytes: %d conversations, %v", size, n, err)
		}
	}
}

// smallReader gives little at a time, as decompression does.
type smallReader struct{ r io.Reader }

func (s smallReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), 1000)]) }

// splitChats is split for files whose wrapper has the array "conversations" alone.
func splitChats(r io.Reader, limit int, accepts, emit func([]byte) bool) error {
	return split(r, limit, wrapperOf(conversations), accepts, emit)
}
