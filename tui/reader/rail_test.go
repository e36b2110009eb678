package reader

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// columnOf returns the cell of a line in which a text begins.
func columnOf(tb testing.TB, line, text string) int {
	tb.Helper()
	before, _, ok := strings.Cut(ansi.Strip(line), text)
	if !ok {
		tb.Fatalf("%q is not in %q", text, ansi.Strip(line))
	}
	return ansi.StringWidth(before)
}

// long is a conversation of n turns.
func long(n int) *library {
	l := &library{}
	in := uuid.New()
	for i := range n {
		l.turns = append(l.turns, &retrieval.Turn{
			TurnID: uuid.New(), Conversation: in, User: fmt.Sprintf("Question %d", i+1), Assistant: "Yes.", OnPath: true,
			Position: i, Turns: n,
		})
	}
	return l
}

// signs returns those of the rail, from the top.
func (d driver) signs() string {
	c := divide(d.width)
	var signs strings.Builder
	for _, line := range d.View() {
		signs.WriteString(ansi.Cut(ansi.Strip(line), c.left+c.prose+c.gap, c.left+c.prose+c.gap+1))
	}
	return strings.TrimRight(signs.String(), " ")
}

func TestReader_Rail(t *testing.T) {
	d := open(long(4), Options{}).show(1)
	if got := d.signs(); got != "│█││" {
		t.Errorf("the rail is %q", got)
	}
	d.SetFound(&retrieval.Peek{Matches: []retrieval.Match{{TurnID: d.l.turns[1].TurnID}, {TurnID: d.l.turns[3].TurnID}}})
	if got := d.signs(); got != "│█│●" {
		t.Errorf("with matches it is %q", got)
	}
	if title, remark := d.Head(); title != "" || remark != "turn 2 of 4" {
		t.Errorf("%q, %q", title, remark)
	}
	d.Click(39, 3)
	if d.settle(); d.Opened() != d.l.turns[3] || d.signs() != "│●│█" {
		t.Errorf("after a click on the last, %q is open", d.Opened().User)
	}
	d.Click(39, 7)
	if d.settle(); d.Opened() != d.l.turns[3] {
		t.Error("a click below the rail does something")
	}
}

func TestReader_RailOfALongConversation(t *testing.T) {
	d := open(long(200), Options{}).show(0)
	for _, want := range []struct {
		turn int
		rail string
	}{{0, "█││││││││┆"}, {3, "│││█│││││┆"}, {100, "┆││││█│││┆"}, {199, "┆││││││││█"}} {
		if got := d.show(want.turn).signs(); got != want.rail {
			t.Errorf("at turn %d the rail is %q, want %q", want.turn, got, want.rail)
		}
	}
	d.Click(39, 0)
	if d.settle(); d.Opened() != d.l.turns[190] {
		t.Errorf("a click on the first row opens %q", d.Opened().User)
	}
}

func TestReader_Outline(t *testing.T) {
	for _, c := range []struct{ width, prose, opening int }{
		{20, 20, 0},
		{40, 37, 0},
		{98, 95, 0},
		{99, 96, 0},
		{114, 96, 0},
		{116, 96, 14},
		{118, 96, 16},
		{140, 96, 38},
		{160, 96, 48},
		{300, 96, 48},
	} {
		d := open(long(3), Options{})
		d.SetSize(c.width, 10)
		d.show(1)
		got := divide(d.width)
		if got.prose != c.prose || got.opening != c.opening {
			t.Errorf("in %d cells the columns are %+v, want %+v", c.width, got, c)
		}
		if end := got.left + got.prose + got.gap + got.rail; c.width >= leastRailed && c.opening == 0 && end != c.width {
			t.Errorf("in %d cells the rail ends at %d", c.width, end)
		}
		uitest.MustFill(t, d.View(), c.width, 10)
		for i, line := range d.View()[:3] {
			if shown := strings.Contains(ansi.Strip(line), fmt.Sprintf("Question %d", i+1)); i != 1 && shown != (c.opening > 0) {
				t.Errorf("in %d cells, row %d is %q", c.width, i, ansi.Strip(line))
			}
		}
		if c.opening > 0 {
			d.Click(got.left+got.prose+got.gap+got.rail, 2)
			if d.settle(); d.Opened() != d.l.turns[2] {
				t.Errorf("a click on the outline opens %q", d.Opened().User)
			}
		}
	}
}

func TestReader_RailInEachTheme(t *testing.T) {
	for _, name := range []theme.Name{theme.Dark, theme.Light, theme.Mono, theme.ASCII} {
		c := uitest.Context(name)
		r := New(c, Options{})
		l := long(3)
		d := driver{r, uitest.Drive(c, r), l}
		d.SetSize(40, 5)
		d.SetSource(l)
		want := "│█│"
		if name == theme.ASCII {
			want = "|#|"
		}
		if got := d.show(1).signs(); got != want {
			t.Errorf("in %s the rail is %q", name, got)
		}
	}
}

func TestReader_Find(t *testing.T) {
	l := conversation()
	l.turns[2].Assistant = "No winter,\n\nno WINTER."
	d := open(l, Options{})
	d.SetWords(retrieval.NewWords("more"))
	d.show(0)
	d.Find("WINTER")
	d.settle()
	if d.page.Offset() != 0 || len(d.page.text.Hits) != 2 {
		t.Errorf("at line %d, hits in %v", d.page.Offset(), d.page.text.Hits)
	}
	if title, remark := d.Head(); title == "" || remark != "“WINTER” · hit 1 of 2 · turn 1 of 3" || d.findRemark() != "2 lines here · 2 turns" {
		t.Errorf("the head is %q, %q", title, remark)
	}
	if got := d.signs(); got != "█│●" {
		t.Errorf("the rail is %q", got)
	}
	d.do(t, "next-hit")
	d.do(t, "next-hit")
	if _, remark := d.Head(); !strings.Contains(remark, "hit 2 of 2") {
		t.Errorf("after n the head says %q", remark)
	}
	if d.do(t, "next-hit"); d.Opened() != l.turns[2] || d.page.Offset() > d.page.text.Hits[0] {
		t.Errorf("n leads to %q", d.Opened().Assistant)
	}
	if d.do(t, "previous-hit"); d.Opened() != l.turns[0] || d.page.Offset() == 0 {
		t.Errorf("N leads to %q, line %d", d.Opened().Assistant, d.page.Offset())
	}
	d.Find("nowhere")
	said := d.settle().do(t, "next-hit")
	if len(said) != 1 || fmt.Sprint(said[0]) != "“nowhere” isn't in this conversation" {
		t.Errorf("posted %v", said)
	}
	d.LeaveFind()
	if d.settle(); d.IsFinding() || len(d.page.text.Hits) == 2 || slices.Contains(strings.Split(d.signs(), ""), "●") {
		t.Errorf("afterwards hits are in %v, the rail is %q", d.page.text.Hits, d.signs())
	}
}

func TestReader_ManyHits(t *testing.T) {
	d := open(conversation(), Options{})
	d.show(0)
	d.page.text.Hits = nil
	for line := range 1200 {
		d.page.text.Hits = append(d.page.text.Hits, line)
	}
	if got := d.hitsInView(); !strings.HasSuffix(got, " of 1,200") {
		t.Errorf("it says %q", got)
	}
}

func TestReader_LeaveFindKeepsThePlace(t *testing.T) {
	d := open(conversation(), Options{})
	d.SetWords(retrieval.NewWords("late"))
	d.show(0)
	d.Find("before winter")
	d.settle().do(t, "last")
	before := d.page.Offset()
	d.LeaveFind()
	if d.settle(); d.page.Offset() != before || before == 0 {
		t.Errorf("the page goes from line %d to %d", before, d.page.Offset())
	}
}

func TestReader_FindEndsWithItsConversation(t *testing.T) {
	l := conversation()
	other := *l.turns[2]
	other.TurnID, other.Conversation = uuid.New(), uuid.New()
	l.turns = append(l.turns, &other)
	d := open(l, Options{}).show(0)
	d.Find("no")
	if d.settle().show(2); !d.IsFinding() {
		t.Error("it ends with the turn")
	}
	if d.show(3); d.IsFinding() || len(d.page.text.Hits) > 0 {
		t.Errorf("in another conversation hits are in %v", d.page.text.Hits)
	}
}

// Enter comes before the text is drawn, and before it is known which turns have it.
func TestReader_FindSeeksOnceItIsKnown(t *testing.T) {
	for _, c := range []struct {
		text string
		turn int
		says ui.Notify
	}{
		{"--SOFT", 1, ""}, {"winter", 0, ""}, {"nowhere", 0, "“nowhere” isn't in this conversation"},
	} {
		for _, reverse := range []bool{false, true} {
			d := open(conversation(), Options{}).show(0)
			d.Hold = true
			d.Find(c.text)
			d.settle()
			d.seekFound()
			d.Hold = false
			asked, _ := d.Held[0]().(tea.BatchMsg)
			if reverse {
				slices.Reverse(asked)
			}
			for _, cmd := range asked {
				d.Run(cmd)
			}
			var want []any
			if c.says != "" {
				want = []any{c.says}
			}
			if c.turn > 0 {
				want = []any{Turned{d.l.turns[c.turn].TurnID}}
			}
			if said := d.Posted(); d.Opened() != d.l.turns[c.turn] || len(asked) != 2 || !slices.Equal(said, want) {
				t.Errorf("%s, reversed %t: shows turn %d, posted %v", c.text, reverse, d.Opened().Position, said)
			}
		}
	}
}

func TestReader_FindCountsThePath(t *testing.T) {
	for text, want := range map[string]struct{ remark, says string }{
		"no":   {"0 lines here · 1 turn", ""},
		"soft": {"0 lines here · 0 turns", "Only other branches have “soft”"},
		"when": {"1 line here · 2 turns", ""},
	} {
		l := conversation()
		l.turns[1].Assistant = "No --soft."
		l.off = map[uuid.UUID]bool{l.turns[1].TurnID: true}
		d := open(l, Options{}).show(0)
		d.Find(text)
		if got := d.settle().findRemark(); got != want.remark {
			t.Errorf("%s: %s", text, got)
		}
		if d.seekFound(); want.says != "" && !slices.Equal(d.settle().Posted(), []any{ui.Notify(want.says)}) {
			t.Errorf("%s: it does not say so", text)
		}
	}
}

func TestReader_RailAndFindStoppedUntilRetried(t *testing.T) {
	d := open(conversation(), Options{})
	d.Show(d.l.turns[0].TurnID, uuid.Nil)
	d.Update(d.Requests()())
	stopped := d.Requests()
	d.Stop()
	if d.Run(stopped); d.signs() != "" {
		t.Errorf("the rail is %q", d.signs())
	}
	if d.Retry(); d.settle().signs() != "█││" {
		t.Errorf("retried, the rail is %q", d.signs())
	}
	d.Find("winter")
	stopped = d.Requests()
	d.Stop()
	if d.Run(stopped); d.findRemark() != "2 lines here" {
		t.Errorf("found are %s", d.findRemark())
	}
	if d.Retry(); d.settle().findRemark() != "2 lines here · 1 turn" {
		t.Errorf("retried, found are %s", d.findRemark())
	}
}

func TestReader_ReloadFindsAgain(t *testing.T) {
	d := open(conversation(), Options{}).show(0)
	d.Find("winter")
	d.settle()
	grown := *d.l.turns[2]
	grown.Assistant = "In winter."
	d.l.turns[2] = &grown
	d.Reload()
	asked := d.Requests()
	if got := d.findRemark(); got != "2 lines here · 1 turn" {
		t.Errorf("meanwhile found are %s", got)
	}
	if d.Run(asked); d.settle().findRemark() != "2 lines here · 2 turns" {
		t.Errorf("found are %s", d.findRemark())
	}
}

// BenchmarkReader_View draws a turn of a conversation of 2,000 in a pane as of a screen of 120x40, and in a full one.
func BenchmarkReader_View(b *testing.B) {
	for _, width := range []int{62, 120, 200} {
		b.Run(fmt.Sprintf("width=%d", width), func(b *testing.B) {
			l := long(2000)
			for _, t := range l.turns {
				t.Assistant = strings.Repeat("Some **words** of an answer, with `code` in it.\n\n", 60)
			}
			c := uitest.Context(theme.Dark)
			r := New(c, Options{})
			d := driver{r, uitest.Drive(c, r), l}
			d.SetSize(width, 38)
			d.SetSource(l)
			d.show(1000)
			for b.Loop() {
				d.View()
			}
		})
	}
}
