package chat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"lens/internal/errs"
)

// hasMapping accepts what begins like a conversation of these tests and has the member mapping.
func hasMapping(json []byte) bool { return bytes.Contains(json, []byte(`"mapping"`)) }

func conversationNamed(title string) string {
	return `{"title": "` + title + `", "mapping":{"a":{"parts":["x, {", {"title":"part of ` + title + `"}]}}}`
}

// withoutSpaces removes the spaces, of which those between the members of an object outside of arrays are not kept.
func withoutSpaces(json string) string { return strings.Join(strings.Fields(json), "") }

func TestSplit_GoesOnBehindDamage(t *testing.T) {
	a, b, c := conversationNamed("a"), conversationNamed("b"), conversationNamed("c")
	long := conversationNamed(strings.Repeat("long", 200_000))
	for name, data := range map[string]struct {
		json    string
		want    []string
		skipped string // of json
	}{
		"a name without quotes":   {`[` + a + `,{title:1,"x":[{"title":"inner"}]},` + b + `,` + c + `]`, []string{a, b, c}, `,{title:1,"x":[{"title":"inner"}]},`},
		"an open string":          {`[` + a + `, {"title":"never closed, "mapping":{}}, ` + b + `]`, []string{a, b}, `, {"title":"never closed, "mapping":{}}, `},
		"an open object":          {`[` + a + `,{"title":"x","mapping":{"a":{},` + b + `]`, []string{a, b}, `,{"title":"x","mapping":{"a":{},`},
		"noise":                   {`[` + a + ",\x00\xff\x00," + b + `]`, []string{a, b}, ",\x00\xff\x00,"},
		"the first one":           {`[{"title":x},` + a + `,` + b + `]`, []string{a, b}, `{"title":x},`},
		"a large one":             {`[` + a + `,` + long[:len(long)-3] + `,` + b + `,` + long + `]`, []string{a, b, long}, `,` + long[:len(long)-3] + `,`},
		"a wrapper":               {`{"conversations":[` + a + `,{"title":x},` + b + `],"more":1}`, []string{a, b}, `,{"title":x},`},
		"before a wrapper's list": {`{"version":1.,"conversations":[` + a + `,` + b + `],"more":1}`, []string{a, b}, `{"version":1.,"conversations":[`},
		"a line":                  {a + "\n{\"title\":x}\n" + b + "\n" + c, []string{a, b, c}, "\n{\"title\":x}\n"},
		"a line without an end":   {a + "\n" + b[:40] + "\n" + b + "\r\n" + c, []string{a, b, c}, "\n" + b[:40] + "\n"},
		"the first line":          {"{x\n" + a + "\n" + b, []string{a, b}, "{x\n"},
		"a line that is no JSON":  {a + "\nnone\n" + b, []string{a, b}, "\nnone\n"},
		"lines, twice":            {a + "\n{x\n" + b + "\n{y\n" + c, []string{a, b, c}, "\n{x\n\n{y\n"},
		"twice":                   {`[` + a + `,{"title":x},` + b + `,{"title":y},` + c + `]`, []string{a, b, c}, `,{"title":x},,{"title":y},`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(data.json), iotest.HalfReader(strings.NewReader(data.json))} {
				var got []string
				err := splitChats(r, 4<<20, hasMapping, func(v []byte) bool { got = append(got, string(v)); return true })
				var damage *damageError
				if !errors.As(err, &damage) || damage.bytes != int64(len(data.skipped)) {
					t.Fatalf("got %v, want %d bytes", err, len(data.skipped))
				}
				if first := data.json[damage.offset:]; !strings.HasPrefix(first, data.skipped[:3]) {
					t.Errorf("damage is at %q", first[:10])
				}
				if withoutSpaces(strings.Join(got, "\n")) != withoutSpaces(strings.Join(data.want, "\n")) {
					t.Errorf("got %d conversations: %.300q", len(got), got)
				}
			}
		})
	}
}

// The lists behind a damaged one are read, and where they are not, the error says so.
func TestSplit_ListsBehindDamage(t *testing.T) {
	a, b := conversationNamed("a"), conversationNamed("b")
	const project = `{"name":"p"}`
	for name, c := range map[string]struct {
		json    string
		want    []string
		skipped int64
		message string // its end
	}{
		"in a list":     {`{"list":[` + a + `,{x},` + b + `],"more":1,"other":[` + project + `]}`, []string{a, b, project}, 5, "the rest was read"},
		"in both lists": {`{"list":[` + a + `,{x},` + b + `],"other":[` + a + `,[},` + b + `]}`, []string{a, b, a, b}, 9, "the rest was read"},
		"in a file behind": {
			`{"list":[` + a + `,{x},` + b + `],"other":[]}` + "\n[" + project + "]", []string{a, b, project}, 5, "the rest was read",
		},
		"before the lists": {
			`{"version":1.,"list":[` + a + `],"other":[` + project + `]}`, []string{a}, 22, "not all of the rest was read",
		},
		"before the end": {`{"version":1.,"list":[` + a + `]}`, []string{a}, 22, "the rest was read"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			err := split(strings.NewReader(c.json), 4<<20, wrapperOf([]string{"list", "other"}), hasMapping, func(v []byte) bool {
				got = append(got, string(v))
				return true
			})
			var damage *damageError
			if !errors.As(err, &damage) || damage.bytes != c.skipped || !strings.HasSuffix(err.Error(), c.message) {
				t.Errorf("got %v, want %d bytes", err, c.skipped)
			}
			if withoutSpaces(strings.Join(got, "\n")) != withoutSpaces(strings.Join(c.want, "\n")) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestSplit_NothingBehindDamage(t *testing.T) {
	a := conversationNamed("a")
	for name, json := range map[string]string{
		"cut off":    `[` + a + `,` + a[:40],
		"no more":    `[` + a + `,{x},{"title":"no chat"}]`,
		"only parts": `[` + a + `,{x},{"mapping":{"x":[` + `{"title":"part","mapping2":1}` + `]}]`,
	} {
		n := 0
		err := splitChats(strings.NewReader(json), 1<<20, hasMapping, func([]byte) bool { n++; return true })
		var damage *damageError
		if err == nil || errors.As(err, &damage) || n != 1 {
			t.Errorf("%s: %d conversations, %v", name, n, err)
		}
	}
}

// What ends the reading behind damage is said, too.
func TestSplit_SaysWhatWasSkipped(t *testing.T) {
	a, b := conversationNamed("a"), conversationNamed("b")
	begin := `[` + a + `,{x},` + b + `,`
	skipped := fmt.Sprintf("invalid JSON after byte %d; 5 bytes were skipped", len(a)+1)
	for name, data := range map[string]struct {
		file io.Reader
		code errs.Code
		want string
	}{
		"the rest is read": {strings.NewReader(begin + a + `]`), errs.Invalid, skipped + ", and the rest was read"},
		"cut off":          {strings.NewReader(begin + a[:40]), errs.Invalid, skipped + "; then: the file is incomplete, its JSON ends early"},
		"damaged at the end": {
			strings.NewReader(begin + `{"title":y}]`), errs.Invalid, skipped + fmt.Sprintf("; then: invalid JSON after byte %d", len(begin)+9),
		},
		"too large": {
			strings.NewReader(begin + conversationNamed(strings.Repeat("x", 2<<20)) + `]`), errs.TooLarge,
			skipped + "; then: a conversation is larger than 256 MiB",
		},
		"unreadable": {
			io.MultiReader(strings.NewReader(begin+a), iotest.ErrReader(errors.New("disk"))), errs.Unavailable, skipped + "; then: reading failed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := readError("test: read", splitChats(data.file, 1<<20, hasMapping, func([]byte) bool { return true }))
			if got := errs.First(err); got.Message != data.want || got.Code != data.code || got.Hint == "" {
				t.Errorf("got %v: %s", got.Code, got.Message)
			}
		})
	}
}

// A hostile file of beginnings takes no more than a bounded number of attempts.
func TestSplit_ManyFalseBeginnings(t *testing.T) {
	json := `[{x},` + strings.Repeat(`{"title":[`, 1<<16)
	if err := splitChats(strings.NewReader(json), 1<<16, hasMapping, func([]byte) bool { return true }); err == nil {
		t.Error("no error")
	}
}

// FuzzSplit_Damage checks that conversations before and behind damage are found, each once and whole. Damage with quotes
// or brackets may hide the one behind it, or be a conversation itself.
func FuzzSplit_Damage(f *testing.F) {
	for _, s := range []string{"", ",{x}", `,{"title":"a`, ",]", `,{"title":[{"mapping":1}]`, "\x00,,"} {
		f.Add([]byte(s))
	}
	a, b := withoutSpaces(conversationNamed("a")), withoutSpaces(conversationNamed("b"))
	f.Fuzz(func(t *testing.T, damage []byte) {
		var got []string
		json := fmt.Sprintf("[%s%s,%s]", a, damage, b)
		if len(damage)%2 == 1 {
			json = fmt.Sprintf("%s\n%s\n%s", a, damage, b)
		}
		_ = splitChats(strings.NewReader(json), 1<<20, hasMapping, func(v []byte) bool { got = append(got, string(v)); return true })
		if len(got) == 0 || got[0] != a {
			t.Fatalf("%q: got %q", json, got)
		}
		times := map[string]int{}
		for _, v := range got {
			times[v]++
		}
		if !bytes.ContainsAny(damage, "\"[]{}") && (times[a] != 1 || times[b] != 1) {
			t.Fatalf("%q: got %q, want both once", json, got)
		}
		for _, v := range got {
			if !strings.Contains(withoutSpaces(json), withoutSpaces(v)) {
				t.Fatalf("%q: %q is not in it", json, v)
			}
		}
	})
}

// What follows a conversation behind damage does not have to be in memory, however many spaces come first.
func TestSplit_SpacesBehindDamage(t *testing.T) {
	a, b, c := conversationNamed("a"), conversationNamed("b"), conversationNamed("c")
	file := strings.NewReader(a + "\n{x\n" + b + strings.Repeat(" ", 3<<20) + "\n" + c)
	var read []int // at each conversation
	size := file.Len()
	err := splitChats(file, 4<<20, hasMapping, func([]byte) bool { read = append(read, size-file.Len()); return true })
	var damage *damageError
	if !errors.As(err, &damage) || damage.end != nil || len(read) != 3 {
		t.Fatalf("%d conversations, %v", len(read), err)
	}
	if read[1] > 1<<20 {
		t.Errorf("%d bytes were read for the second conversation", read[1])
	}
}

// depthReader notes how deep the deepest read is.
type depthReader struct {
	io.Reader
	frames int
}

func (d *depthReader) Read(p []byte) (int, error) {
	d.frames = max(d.frames, runtime.Callers(0, make([]uintptr, 1000)))
	return d.Reader.Read(p[:min(len(p), 1<<10)])
}

// However often a file is damaged, a read passes through as many readers as at the first damage: otherwise the time
// would grow with the square of the damages.
func TestSplit_ReadsOfManyDamages(t *testing.T) {
	const damages = 300
	whole := `{"title":"` + strings.Repeat("x", 2000) + `"},`
	in := &depthReader{Reader: strings.NewReader("[" + strings.Repeat(whole+`{"title":"cut", oops},`, damages) + `{"title":"last"}]`)}
	accepts := func(json []byte) bool { return !bytes.Contains(json, []byte("oops")) }
	found := 0
	err := split(in, MaxConversation, wrapperOf(nil), accepts, func([]byte) bool { found++; return true })
	if damage := new(damageError); !errors.As(err, &damage) || found != damages+1 {
		t.Errorf("%d found, %v", found, err)
	}
	if in.frames > 50 {
		t.Errorf("the deepest read is %d calls deep", in.frames)
	}
}
