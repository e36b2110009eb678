package agent

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

const (
	firstID     = "3f2ab81c-0000-5000-8000-000000000001"
	secondID    = "9b1dc0de-0000-5000-8000-000000000002"
	thirdID     = "5e0be1f0-0000-5000-8000-000000000005"
	otherID     = "deadbeef-0000-5000-8000-000000000003"
	mentionedID = "cafecafe-0000-4000-8000-000000000004"
)

func twoTurns() []*Turn {
	day := time.Date(2024, 5, 14, 9, 31, 0, 0, time.UTC)
	return []*Turn{
		{ID: firstID, Title: "Starter", Time: &day, User: "Why does my starter smell of acetone?", Assistant: "It is hungry. Feed it twice\na day and keep it warm."},
		{ID: secondID, Title: "Account", User: "My account is " + mentionedID + ".", Assistant: "Noted: the “second” turn says something else entirely."},
	}
}

// threeTurns adds a third turn with other languages and code.
func threeTurns() []*Turn {
	return append(twoTurns(), &Turn{
		ID: thirdID, Title: "More", User: "A long-lived starter? The amount a<b is enough. 元気なスターターを使うといい。", Assistant: "Run it: run `go test \"./...\" first` and wait. 面团需要时间，所以要慢慢发酵。",
	})
}

func TestCitationFilter(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		cited          []int
		removed        []string
	}{
		{"read turn", "Feed it [1].", "Feed it [1].", []int{1}, nil},
		{"unread turn", "Feed it [1][7], says [3].", "Feed it [1], says.", []int{1}, []string{"[7]", "[3]"}},
		{"lists and ranges", "Both [2, 1] and [1-2; 9].", "Both [2][1] and [1][2].", []int{2, 1}, []string{"[9]"}},
		{"lists without spaces", "Both [2,1], [1–2] and [1 and 2].", "Both [2][1], [1][2] and [1][2].", []int{2, 1}, nil},
		{"other brackets", "So 【1】 and 【2†source】 and [^1] and [^2^]、［1］.", "So [1] and [2] and [1] and [2]、[1].", []int{1, 2}, nil},
		{"full-width digits and invisible characters", "So [１] ［２］ [\u200b7] [1,\n2] [１、８]", "So [1] [2] [1][2] [1]", []int{1, 2}, []string{"[7]", "[8]"}},
		{"many at once", "So [" + strings.Repeat("turn 1, ", 20) + "turn 9].", "So " + strings.Repeat("[1]", 20) + ".", []int{1}, []string{"[turn 9]"}},
		{"labels", "So [Turn 1], [Sources: 2, 7] and [cite: 1].", "So [1], [2] and [1].", []int{1, 2}, []string{"[7]"}},
		{"escapes and bold", `So \[1\], [**2**], \[7\] and [_8_].`, "So [1], [2], and.", []int{1, 2}, []string{"[7]", "[8]"}},
		{"formulas and paths", `\[ x^2 \] \(y\) C:\dir \`, `\[ x^2 \] \(y\) C:\dir \`, nil, nil},
		{"no gaps", "So [7], so [1] [8]. So [9] it is [7]\n[8] And [9]", "So, so [1]. So it is\n And", []int{1}, []string{"[7]", "[8]", "[9]", "[7]", "[8]", "[9]"}},
		{"ids become numbers", "See [" + firstID + "] and [turn 9b1dc0de].", "See [1] and [2].", []int{1, 2}, nil},
		{"unread id in brackets", "See [" + otherID + "].", "See.", nil, []string{"[" + otherID + "]"}},
		{"unread id in text", "See " + otherID + ", `" + otherID + "`.", "See (unread), `(unread)`.", nil, []string{otherID, otherID}},
		{"known ids", firstID + " and " + mentionedID, firstID + " and " + mentionedID, nil, nil},
		{"malformed ids", "x" + otherID + " and " + otherID + "0 and deadbeef-0000", "x" + otherID + " and " + otherID + "0 and deadbeef-0000", nil, nil},
		{"years, dates and checkboxes", "[2024] [2024-05-14] [ ] [x] [see] []", "[2024] [2024-05-14] [ ] [x] [see] []", nil, nil},
		{"code", "`a[7]` and\n```go\nb[9]\n```\nbut not [7]", "`a[7]` and\n```go\nb[9]\n```\nbut not", nil, []string{"[7]"}},
		{"stray backtick", "5` wide [7], [8]\n`x", "5` wide,\n`x", nil, []string{"[7]", "[8]"}},
		{"escaped backtick", "\\` [7]\nbut \\\\`[7]`", "\\`\nbut \\\\`[7]`", nil, []string{"[7]"}},
		{"code split by a table", "a ` | [7] ` |", "a ` | ` |", nil, []string{"[7]"}},
		{"HTML", "<img src=x> a<b </p> <!-- <[9]i> < 5, <5 `<b>`", "< img src=x> a< b < /p> < !-- < i> < 5, <5 `<b>`", nil, []string{"[9]"}},
		{"closed code block", "```\n[7]\n  ````  \n[8]", "```\n[7]\n  ````  \n", nil, []string{"[8]"}},
		{"unclosed code block", "```\n[7] ```\n``` x\n``\n[8]", "```\n[7] ```\n``` x\n``\n[8]", nil, nil},
		{"long line", "```" + strings.Repeat("x", 400) + " [7] `", "```" + strings.Repeat("x", 400) + " `", nil, []string{"[7]"}},
		{"too many backticks", "``x" + strings.Repeat("`", 403) + "[7]``", "``x" + strings.Repeat("`", 403) + " ``", nil, []string{"[7]"}},
		{"code in a list", "1. So:\n\n   ```go\n   a[7]\n   ```\n\n2. Not [8].", "1. So:\n\n   ```go\n   a[7]\n   ```\n\n2. Not.", nil, []string{"[8]"}},
		{"code block ends with its list", "- So:\n  ```\n  a[7]\nNot [8].\n```\n[9]", "- So:\n  ```\n  a[7]\nNot.\n```\n", nil, []string{"[8]", "[9]"}},
		{"unclear code is prose", "> ```\n> a[7]\n\n```\n[8]", "> ```\n> a \n\n```\n", nil, []string{"[7]", "[8]"}},
		{"images", "![x](https://evil.example/?k=v) Great![1]", "! [x](https://evil.example/?k=v) Great! [1]", []int{1}, nil},
		{"citation before a link target", "[1](https://evil.example) [1][x]\n[1]: https://evil.example", "[1] (https://evil.example) [1] [x]\n[1] : https://evil.example", []int{1}, nil},
		{"removal does not join its surroundings", "[[7]7] [1[9]2] !【9】[x](y) deadbeef-[9]0000", "[ 7] [1 2] ! [x](y) deadbeef- 0000", nil, []string{"[7]", "[9]", "[9]", "[9]"}},
		{"entities that render as citations", "So &#91;9&#93; &lsqb;9&rbrack; [&#57;] [9&ZeroWidthSpace;] `&#91;`", "So & #91;9& #93; & lsqb;9& rbrack; [& #57;] [9& ZeroWidthSpace;] `&#91;`", nil, nil},
		{"other entities", "a &lt; b &amp; c&nbsp;&mdash; d&eacute; AT&T[1] R&D; &", "a &lt; b &amp; c&nbsp;&mdash; d&eacute; AT&T[1] R&D; &", []int{1}, nil},
		{"removal does not create an entity", "&[9]#91;8&ls[9]qb; &rsqb [9]; &am[9]p;", "& #91;8&ls qb; &rsqb ; &am p;", nil, []string{"[9]", "[9]", "[9]", "[9]"}},
		{"colon", "So [1]: fine", "So [1]: fine", []int{1}, nil},
		{"unclosed bracket", "So [1", "So [1", nil, nil},
		{"other languages", "日本語[1]、テスト 【注】", "日本語[1]、テスト 【注】", []int{1}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, verdict := FilterAnswer(c.in, twoTurns())
			if got != c.want || !slices.Equal(verdict.Cited, c.cited) || !slices.Equal(verdict.Removed, c.removed) {
				t.Errorf("got  %q\nwant %q\nverdict %+v", got, c.want, verdict)
			}
		})
	}
}

func TestCitationFilter_Quotations(t *testing.T) {
	for _, c := range []struct{ name, in, want, quotes string }{
		{"verbatim across lines", `It said "Feed it twice a day and keep it warm." [1]`, `It said "Feed it twice a day and keep it warm." [1]`, "1 true"},
		{"changed", `It said "Feed it three times a day" [1].`, `It said "Feed it three times a day" [1] (not verbatim).`, "1 false"},
		{"another turn", `It said "Feed it twice a day" [2].`, `It said "Feed it twice a day" [2] (not verbatim).`, "2 false"},
		{"several citations", `It said “Feed it twice a day” [2] [1], so.`, `It said “Feed it twice a day” [2] [1], so.`, "1 true"},
		{"cited before", `In [1] it said "Feed it twice a day".` + "\n\nThen", `In [1] it said "Feed it twice a day".` + "\n\nThen", "1 true"},
		{"cited before and after", `In [1]: "Feed it twice a day", and [2] agrees.`, `In [1]: "Feed it twice a day", and [2] agrees.`, "1 true"},
		{"not cited", `Feed it: "Feed it twice a day" is right.`, `Feed it: "Feed it twice a day" is right.`, "1 true"},
		{"not cited and invented", "\"Never feed it again, ever\" is right.\n\nBye [1]", "\"Never feed it again, ever\" is right. (not verbatim)\n\nBye [1]", "0 false"},
		{"ellipsis", `"Feed it … keep it warm" [1]`, `"Feed it … keep it warm" [1]`, "1 true"},
		{"ellipsis in the wrong order", `"keep it warm … Feed it" [1]`, `"keep it warm … Feed it" [1] (not verbatim)`, "1 false"},
		{"without bold marks", `"and **keep it warm** at once" [1], "Feed it twice a day and **keep** it" [1]`, `"and **keep it warm** at once" [1] (not verbatim), "Feed it twice a day and **keep** it" [1]`, "1 false, 1 true"},
		{"other quotation marks", `"the "second" turn says" [2]`, `"the "second" turn says" [2]`, ""},
		{"quoted word", `an "agentic" thing [1]`, `an "agentic" thing [1]`, ""},
		{"block", "> It is hungry. Feed it\n> twice a day\n\nSo [1].", "> It is hungry. Feed it\n> twice a day\n\nSo [1].", "1 true"},
		{"block that differs", "> It is angry. Feed it\n> — you [1]\n\nSo.", "> It is angry. Feed it\n> — you [1] (not verbatim)\n\nSo.", "1 false"},
		{"ellipsis in typographic marks", `“Feed it … keep it warm.” [1]`, `“Feed it … keep it warm.” [1]`, "1 true"},
		{"ellipsis in brackets", `„It is hungry. […] keep it warm“ [1]`, `„It is hungry. […] keep it warm“ [1]`, "1 true"},
		{"assembled from single words", `"It … is … keep … warm" [1]`, `"It … is … keep … warm" [1] (not verbatim)`, "1 false"},
		{"inside a word", `"ungry. Feed it twice a day" [1]`, `"ungry. Feed it twice a day" [1] (not verbatim)`, "1 false"},
		{"with code", "\"run `go test \"./...\" first` and wait\" [3]", "\"run `go test \"./...\" first` and wait\" [3]", "3 true"},
		{"with different code", "\"run `go vet ./...` and wait\" [3]", "\"run `go vet ./...` and wait\" [3] (not verbatim)", "3 false"},
		{"quotation marks in code", "`\"nobody said this, ever\"` [1]", "`\"nobody said this, ever\"` [1]", ""},
		{"with another hyphen", "“A long\u2011lived starter” [3]", "“A long\u2011lived starter” [3]", "3 true"},
		{"Japanese", "「元気なスターターを使う」[3]", "「元気なスターターを使う」[3]", "3 true"},
		{"Japanese that differs", "『元気なスターターを捨てる。』[3]", "『元気なスターターを捨てる。』[3] (not verbatim)", "3 false"},
		{"Chinese with an ellipsis", "“面团需要……慢慢发酵” [3]", "“面团需要……慢慢发酵” [3]", "3 true"},
		{"Polish", `„Feed it three times” [1], „Feed it twice a day” [1].`, `„Feed it three times” [1] (not verbatim), „Feed it twice a day” [1].`, "1 false, 1 true"},
		{"Swedish and German books", `”Feed it three times” [1], »Feed it twice a day« [1].`, `”Feed it three times” [1] (not verbatim), »Feed it twice a day« [1].`, "1 false, 1 true"},
		{"with a comparison", `"Feed it twice a day" [1], "The amount a<b is enough" [3].`, `"Feed it twice a day" [1], "The amount a< b is enough" [3].`, "1 true, 3 true"},
		{"inches", `a 5" pan and a 9" pan of dough rising [1]`, `a 5" pan and a 9" pan of dough rising [1]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, verdict := FilterAnswer(c.in, threeTurns())
			var quotes []string
			for _, q := range verdict.Quotes {
				quotes = append(quotes, fmt.Sprint(q.N, " ", q.Verbatim))
			}
			if got != c.want || strings.Join(quotes, ", ") != c.quotes {
				t.Errorf("got  %q\nwant %q\nquotes %v, want %s", got, c.want, verdict.Quotes, c.quotes)
			}
		})
	}
}

func TestCitationFilter_Streaming(t *testing.T) {
	f := NewCitationFilter(twoTurns())
	for _, c := range []struct{ in, out string }{
		{"So ", "So"},
		{"[", ""},
		{"1", ""},
		{"]", " [1]"},
		{" ", ""},
		{"and", " and"},
		{" [my", " [my"},
		{" dead", " "},
		{" end", "dead end"},
		{" `", " "},
		{"a[7]", ""},
		{"` ", "`a[7]`"},
		{"x`", " x"},
		{" y\n", "` y"},
		{"```", "\n"},
		{"go", ""},
		{"\n", "```go\n"},
		{"z [7]", "z [7]"},
	} {
		if got := f.Write(c.in); got != c.out {
			t.Errorf("after %q: got %q, want %q", c.in, got, c.out)
		}
	}
}

var (
	numberMark = regexp.MustCompile(`\[([0-9]{1,3})\]`)
	fullID     = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)
)

// rendered returns an answer as HTML; raw HTML is omitted.
func rendered(t *testing.T, answer string) string {
	t.Helper()
	var b strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(answer), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	codeTag = regexp.MustCompile(`(?s)<(code|pre)\b.*?</(code|pre)>`)
	anyTag  = regexp.MustCompile(`(?s)<[^>]*>`)
)

// proseOf returns the text of an answer without code, as a browser shows it.
func proseOf(t *testing.T, answer string) string {
	t.Helper()
	return html.UnescapeString(anyTag.ReplaceAllString(codeTag.ReplaceAllString(rendered(t, answer), "\x00"), ""))
}

func FuzzCitationFilter(f *testing.F) {
	for _, seed := range []string{
		"Feed it [1][7] \"Feed it twice a day\" [2].", "> a block of text here\n> — me [1]\n\nSo [" + otherID + "]", "`code [9]` ![x](y) " + otherID,
		"```\n[9]\n", "` [9]\n`", "- a\n  ```\n  b\n[9]\n```\n[9]", "\\[9\\] \\` [9] `", "> ```\n> [9]\n```\n[9]", "a | ` [9] | `\n---|---\n` | [9] `", "``` a ` [9]\n```",
		"~~~\n```\n~~~\n[9]", "    ```\n[9]\n\n1. ```\n[9]", "[Source 9] [**9**] ［9］", "\t```\n\t[9]\n```\n[9]", "[1, 2-4; " + firstID + "]", "【2†source】", "“„«»”\"\n\n\"", "\xff[1]\xc3", "[1](x) [1]: y", otherID[:20],
		"&#91;9&#93; &lsqb;9&rsqb; [&#57;] &lsqb [9];9&rs[9]qb; &[9]#91;9]",
	} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(checkCitationFilter)
}

// pieces are the building blocks of Markdown answers.
var pieces = []string{
	"`", "``", "```", "````", "\n", "\n\n", " ", "  ", "   ", "\t", "- ", "1. ", "> ", "# ", "[9]", "[9]", "[1]", "[", "]", "(x)", "\\", "|", "---|---", "!", "a", "go", "\"", ".", "<", "<b>", "<!--", "</p>", "&", "#91;", "&lsqb", ";", "&#9", "3;",
}

// FuzzCitationFilter_Markdown maps each byte to a piece of Markdown.
func FuzzCitationFilter_Markdown(f *testing.F) {
	f.Add([]byte{10, 24, 4, 7, 2, 4, 7, 24, 4, 14, 4, 2, 4, 15}, uint8(3))
	f.Add([]byte{24, 0, 14, 4, 10, 14, 0, 24}, uint8(0))
	f.Fuzz(func(t *testing.T, choices []byte, chunkSize uint8) {
		var text strings.Builder
		for _, c := range choices {
			text.WriteString(pieces[int(c)%len(pieces)])
		}
		checkCitationFilter(t, text.String(), chunkSize)
	})
}

// checkCitationFilter checks the filter's invariants for one answer.
func checkCitationFilter(t *testing.T, text string, chunkSize uint8) {
	turns := twoTurns()
	atOnce, verdict := FilterAnswer(text, turns)
	f := NewCitationFilter(turns)
	var streamed strings.Builder
	for rest := text; rest != ""; {
		n := min(1+int(chunkSize)%7, len(rest))
		streamed.WriteString(f.Write(rest[:n]))
		rest = rest[n:]
	}
	tail, _ := f.Close()
	streamed.WriteString(tail)
	if streamed.String() != atOnce {
		t.Fatalf("streamed %q, at once %q", streamed.String(), atOnce)
	}
	for _, n := range verdict.Cited {
		if n < 1 || n > len(turns) {
			t.Fatalf("cites %d", n)
		}
	}
	if page := rendered(t, atOnce); strings.Contains(page, "<img") || strings.Contains(page, "raw HTML omitted") {
		t.Fatalf("an image or HTML is left in %q", atOnce)
	}
	for _, id := range fullID.FindAllString(atOnce, -1) {
		if id := strings.ToLower(id); id != firstID && id != secondID && id != mentionedID {
			t.Fatalf("unknown id left in %q", atOnce)
		}
	}
	if strings.ContainsAny(text, "*_&~") {
		return // rendering these may join brackets; a client links only what the verdict lists
	}
	for _, m := range numberMark.FindAllStringSubmatch(proseOf(t, atOnce), -1) {
		if n := atoi(m[1]); n < 1 || n > len(turns) {
			t.Fatalf("%s is left in %q", m[0], atOnce)
		}
	}
}

func BenchmarkCitationFilter_Backticks(b *testing.B) {
	for b.Loop() {
		f := NewCitationFilter(twoTurns())
		for range 50_000 {
			f.Write("````")
		}
		f.Close()
	}
}
