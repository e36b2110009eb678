package export_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"lens/store"
	"lens/store/ingest/export"
)

// page is what an HTML parser finds in an exported page.
type page struct {
	text  string // of the body
	ids   []string
	hrefs []string
	tags  map[string]int
}

// void elements have no end tag.
var void = []string{"meta", "br", "hr", "input"}

// elements are the only ones of a page, with their attributes.
var elements = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "", "style": "", "body": "",
	"header": "class", "main": "", "section": "id", "article": "id", "nav": "id aria-labelledby", "div": "class dir lang",
	"h1": "", "h2": "id", "h3": "", "h4": "class dir", "h5": "", "h6": "", "p": "class", "bdi": "", "time": "datetime",
	"span": "class style", "a": "class rel href", "ul": "", "ol": "start", "li": "", "em": "", "strong": "", "del": "",
	"code": "class", "pre": "", "blockquote": "", "br": "", "hr": "", "input": "checked disabled type",
	"table": "", "thead": "", "tbody": "", "tr": "", "th": "style", "td": "style",
}

// parsed fails the test if a page is not well-formed, if it could load or run something, or if a link to the outside
// tells where it comes from.
func parsed(t testing.TB, source string) page {
	t.Helper()
	p := page{tags: map[string]int{}}
	var open []string
	var text strings.Builder
	for z := html.NewTokenizer(strings.NewReader(source)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			if z.Err() != io.EOF || len(open) > 0 {
				t.Fatalf("%v with %q open", z.Err(), open)
			}
			p.text = text.String()
			return p
		case html.StartTagToken:
			token := z.Token()
			p.start(t, token)
			if token.Data == "a" && slices.Contains(open, "a") {
				t.Fatalf("a link in a link: %s", token)
			}
			if !slices.Contains(void, token.Data) {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			token := z.Token()
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("</%s> with %q open", token.Data, open)
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if slices.Contains(open, "body") {
				text.WriteString(z.Token().Data)
			}
		case html.DoctypeToken:
		default:
			t.Fatalf("%v: %s", kind, z.Token())
		}
	}
}

func (p *page) start(t testing.TB, token html.Token) {
	t.Helper()
	attributes, known := elements[token.Data]
	if !known {
		t.Fatalf("there is a %s", token)
	}
	p.tags[token.Data]++
	rel := ""
	for _, a := range token.Attr {
		if !slices.Contains(strings.Fields(attributes), a.Key) {
			t.Fatalf("unexpected attribute %s: %s", a.Key, token)
		}
		switch a.Key {
		case "id":
			p.ids = append(p.ids, a.Val)
		case "rel":
			rel = a.Val
		}
	}
	for _, a := range token.Attr {
		if a.Key != "href" {
			continue
		}
		p.hrefs = append(p.hrefs, a.Val)
		scheme, _, _ := strings.Cut(a.Val, ":")
		switch {
		case strings.HasPrefix(a.Val, "#"):
		case !slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(scheme)):
			t.Fatalf("a link to %q", a.Val)
		case rel != "noreferrer noopener nofollow":
			t.Fatalf("a link with rel=%q to %q", rel, a.Val)
		}
	}
}

func TestHTML_HostileTexts(t *testing.T) {
	turns := hostileTurns()
	source := write(t, export.HTML, export.Options{}, turns...)
	p := parsed(t, source)
	for _, want := range []string{
		"</div><script>alert(1)</script> ]]> <!-- & &lt;", "<img src=x onerror=alert(1)>", "bad (javascript:alert(1))",
		"file (sandbox:/mnt/data/a.csv)", "Rye & <b>wheat</b>", "What\nis \"rye\"?", "No answer.", "abandoned branch",
		"Thursday, 29 February 2024", "Bread › Rye", "␛[2J", `\u202egnp.exe`, "שלום, world",
	} {
		if !strings.Contains(p.text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, turn := range turns {
		if !slices.Contains(p.ids, "turn-"+turn.ID.String()) {
			t.Errorf("turn %s has no anchor", turn.ID)
		}
	}
	for _, want := range []string{
		"https://example.org/?a=1&b=%222%22", "https://example.org/p.png", "https://example.org/q.png",
		"https://b.example", "mailto:me@example.org", "https://example.org/auto",
	} {
		if !slices.Contains(p.hrefs, want) {
			t.Errorf("no link to %s: %q", want, p.hrefs)
		}
	}
	if !strings.Contains(source, `content="default-src 'none'; style-src 'unsafe-inline'; `) {
		t.Error("no policy")
	}
	style, _, _ := strings.Cut(source, "</style>")
	if strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("the style loads something")
	}
}

func TestHTML_Contents(t *testing.T) {
	turns := append(numbered(300), store.Turn{UserText: "When?"})
	p := parsed(t, write(t, export.HTML, export.Options{}, turns...))
	for _, id := range []string{"month-2024-01", "month-2024-02", "month-2024-03", "undated", "contents"} {
		if !slices.Contains(p.ids, id) || !slices.Contains(p.hrefs, "#"+id) {
			t.Errorf("#%s is missing", id)
		}
	}
	slices.Sort(p.ids)
	if n := len(p.ids); len(slices.Compact(p.ids)) != n {
		t.Error("ids are not unique")
	}
	for _, want := range []string{"301 turns", "January", "Undated"} {
		if !strings.Contains(p.text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if p.tags["article"] != len(turns) || p.tags["section"] != 4 {
		t.Errorf("%v", p.tags)
	}
}

// Such texts keep a renderer of Markdown busy for minutes.
func TestHTML_SlowMarkdown(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 100_000), strings.Repeat("*a_", 50_000), strings.Repeat("> ", 10_000) + "x",
		strings.Repeat("`a``b```", 4000), strings.Repeat("![](", 30_000), strings.Repeat("<a@", 30_000),
		strings.Repeat("|a", 20_000) + "\n" + strings.Repeat("|-", 20_000), strings.Repeat("- ", 5000),
	} {
		begun := time.Now()
		p := parsed(t, write(t, export.HTML, export.Options{}, store.Turn{AssistantText: text}))
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("%.20q took %v", text, took)
		}
		if p.tags["article"] != 1 {
			t.Errorf("%.20q: %v", text, p.tags)
		}
	}
}

func FuzzHTML(f *testing.F) {
	for _, t := range hostileTurns() {
		f.Add(t.UserText, t.AssistantText)
	}
	f.Add("", "[![a](http://b)](http://c) ![[d](http://e)](f)\n\n[<http://g>](http://h)")
	f.Add("", "<a\thref=x>\n===\n[a]: http://b 'c'\n\n[a]")
	f.Fuzz(func(t *testing.T, user, assistant string) {
		if len(user)+len(assistant) > 8<<10 {
			return
		}
		turn := store.Turn{Title: user, Model: user, UserText: user, AssistantText: assistant}
		for _, raw := range []bool{false, true} {
			p := parsed(t, write(t, export.HTML, export.Options{Raw: raw}, turn, turn))
			if p.tags["article"] != 2 || p.tags["script"] != 0 {
				t.Errorf("%v", p.tags)
			}
		}
	})
}
