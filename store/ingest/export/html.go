package export

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"lens/internal/cleantext"
	"lens/store"
)

// HTML is one page to read and to print. It loads nothing: the style is in the page, images become links, and its
// Content-Security-Policy forbids everything else. The contents, a list of months, come last in the file, because
// nothing but the counts of the months is kept; the style puts them beside the turns where there is room.
var HTML = Format{
	Name:        "html",
	Extension:   ".html",
	Description: "a page to read and print",
	Disarm:      cleantext.Text, // before escaping hides CR
	Encode:      encodeHTML,
}

//go:embed html.css
var htmlStyle string

const htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; ` +
	`base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Conversations</title>
<style>
%s</style>
</head>
<body>
<header class="top">
<h1>Conversations</h1>
<p><a href="#contents">Contents</a></p>
</header>
<main>
`

func encodeHTML(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error {
	fmt.Fprintf(w, htmlHead, htmlStyle)
	p := htmlPage{w: w}
	for t, err := range turns {
		if err != nil {
			return err
		}
		if err := p.turn(t); err != nil {
			return err
		}
	}
	p.endMonth()
	_, _ = w.WriteString("</main>\n")
	p.contents()
	_, err := w.WriteString("</body>\n</html>\n")
	return err
}

// htmlPage writes the page; its fields describe the turns that were written.
type htmlPage struct {
	w            *bufio.Writer
	months       []htmlMonth
	day          string
	conversation uuid.UUID // of the previous turn of this day
}

type htmlMonth struct {
	first time.Time // zero: undated
	turns int
}

const undated = "Undated"

func (m htmlMonth) id() string {
	if m.first.IsZero() {
		return "undated"
	}
	return m.first.Format("month-2006-01")
}

func (m htmlMonth) name() string { return cmp.Or(dated(m.first, "January 2006"), undated) }

// dated formats a time in UTC; "" if it is unknown.
func dated(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(layout)
}

func (p *htmlPage) turn(t *store.Turn) error {
	p.begin(t)
	title, again := heading(t), ""
	if t.Conversation == p.conversation {
		again = ` class="again"`
	}
	p.conversation = t.Conversation
	fmt.Fprintf(p.w, `<article id="turn-%s"><h4%s dir="auto">%s</h4>`+"\n", t.ID, again, html.EscapeString(title))
	p.details(t)
	switch {
	case t.Source.Chunked():
		p.text("passage", "", html.EscapeString(t.UserText))
	case t.UserText != "":
		p.text("question", "You", html.EscapeString(t.UserText))
	}
	answer, err := htmlOf(t.AssistantText)
	if err != nil {
		return err
	}
	switch {
	case t.Source.Chunked():
		p.text("answer", "", answer)
	case strings.TrimSpace(t.AssistantText) == "":
		p.text("answer", "Answer", `<p class="none">No answer.</p>`)
	default:
		p.text("answer", "Answer", answer)
	}
	_, err = p.w.WriteString("</article>\n")
	return err
}

// begin begins a month and a day if t is the first turn of them.
func (p *htmlPage) begin(t *store.Turn) {
	at := t.Time.UTC()
	month := htmlMonth{first: at}
	if n := len(p.months); n == 0 || p.months[n-1].id() != month.id() {
		p.endMonth()
		p.months = append(p.months, month)
		p.day, p.conversation = "", uuid.Nil
		fmt.Fprintf(p.w, `<section id="%s"><h2>%s</h2>`+"\n", month.id(), month.name())
	}
	p.months[len(p.months)-1].turns++
	if day := dated(at, time.DateOnly); day != p.day {
		p.day, p.conversation = day, uuid.Nil
		fmt.Fprintf(p.w, `<h3><time datetime="%s">%s</time></h3>`+"\n", day, dated(at, "Monday, 2 January 2006"))
	}
}

func (p *htmlPage) endMonth() {
	if len(p.months) > 0 {
		_, _ = p.w.WriteString("</section>\n")
	}
}

// details writes the line below a title: time, source, model and the link to the turn itself.
func (p *htmlPage) details(t *store.Turn) {
	_, _ = p.w.WriteString(`<p class="details">`)
	if !t.Time.IsZero() {
		fmt.Fprintf(p.w, `<time datetime="%s">%s</time> · `, dated(t.Time, time.RFC3339), dated(t.Time, "15:04 UTC"))
	}
	for _, each := range []string{string(t.Source), t.Model} {
		if each != "" {
			fmt.Fprintf(p.w, "<bdi>%s</bdi> · ", html.EscapeString(each))
		}
	}
	if !t.OnPath {
		_, _ = p.w.WriteString("abandoned branch · ")
	}
	id := t.ID.String()
	fmt.Fprintf(p.w, `<a class="id" href="#turn-%s">%s</a></p>`+"\n", id, id[:8])
}

func (p *htmlPage) text(class, speaker, content string) {
	if strings.TrimSpace(content) == "" {
		return
	}
	if speaker != "" {
		speaker = `<p class="speaker">` + speaker + "</p>\n"
	}
	fmt.Fprintf(p.w, "%s<div class=\"%s\" dir=\"auto\" lang=\"\">%s</div>\n", speaker, class, content)
}

// contents lists the months, with bars that show how many turns each has.
func (p *htmlPage) contents() {
	most, turns := 1, 0
	for _, m := range p.months {
		most = max(most, m.turns)
		turns += m.turns
	}
	fmt.Fprintf(p.w, `<nav id="contents" aria-labelledby="contents-title"><h2 id="contents-title">Contents</h2>`+
		"\n<p>%s</p>\n", plural(turns, "turn"))
	year := ""
	for _, m := range p.months {
		if y := cmp.Or(dated(m.first, "2006"), undated); y != year {
			if year != "" {
				_, _ = p.w.WriteString("</ul>\n")
			}
			year = y
			fmt.Fprintf(p.w, "<h3>%s</h3>\n<ul>\n", y)
		}
		fmt.Fprintf(p.w, `<li><a href="#%s"><span>%s</span> <span class="bar" style="width:%.2fem"></span> `+
			`<span class="count">%d</span></a></li>`+"\n",
			m.id(), cmp.Or(dated(m.first, "January"), undated), max(0.1, 5*float64(m.turns)/float64(most)), m.turns)
	}
	if year != "" {
		_, _ = p.w.WriteString("</ul>\n")
	}
	_, _ = p.w.WriteString("</nav>\n")
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}
