package reader

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// library is a conversation of three turns.
type library struct {
	turns []*retrieval.Turn
	wrong error // of every reading
	asked int
	paths int // how often a path was asked for

	versions map[uuid.UUID][]uuid.UUID // of questions
	off      map[uuid.UUID]bool        // off the active path
}

func conversation() *library {
	l := &library{}
	in := uuid.New()
	for i, answer := range []string{
		"Late **winter**.\n" + strings.Repeat("\nMore.\n", 20) + "\nBefore winter is over.\n",
		"```sh\nprune --hard\n```\n\nand\n\n```sh\nprune --soft\n```\n",
		"No.",
	} {
		l.turns = append(l.turns, &retrieval.Turn{
			TurnID: uuid.New(), Conversation: in, Title: "Apple\x1b]0;x\a tree", User: "When?", Assistant: answer, Position: i,
		})
	}
	for i, t := range l.turns[1:] {
		t.Prev, l.turns[i].Next = &l.turns[i].TurnID, &t.TurnID
	}
	return l
}

func (l *library) Turn(ctx context.Context, id string) (*retrieval.Turn, error) {
	l.asked++
	if l.wrong != nil {
		return nil, l.wrong
	}
	at := slices.IndexFunc(l.turns, func(t *retrieval.Turn) bool { return t.TurnID.String() == id })
	return l.turns[at], ctx.Err()
}

// Path has the turns on the active path; one off it takes the place of the first.
func (l *library) Path(_ context.Context, turn uuid.UUID) (*retrieval.Path, error) {
	l.paths++
	p := &retrieval.Path{Conversation: l.turns[0].Conversation}
	for i, t := range l.turns {
		if l.off[t.TurnID] || i == 0 && l.off[turn] {
			continue
		}
		p.Turns = append(p.Turns, retrieval.PathTurn{TurnID: t.TurnID, Opening: t.User + "\x1b[2J", Questions: l.versions[t.TurnID]})
	}
	if l.off[turn] {
		p.Turns = slices.Insert(p.Turns, 0, retrieval.PathTurn{TurnID: turn, Questions: l.versions[turn]})
	}
	return p, nil
}

func (l *library) FindIn(_ context.Context, _ uuid.UUID, wanted *regexp.Regexp) (found []uuid.UUID, err error) {
	for _, t := range l.turns {
		if wanted.MatchString(t.User + "\n" + t.Assistant) {
			found = append(found, t.TurnID)
		}
	}
	return found, l.wrong
}

// regenerate gives the first question another answer, which is chosen.
func (l *library) regenerate() (before, chosen *retrieval.Turn) {
	id := func() *uuid.UUID { id := uuid.New(); return &id }
	first := *l.turns[0]
	chosen, before = &first, &retrieval.Turn{TurnID: uuid.New(), Conversation: first.Conversation, User: first.User, Assistant: "In May."}
	chosen.AnswerID, before.AnswerID = id(), id()
	chosen.Answers = []retrieval.Answer{{TurnID: chosen.TurnID, ID: chosen.AnswerID}, {TurnID: before.TurnID, ID: before.AnswerID}}
	before.Answers = chosen.Answers
	l.turns[0] = chosen
	l.turns = append(l.turns, before)
	return before, chosen
}

func TestReader_ShowCited(t *testing.T) {
	l := conversation()
	before, chosen := l.regenerate()
	for name, c := range map[string]struct {
		answer uuid.UUID
		want   *retrieval.Turn
		says   string
	}{
		"the chosen one":         {*chosen.AnswerID, chosen, ""},
		"one chosen before":      {*before.AnswerID, before, "Another answer was chosen since. This is the one that was cited"},
		"one that was forgotten": {uuid.New(), chosen, "The answer that was cited is no longer in the archive"},
		"none":                   {uuid.Nil, chosen, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var want []any
			if c.says != "" {
				want = []any{ui.Notify(c.says)}
			}
			d := open(l, Options{})
			for range 2 { // the turn is read, then it is known
				d.Show(chosen.TurnID, uuid.Nil)
				d.ShowCited(c.answer)
				d.Show(chosen.TurnID, uuid.Nil) // the list selects it, too
				d.settle()
				if got := d.Opened(); got.TurnID != c.want.TurnID {
					t.Errorf("shows %q", got.Assistant)
				}
				if got := d.Posted(); !slices.Equal(got, want) {
					t.Errorf("says %v", got)
				}
			}
		})
	}
}

// driver runs a reader without an app.
type driver struct {
	*Reader
	*uitest.Driver
	l *library
}

func open(l *library, opts Options) driver {
	c := uitest.Context(theme.Mono)
	r := New(c, opts)
	r.SetSize(40, 10)
	r.SetFocused(true)
	r.SetInvitation("Select a turn")
	r.SetSource(l)
	return driver{r, uitest.Drive(c, r), l}
}

// settle does what the reader asks for.
func (d driver) settle() driver {
	d.Run(nil)
	return d
}

func (d driver) show(i int) driver {
	d.Show(d.l.turns[i].TurnID, uuid.Nil)
	return d.settle()
}

// do runs commands by their ids and returns the posted messages.
func (d driver) do(t *testing.T, ids ...string) []any {
	t.Helper()
	return d.Do(t, ids...).Posted()
}

func TestReader_ShowsTheWantedTurn(t *testing.T) {
	d := open(conversation(), Options{}).settle()
	d.MustShow(t, "Select a turn")
	d.show(0).MustShow(t, "You  undated", "When?", "Late winter.")
	if title, remark := d.Head(); title != "Apple␛]0;x␇ tree" || remark != "turn 1 of 3" || !strings.HasSuffix(d.Below(), " lines below") {
		t.Errorf("the head is %q, %q", title, remark)
	}
	d.show(2).show(0)
	if d.l.asked != 2 {
		t.Errorf("read %d times, want each turn once", d.l.asked)
	}
	d.Show(uuid.Nil, uuid.Nil)
	if d.settle().MustShow(t, "Select a turn"); d.Opened() != nil {
		t.Error("a turn is open")
	}
}

func TestReader_LateResultIsDropped(t *testing.T) {
	l := conversation()
	d := open(l, Options{})
	d.Show(l.turns[0].TurnID, uuid.Nil)
	l.wrong = errors.New("the block is damaged")
	late := d.Requests()()
	l.wrong = nil
	d.Show(l.turns[1].TurnID, uuid.Nil)
	next := d.Requests()
	d.Update(late)
	d.MustShow(t, "Select a turn")
	if d.Waiting() == 0 || len(d.Posted()) > 0 {
		t.Error("the error of the turn before is reported")
	}
	if d.Run(next); d.settle().Opened() != l.turns[1] || d.Waiting() != 0 {
		t.Errorf("opened %v", d.Opened())
	}
}

func TestReader_StoppedUntilRetried(t *testing.T) {
	d := open(conversation(), Options{})
	d.Show(d.l.turns[0].TurnID, uuid.Nil)
	reading := d.Requests()
	if !d.Stop() || d.Stop() {
		t.Error("it is not stopped once")
	}
	if d.Run(reading); d.settle().Opened() != nil || d.l.asked != 0 {
		t.Errorf("read %d times after it was stopped", d.l.asked)
	}
	if d.Retry(); d.settle().Opened() != d.l.turns[0] {
		t.Error("it is not read again")
	}
}

// An import may add the next turn to a conversation that is open.
func TestReader_Reload(t *testing.T) {
	l := conversation()
	next := l.turns[0].Next
	l.turns[0].Next = nil
	d := open(l, Options{}).show(0)
	d.Scroll(5)
	before := d.Text()
	grown := *l.turns[0]
	grown.Next, grown.User = next, "When, and how?"
	l.turns[0] = &grown
	d.Reload()
	reading := d.Requests()
	if d.Text() != before || d.Opened() == nil {
		t.Errorf("meanwhile it shows\n%s\nnot\n%s", d.Text(), before)
	}
	d.Run(reading)
	if d.settle(); d.Text() != before {
		t.Errorf("afterwards it shows\n%s\nnot\n%s", d.Text(), before)
	}
	d.Scroll(-5)
	d.MustShow(t, "When, and how?")
	if said := d.do(t, "next-turn"); !slices.Equal(said, []any{Turned{*next}}) || d.Wanted() != *next {
		t.Errorf("posted %v", said)
	}
}

func TestReader_NoTurnAfterAnUnreadableOne(t *testing.T) {
	l := conversation()
	l.wrong = errors.New("the block is damaged")
	d := open(l, Options{}).show(0)
	d.MustShow(t, "Can't read this turn")
	d.Show(uuid.Nil, uuid.Nil)
	d.settle().MustShow(t, "Select a turn")
}

func TestReader_NextAndPreviousTurn(t *testing.T) {
	d := open(conversation(), Options{}).show(0)
	if said := d.do(t, "previous-turn"); !slices.Equal(said, []any{ui.Notify("First turn of the conversation")}) {
		t.Errorf("posted %v", said)
	}
	if said := d.do(t, "next-turn", "next-turn"); len(said) != 2 || said[1] != (Turned{d.l.turns[2].TurnID}) || d.Opened() != d.l.turns[2] || d.Wanted() != d.l.turns[2].TurnID {
		t.Errorf("opened %v, posted %v", d.Opened(), said)
	}
	if said := d.do(t, "next-turn"); !slices.Equal(said, []any{ui.Notify("Last turn of the conversation")}) {
		t.Errorf("posted %v", said)
	}
}

func TestReader_RawMarkdown(t *testing.T) {
	d := open(conversation(), Options{}).show(0)
	d.do(t, "toggle-raw")
	d.MustShow(t, "Late **winter**.")
	d.do(t, "toggle-raw")
	d.MustShow(t, "Late winter.")
}

func TestReader_Hits(t *testing.T) {
	for _, c := range []struct {
		name, words string
		commands    []string
		want        ui.Notify
	}{
		{"no words", "", []string{"next-hit"}, "No words to find. Search first"},
		{"none", "summer", []string{"next-hit"}, "No hits in this turn"},
		{"both", "winter", []string{"next-hit", "next-hit"}, ""},
		{"no third", "winter", []string{"next-hit", "next-hit", "next-hit"}, "No more hits in this turn"},
		{"none before the first", "winter", []string{"next-hit", "previous-hit"}, "No more hits in this turn"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(conversation(), Options{})
			d.SetWords(retrieval.NewWords(c.words))
			said := d.show(0).do(t, c.commands...)
			if want := []any{c.want}; c.want != "" && !slices.Equal(said, want) || c.want == "" && len(said) > 0 {
				t.Errorf("posted %v, want %q", said, c.want)
			}
		})
	}
}

func TestReader_HitOnlyInRawText(t *testing.T) {
	l := conversation()
	l.turns[1].Assistant += "\n[here](javascript:frost)\n" // an address that is not shown
	d := open(l, Options{})
	d.SetWords(retrieval.NewWords("frost"))
	want := []any{ui.Notify("Only the raw text has it (turn.toggle-raw shows it)")}
	if said := d.show(1).do(t, "next-hit"); !slices.Equal(said, want) {
		t.Errorf("posted %v, want %v", said, want)
	}
	if said := d.do(t, "toggle-raw", "next-hit"); len(said) > 0 {
		t.Errorf("in the raw text, posted %v", said)
	}
	want = []any{ui.Notify("No more hits in this turn")}
	if said := d.do(t, "next-hit"); !slices.Equal(said, want) {
		t.Errorf("posted %v, want %v", said, want)
	}
}

func TestReader_CodeInView(t *testing.T) {
	d := open(conversation(), Options{}).show(1)
	d.SetSize(40, 3)
	if d.CodeInView() != 0 {
		t.Errorf("at the top, block %d is in view", d.CodeInView())
	}
	if said := d.do(t, "next-code", "next-code"); len(said) > 0 || d.CodeInView() != 1 {
		t.Errorf("block %d is in view, posted %v", d.CodeInView(), said)
	}
	if said := d.do(t, "first", "previous-code"); !slices.Equal(said, []any{ui.Notify("No more code in this turn")}) {
		t.Errorf("posted %v", said)
	}
}

// stores is an archive with stored data.
type stores func(ctx context.Context, conversation, turn uuid.UUID) (string, error)

func (s stores) Stored(ctx context.Context, conversation, turn uuid.UUID) (string, error) {
	return s(ctx, conversation, turn)
}

func TestReader_UnreadableTurn(t *testing.T) {
	l := conversation()
	l.wrong = errors.New("the block is damaged")
	in, asked := l.turns[0].Conversation, []uuid.UUID{}
	d := open(l, Options{Storage: stores(func(_ context.Context, conversation, turn uuid.UUID) (string, error) {
		asked = append(asked, conversation, turn)
		return `{"text":"\u001b]0;evil\u0007half"}`, errors.New("the rest is damaged")
	})})
	d.Show(l.turns[0].TurnID, in)
	d.settle().MustShow(t, "Can't read this turn", "the block is damaged", "turn.toggle-raw shows the stored data")
	if said := d.Posted(); len(said) != 1 || said[0] != (ui.Failed{Doing: "reading a turn", Err: l.wrong, Message: "the block is damaged"}) {
		t.Errorf("posted %v", said)
	}
	if d.SetFocused(false); !strings.Contains(d.Text(), "turn, then turn.toggle-raw") {
		t.Errorf("without the focus:\n%s", d.Text())
	}
	said := d.do(t, "toggle-raw")
	if _, remark := d.Head(); remark != "as stored" || !strings.Contains(d.Text(), `"text": "`) || !strings.Contains(d.Text(), "half") {
		t.Errorf("%s:\n%s", remark, d.Text())
	}
	if len(said) != 1 || said[0].(ui.Failed).Said != "Couldn't read the stored data" || !slices.Equal(asked, []uuid.UUID{in, l.turns[0].TurnID}) {
		t.Errorf("posted %v, asked for %v", said, asked)
	}
	d.do(t, "toggle-raw")
	d.MustShow(t, "Can't read this turn")
	l.wrong = nil
	d.Retry()
	d.settle().MustShow(t, "Late winter.")
}

func TestReader_SeekAlike(t *testing.T) {
	d := open(conversation(), Options{})
	if said := d.do(t, "more-like-this"); !slices.Equal(said, []any{ui.Notify("No turn selected")}) {
		t.Errorf("posted %v", said)
	}
	if said := d.show(1).do(t, "more-like-this"); !slices.Equal(said, []any{ui.SeekAlike{ID: d.l.turns[1].TurnID}}) {
		t.Errorf("posted %v", said)
	}
}

func TestReader_FillsEverySize(t *testing.T) {
	d := open(conversation(), Options{}).show(0)
	for width := 1; width < 60; width += 7 {
		for height := range 12 {
			d.SetSize(width, height)
			uitest.MustFill(t, d.settle().View(), width, height)
		}
	}
}

// Who answers says nothing without a line of the answer: a page does not end with it.
func TestReader_EndsBeforeAnAuthorAlone(t *testing.T) {
	l := edited()
	d := open(l, Options{})
	d.SetSize(60, 10)
	d.show(0)
	name := strings.TrimSpace(strings.Fields(ansi.Strip(d.View()[d.page.text.Answer]))[0])
	d.SetSize(60, d.page.text.Answer+1)
	if got := uitest.Text(d.View()); strings.Contains(got, name) {
		t.Errorf("it ends with who answers:\n%s", got)
	}
	if want, got := len(d.page.text.Lines)-d.page.text.Answer, d.Below(); got != theme.Count(want, "line", "lines")+" below" {
		t.Errorf("%s, of which %d are not in view", got, want)
	}
	d.SetSize(60, d.page.text.Answer+2)
	if got := uitest.Text(d.View()); !strings.Contains(got, name) {
		t.Errorf("who answers is not above the answer:\n%s", got)
	}
}
