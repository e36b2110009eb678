package cleantext_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"lens/internal/cleantext"
)

func TestText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain text stays":                {"Grüße, 世界\n\tüber Tabs", "Grüße, 世界\n\tüber Tabs"},
		"OSC 52 writes no clipboard":      {"a\x1b]52;c;aGk=\x07b", "a␛]52;c;aGk=␇b"},
		"an unterminated OSC ends":        {"\x1b]0;title and the rest", "␛]0;title and the rest"},
		"OSC 8 links nowhere":             {"\x1b]8;;file:///etc\x1b\\x", "␛]8;;file:///etc␛\\x"},
		"DCS and CSI 6n ask nothing":      {"\x1bPq\x1b\\\x1b[6n", "␛Pq␛\\␛[6n"},
		"C1 is shown by its number":       {"\u009b2J\u0085\u0090", `\u009b2J\u0085\u0090`},
		"raw C1 bytes are not UTF-8":      {"\x9b2J", "\uFFFD2J"},
		"NUL, BEL, BS, DEL have pictures": {"\x00\a\b\x7f", "␀␇␈␡"},
		"carriage returns overwrite none": {"safe\rEVIL\r\nnext", "safe␍EVIL\nnext"},
		"overrides turn nothing around":   {"\u202egnp.exe\u202c", `\u202egnp.exe\u202c`},
		"isolates and marks likewise":     {"\u2066\u2069\u200e\u200f\u061c", `\u2066\u2069\u200e\u200f\u061c`},
		"tags are seen":                   {"hi\U000e0041\U000e007f", `hi\U000e0041\U000e007f`},
		"annotations hide nothing":        {"\ufff9a\ufffab\ufffb", `\ufff9a\ufffab\ufffb`},
		"separators are line ends":        {"a\u2028b\u2029c", "a\nb\nc"},
		"broken bytes are replaced":       {"a\xff\xfeb\xe4\xb8", "a\uFFFD\uFFFDb\uFFFD\uFFFD"},
		"lone surrogates are replaced":    {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
		"a written U+FFFD stays":          {"a\uFFFDb", "a\uFFFDb"},
		"emoji and joiners stay":          {"👩\u200d🚀 क्ष", "👩\u200d🚀 क्ष"},
		"nothing stays nothing":           {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := cleantext.Text(c.in); got != c.want {
				t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"newlines and tabs fold":          {"one\n\n\ttwo\r\nthree", "one two three"},
		"the ends are trimmed":            {"  a  ", "a"},
		"one line stays":                  {"just one line", "just one line"},
		"a space at the end goes":         {"a ", "a"},
		"wide spaces fold":                {"a\u3000\u00a0b", "a b"},
		"escapes are shown, not folded":   {"a\x1b[2Jb", "a␛[2Jb"},
		"separators that hide fold too":   {"a\u2028b", "a b"},
		"only white space leaves nothing": {" \n\t ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := cleantext.Line(c.in); got != c.want {
				t.Errorf("Line(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "a\x1b]52;c;aGk=\x07b", "\x1b]0;unterminated", "\u009b31m", "\r\r\n\n", "\u202eabc", "\U000e0041", "\xff\xfe\xed\xa0\x80",
		"👩\u200d🚀✍\ufe0f👍🏽🇩🇪🇩", "क्षതമിழ்ﾊﾟกำ", "a\t世\tb\n\t", "\u200d\u200d", "\x1b\x1b[", "e" + strings.Repeat("\u0301", 40),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, line := cleantext.Text(s), cleantext.Line(s)
		mustBeSafe(t, "Text", text, "\n\t")
		mustBeSafe(t, "Line", line, "")
		if again := cleantext.Text(text); again != text {
			t.Errorf("Text is not idempotent: %q then %q", text, again)
		}
		if again := cleantext.Line(line); again != line {
			t.Errorf("Line is not idempotent: %q then %q", line, again)
		}
		columns := cleantext.Columns(text)
		mustBeSafe(t, "Columns", columns, "\n")
		mustBeEven(t, text, columns)
	})
}

// mustBeSafe checks the rules by ranges, independently of the implementation.
func mustBeSafe(t *testing.T, what, s, allowed string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("%s returned invalid UTF-8: %q", what, s)
	}
	for _, r := range s {
		control := r < 0x20 || r >= 0x7f && r < 0xa0
		bidi := r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		tag := r >= 0xe0000 && r <= 0xe007f
		if (control || bidi || tag) && !strings.ContainsRune(allowed, r) {
			t.Fatalf("%s lets %U through: %q", what, r, s)
		}
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("A line of prose, mostly ASCII, as in – most – chats.\n", 200)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		cleantext.Text(text)
	}
}
