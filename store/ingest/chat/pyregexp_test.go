package chat

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"lens/store"
)

// TestTranslatePython: what Python's expression matches, its translation matches; nothing else that is listed.
func TestTranslatePython(t *testing.T) {
	for name, c := range map[string]struct {
		python  string
		want    string
		yes, no string // each character alone
	}{
		"words":               {`\w`, `[\p{L}\p{N}_]`, "aé5_字", " -."},
		"no words":            {`\W`, `[^\p{L}\p{N}_]`, " -.", "aé5_字"},
		"digits":              {`\d`, `\p{Nd}`, "5٣", "a²"},
		"no digits":           {`\D`, `\P{Nd}`, "a²", "5٣"},
		"white space":         {`\s`, `[\s\v\x{85}\p{Z}]`, " \t\n\u00a0\u2003\u0085\v", "a_"},
		"no white space":      {`\S`, `[^\s\v\x{85}\p{Z}]`, "a_", " \t\n\u00a0\u2003\u0085\v"},
		"the end":             {`x\Z`, `x\z`, "x", "y"},
		"in brackets":         {`[\w-]`, `[\p{L}\p{N}_-]`, "é-", " ."},
		"not in brackets":     {`[^\s,]`, `[^\s\v\x{85}\p{Z},]`, "aé", " ,\u00a0"},
		"a bracket first":     {`[]\d]`, `[]\p{Nd}]`, "]5", "a["},
		"a bracket after ^":   {`[^]\d]`, `[^]\p{Nd}]`, "a", "]5"},
		"a bracket by itself": {`\[\w\]`, `\[[\p{L}\p{N}_]\]`, "", "a["},
		"after brackets":      {`[a]|\w`, `[a]|[\p{L}\p{N}_]`, "aé", "."},
		"a number":            {`\u00e9`, `\x{00e9}`, "é", "e"},
		"a long number":       {`\U0001F600`, `\x{0001F600}`, "😀", "e"},
		"a number cut off":    {`\u00`, `\u00`, "", ""},
		"a lone backslash":    {`a\`, `a\`, "", ""},
		"an escape":           {`\.\\`, `\.\\`, "", "."},
	} {
		t.Run(name, func(t *testing.T) {
			got := translatePython(c.python)
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			re, err := regexp.Compile("^(?:" + got + ")$")
			if err != nil {
				if c.yes+c.no != "" {
					t.Error(err)
				}
				return
			}
			for _, r := range c.yes {
				if !re.MatchString(string(r)) {
					t.Errorf("%s does not match %q", got, r)
				}
			}
			for _, r := range c.no {
				if re.MatchString(string(r)) {
					t.Errorf("%s matches %q", got, r)
				}
			}
		})
	}
}

func TestLiteralOf(t *testing.T) {
	for pattern, want := range map[string]string{
		"a b": "a b", `a\.b\(c\)`: "a.b(c)", `a\nb\t`: "a\nb\t", `\-`: "-", "é": "é",
		"": "", "a.b": "", "a|b": "", "^a": "", "a$": "", `\d`: "", `\1`: "", "a*": "", `a\`: "",
	} {
		if got, ok := literalOf(pattern); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %t; want %q", pattern, got, ok, want)
		}
	}
}

// TestPyRegexp_Expand: groups are replaced as Match.expand of Python does it; "": it names what there is not.
func TestPyRegexp_Expand(t *testing.T) {
	const text = "ab-12"
	re := pyRegexp{Regexp: regexp.MustCompile(`(?P<letters>[a-z]+)-(\d+)(x)?`)}
	match := re.FindStringSubmatchIndex(text)
	for replacement, want := range map[string]string{
		`\2-\1`: "12-ab", `\g<letters>`: "ab", `\g<2>0`: "120", `\g<0>!`: "ab-12!", `[\3]`: "[]", `$1 \\1`: `$1 \1`,
		`a\nb\t\a\b\f\r\v`: "a\nb\t\a\b\f\r\v", `\.`: `\.`, `\`: `\`,
		`\4`: "", `\12`: "", `\g<9>`: "", `\g<none>`: "", `\g<letters`: "", `\g<-1>`: "",
	} {
		got, ok := re.expand([]byte("> "), replacement, text, match)
		if ok != (want != "") || ok && string(got) != "> "+want {
			t.Errorf("%s gives %q, %t; want %q", replacement, got, ok, want)
		}
	}
}

// TestEdits_Substitute tries an expression without flags, then with m, then with s, and says what it cannot do.
func TestEdits_Substitute(t *testing.T) {
	for name, c := range map[string]struct {
		text, pattern, replacement string
		all                        bool
		want                       string
	}{
		"without flags, where that matches":  {"a\nb", "^a$|a", "x", true, "x\nb"},
		"lines":                              {"a\nb\nc", "^b$", "x", false, "a\nx\nc"},
		"all lines":                          {"a\na", "^a$", "x", true, "x\nx"},
		"across lines":                       {"a\nb", "a.b", "x", false, "x"},
		"both flags, which no call asks for": {"c\na\nb\nc", "^a.b$", "x", false, "c\na\nb\nc\n\n" + Unapplied + "\nx"},
		"looking around":                     {"ab", "(?=a)", "x", false, "ab\n\n" + Unapplied + "\nx"},
		"a reference back":                   {"aa", `(a)\1`, "x", false, "aa\n\n" + Unapplied + "\nx"},
		"a result that is no text":           {"é", "é", "\xff", false, "é\n\n" + Unapplied + "\n\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			conversation := &store.Conversation{Messages: []store.Message{{ID: numbered(1), OnPath: true}}}
			e := NewEdits(conversation)
			e.At(&conversation.Messages[0])
			d := e.Document(store.Canvas, "x")
			e.Write(d, c.text)
			e.Substitute(d, c.pattern, c.replacement, c.all)
			if got := e.Derived()[0].Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzTranslatePython: a translation of valid UTF-8 is valid, and no longer than its classes make it.
func FuzzTranslatePython(f *testing.F) {
	for _, seed := range []string{`[^]\w]+\Z`, `\u00e9\U0001F600`, `\U0000000é`, `[\`, `\`, `[[\]]`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		got := translatePython(pattern)
		if utf8.ValidString(pattern) != utf8.ValidString(got) || len(got) > 16*len(pattern) {
			t.Errorf("%q became %q", pattern, got)
		}
		if !strings.Contains(pattern, `\`) && got != pattern {
			t.Errorf("%q became %q", pattern, got)
		}
	})
}
