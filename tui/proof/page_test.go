package proof

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/theme"
)

// long returns an answer with four quotations, two conclusions and four hits.
func long() *page {
	a := &Answer{Basis: "what was verified"}
	var quotes []string
	for n := range 4 {
		cited := fmt.Sprintf("notes-%d.md (modified 2024-05-01)", n)
		quotes = append(quotes, fmt.Sprintf("“Quotation %d %s” [%s]", n, strings.Repeat("of a starter ", 12), cited))
		a.Hits = append(a.Hits, Hit{ID: cited, Cited: cited, Says: fmt.Sprintf("Sentence %d.", n)})
	}
	a.Text = strings.Join(quotes, "\n\n")
	for _, day := range []string{"2024-06-01", "2024-07-01"} {
		a.Conclusions = append(a.Conclusions, Conclusion{On: day, Text: "Feed it more.", Cited: []string{"log.md of " + day}})
	}
	p := &page{question: "how often?", levels: []string{"standard"}}
	p.show(a)
	return p
}

func seen(p *page, width, height int) string {
	return ansi.Strip(strings.Join(p.view(width, height, theme.New(theme.ASCII, colorprofile.ASCII)), "\n"))
}

func TestPage_HitAndBasisStayVisible(t *testing.T) {
	for height := 4; height < 50; height++ {
		p := long()
		for range p.answer.Hits {
			hit, _ := p.chosen()
			view := seen(p, 98, height)
			if !strings.Contains(view, "\n"+hit.Cited) || !strings.Contains(view, "what was verified") || strings.Count(view, "\n") != height-1 {
				t.Fatalf("%d lines, at %s:\n%s", height, hit.Cited, view)
			}
			p.move(1)
		}
	}
}

func TestPage_ScrollsThroughTheAnswer(t *testing.T) {
	p := long()
	first := seen(p, 98, 18)
	all := first
	for range 20 {
		p.scroll(1)
		all += seen(p, 98, 18)
	}
	for _, want := range []string{"Quotation 0", "Quotation 3", "You concluded on 2024-06-01: Feed it more.", "log.md of 2024-07-01"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is never shown", want)
		}
	}
	if last := seen(p, 98, 18); strings.Contains(last, "more lines") || !strings.Contains(first, "more lines (pgdown)") {
		t.Errorf("first:\n%s\nlast:\n%s", first, last)
	}
	p.scroll(-20)
	if again := seen(p, 98, 18); again != first {
		t.Errorf("back at the beginning:\n%s", again)
	}
}
