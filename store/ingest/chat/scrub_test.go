package chat

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text stays":                {"naïve 🦆", "naïve 🦆"},
		"NUL":                             {"a\x00b", "a\uFFFDb"},
		"invalid UTF-8":                   {"a\xffb", "a\uFFFDb"},
		"a surrogate encoded as if UTF-8": {"a\xed\xa0\x80b", "a\uFFFDb"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTidy_KeepsIndentation(t *testing.T) {
	if got := Tidy("\n\n  if x:\n    y \n\n"); got != "  if x:\n    y" {
		t.Errorf("got %q", got)
	}
}

func TestScrubJSON(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"nothing to scrub":                       {`"a\n\u00e9\ud83e\udd86\\"`, ``},
		"an escaped NUL":                         {`"a\u0000b"`, `"a\ufffdb"`},
		"a backslash before u0000":               {`"a\\u0000b"`, ``},
		"three backslashes":                      {`"a\\\u0000b"`, `"a\\\ufffdb"`},
		"a high surrogate alone":                 {`"\ud83e!"`, `"\ufffd!"`},
		"a low surrogate alone":                  {`"\uDD86"`, `"\ufffd"`},
		"two high surrogates, then a low one":    {`"\ud83e\ud83e\udd86"`, `"\ufffd\ud83e\udd86"`},
		"a high surrogate before another escape": {`"\ud83e\n"`, `"\ufffd\n"`},
		"several in one value":                   {`{"\u0000":["\u0000","\udc00"]}`, `{"\ufffd":["\ufffd","\ufffd"]}`},
		"invalid UTF-8":                          {"\"a\xffb\"", "\"a\uFFFDb\""},
	} {
		t.Run(name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.in
			}
			got, scrubbed := ScrubJSON([]byte(c.in))
			if string(got) != want || scrubbed != (c.want != "") {
				t.Errorf("got %s (scrubbed: %t), want %s", got, scrubbed, want)
			}
		})
	}
}

// An escape is found wherever it is, and however many bytes come behind it.
func TestScrubJSON_Anywhere(t *testing.T) {
	for before := range 40 {
		for after := range 20 {
			around := func(escape string) string {
				backslashes := strings.Repeat("\\", before%2*2)
				return `"` + backslashes + strings.Repeat("u", before) + escape + strings.Repeat("0", after) + `"`
			}
			for escape, want := range map[string]string{`\u0000`: `\ufffd`, `\u2019`: `\u2019`, `\uDFFF`: `\ufffd`} {
				got, scrubbed := ScrubJSON([]byte(around(escape)))
				if string(got) != around(want) || scrubbed != (escape != want) {
					t.Fatalf("%s became %s", around(escape), got)
				}
			}
		}
	}
}

func FuzzScrubJSON(f *testing.F) {
	for _, s := range []string{`"\u0000"`, `"\\u0000"`, `{"a":"\ud800\udc00\ud800"}`, "\"\xff\"", `"\uD83E\u0000"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if !json.Valid(raw) {
			t.Skip()
		}
		got, scrubbed := ScrubJSON(raw)
		if !utf8.Valid(got) || !json.Valid(got) || (!scrubbed && string(got) != string(raw)) {
			t.Fatalf("%q returned %q", raw, got)
		}
		if again, more := ScrubJSON(got); more || string(again) != string(got) {
			t.Fatalf("%q was scrubbed to %q, and again to %q", raw, got, again)
		}
		var before, after any
		_ = json.Unmarshal(raw, &before)
		_ = json.Unmarshal(got, &after)
		text, same := before.(string)
		if same && utf8.Valid(raw) && strings.ReplaceAll(text, "\x00", replacement) != after {
			t.Fatalf("%q means %q, scrubbed %q", raw, text, after)
		}
	})
}
