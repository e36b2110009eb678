package documents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// parsed parses a document that must be readable, and checks the result.
func parsed(t testing.TB, name string, data []byte) *chat.Parsed {
	t.Helper()
	p, skip := Parse(&File{Path: "/notes/" + name, Modified: time.Unix(1.7e9, 0), Data: data})
	if skip != nil {
		t.Fatalf("%s: %v", name, skip)
	}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	return p
}

// outline returns the chunks of a document, one per line: pages, heading, text.
func outline(t testing.TB, name string, data []byte) string {
	t.Helper()
	var all []string
	for _, turn := range parsed(t, name, data).Turns {
		line := fmt.Sprintf("%s | %q", turn.UserText, turn.AssistantText)
		if p := turn.Chunk.Pages; p.First > 0 {
			line = fmt.Sprintf("%d-%d %s", p.First, p.Last, line)
		}
		all = append(all, line)
	}
	return strings.Join(all, "\n")
}

// long returns text of about that many tokens, in sentences of ten.
func long(name string, tokens int) string {
	var b strings.Builder
	for i := range tokens / 10 {
		fmt.Fprintf(&b, "Of %s and %06d we say a thing or so. ", name, i)
	}
	return strings.TrimSpace(b.String())
}

func TestParse_Formats(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.md", "---\ntitle: \"Ponds\"\n---\nBefore.\n\n# One\n\nText with `code`.\n\nTwo\n---\n\n```go\n# no heading\n```\n", `a.md | "Before.\n\nOne\n\nText with ` + "`code`" + `.\n\nOne › Two\n\n` + "```go\\n# no heading\\n```" + `"`},
		{"a.txt", "One line\nand another.\n\n\nA paragraph.", `a.txt | "One line\nand another.\n\nA paragraph."`},
		{"latin.txt", "caf\xe9", `latin.txt | "café"`},
		{"wide.txt", "\xff\xfeh\x00i\x00", `wide.txt | "hi"`},
		{"dos.txt", "\xef\xbb\xbfa\r\nb", `dos.txt | "a\nb"`},
		{"a.org", "#+TITLE: Ponds\n* One\nText.\n** Two\n#+BEGIN_SRC go\n* no headline\n#+END_SRC\n", `a.org › One | "Text.\n\nTwo\n\n#+BEGIN_SRC go\n* no headline\n#+END_SRC"`},
		{"a.go", "package a\n\nfunc f() {\n\treturn\n}\n", `a.go | "package a\n\nfunc f() {\n\treturn\n}"`},
		{
			"a.html", "<html><head><title>Ponds &amp; herons</title><style>p{}</style></head><body><h1>One <b>bold</b></h1><p>Some <i>text</i>,\n more.<br>Line" +
				"<script>no()</script><ul><li>a</li><li>b</li></ul><pre>x\n  y</pre><table><tr><td>1</td><td>2</td></tr></table>",
			`a.html › One bold | "Some text, more.\nLine\n\na\n\nb\n\nx\n  y\n\n1 2"`,
		},
		{"Makefile", "all:\n\techo", `Makefile | "all:\n\techo"`},
	} {
		if got := outline(t, c.name, []byte(c.data)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	for name, want := range map[string]string{"a.md": "Ponds", "b.md": "b.md", "c.md": "Head"} {
		data := map[string]string{"a.md": "---\ntitle: Ponds\n---\ntext", "b.md": "text", "c.md": "# Head\n\ntext"}[name]
		if got := parsed(t, name, []byte(data)).Title; got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
}

func TestParse_ChunkSizeAndOverlap(t *testing.T) {
	turns := parsed(t, "a.md", []byte("# One\n\n"+long("ponds", 1000)+"\n\n# Two\n\n"+long("herons", 450))).Turns
	var sizes []int
	for i, turn := range turns {
		sizes = append(sizes, tokens(turn.AssistantText))
		if !strings.HasPrefix(turn.AssistantText, "Of ") || !strings.HasSuffix(turn.AssistantText, "so.") {
			t.Errorf("chunk %d begins or ends inside a sentence: %q", i, turn.AssistantText)
		}
		if i == 0 || turns[i-1].UserText != turn.UserText {
			continue
		}
		first, _, _ := strings.Cut(turn.AssistantText, ". ")
		if !strings.Contains(turns[i-1].AssistantText, first) {
			t.Errorf("chunk %d does not begin with the end of the one before", i)
		}
	}
	if len(turns) != 6 || slices.Max(sizes) > maxTokens+minTokens/2 {
		t.Errorf("chunks of %v tokens", sizes)
	}
	if turns[0].UserText != "a.md › One" || turns[5].UserText != "a.md › Two" {
		t.Errorf("headings %q and %q", turns[0].UserText, turns[5].UserText)
	}
}

func TestParse_ShortSections(t *testing.T) {
	got := outline(t, "a.md", []byte("# Top\n\n## A\n\nFirst.\n\n## B\n\nSecond.\n\n# Other\n\n"+long("it", 150)+"\n\n# Last\n\nEnd."))
	if want := `a.md | "Top › A\n\nFirst.\n\nTop › B\n\nSecond.\n\nOther\n\n`; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	if want := "\na.md › Last | \"End.\""; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

func TestParse_TextWithoutSentences(t *testing.T) {
	for name, data := range map[string]string{"a.txt": strings.Repeat("x", 50_000), "b.txt": strings.Repeat("猫", 20_000), "c.js": strings.Repeat("var x = 1; ", 9000)} {
		p := parsed(t, name, []byte(data))
		whole := ""
		for i, turn := range p.Turns {
			if n := tokens(turn.AssistantText); n > maxTokens+minTokens/2 {
				t.Errorf("%s: chunk %d has %d tokens", name, i, n)
			}
			whole += turn.AssistantText
		}
		if n := len(strings.ReplaceAll(data, " ", "")); len(strings.ReplaceAll(whole, " ", "")) < n {
			t.Errorf("%s: the chunks have less than %d letters", name, n)
		}
	}
}

func TestParse_UnchangedChunkKeepsID(t *testing.T) {
	ids := func(data string) (all []string) {
		for _, turn := range parsed(t, "a.md", []byte(data)).Turns {
			all = append(all, turn.ID.String())
		}
		return all
	}
	before := ids("# One\n\n" + long("a", 200) + "\n\n# Two\n\n" + long("b", 200))
	after := ids("# Zero\n\n" + long("z", 200) + "\n\n# One\n\n" + long("a", 200) + "\n\n# Two\n\n" + long("b", 201))
	if len(before) != 2 || len(after) != 3 || after[1] != before[0] || after[2] != before[1] {
		t.Errorf("before %v, after %v", before, after)
	}
	if twice := ids("Same.\n\n# A\n\nSame."); len(twice) != 1 {
		t.Errorf("got %v", twice)
	}
}

func TestFile_Content(t *testing.T) {
	f := File{Path: "/a.md", Tag: "t", Data: []byte("x"), Modified: time.Unix(1, 0)}
	same := f
	same.Modified = time.Unix(2, 0)
	if f.Content() != same.Content() {
		t.Error("a touched file is another one")
	}
	for _, other := range []File{{Path: "/b.md", Tag: "t", Data: []byte("x")}, {Path: "/a.md", Tag: "u", Data: []byte("x")}, {Path: "/a.md", Tag: "t", Data: []byte("y")}} {
		if f.Content() == other.Content() {
			t.Errorf("%+v is the same", other)
		}
	}
}

func TestParse_Reasons(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"a.jpg", "", "of a kind that Lens does not read"},
		{"a.txt", "a\x00b", "not text, whatever its name says"},
		{"a.html", "a\x00b", "not text, whatever its name says"},
		{"a.md", " \n", "without text"},
		{"a.docx", "PK\x03\x04", "damaged docx"},
		{"a.docx", "\xD0\xCF\x11\xE0 ole", "encrypted, or of an old Word"},
		{"a.pdf", "%PDF-1.4\n", "damaged PDF"},
	} {
		p, skip := Parse(&File{Path: "/" + c.name, Data: []byte(c.data)})
		if p != nil || skip == nil || skip.Reason != c.want {
			t.Errorf("%s: got %v, want %q", c.name, skip, c.want)
		}
	}
	if _, skip := Parse(&File{Path: "/a.txt", Data: make([]byte, MaxSize+1)}); skip == nil || skip.Reason != "larger than 64 MiB" {
		t.Errorf("got %v", skip)
	}
}

// fuzzed parses any data as a file of this name: it returns a document or a reason.
func fuzzed(f *testing.F, name string) {
	f.Fuzz(func(t *testing.T, data []byte) {
		p, skip := Parse(&File{Path: "/" + name, Data: data})
		if (p == nil) == (skip == nil) || skip != nil && skip.Reason == "" {
			t.Fatalf("got %v and %v", p, skip)
		}
		if p == nil {
			return
		}
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		for _, turn := range p.Turns {
			if turn.Source != store.Documents || turn.AssistantText == "" {
				t.Fatalf("turn %+v", turn)
			}
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	f.Add([]byte("---\ntitle: x\n---\n# A\n\ntext\n\nB\n===\n> # quoted\n\n```\n# c\n"))
	f.Add([]byte("#\n##\n  # \xff\n- # a\n\n===\n"))
	fuzzed(f, "a.md")
}

func FuzzOrg(f *testing.F) {
	f.Add([]byte("#+TITLE:\n*** A\n#+begin_src\n* b\n#+END\n** C\nx"))
	f.Add([]byte("a word" + strings.Repeat("\v", 1300)))
	fuzzed(f, "a.org")
}

func FuzzText(f *testing.F) {
	f.Add([]byte("\xff\xfeh\x00\x00\xd8"))
	f.Add([]byte("A sentence. Another one!\r\n\r\nMr. X said 猫。"))
	fuzzed(f, "a.txt")
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte("<title>x</title><h1>a<p>b</h1><pre><pre>c</pre>d<script>e</scrip"))
	f.Add([]byte("<h2><h3></h2><td>a<svg><p>b</svg>&#0;&notit;"))
	fuzzed(f, "a.html")
}
