package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/agent"
	"lens/agent/tools"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/chat/chattest"
	"lens/tui/zoom"
)

// investigator is a fake chat model: it replays events and records the questions.
type investigator struct {
	events []agent.Event
	err    error
	asked  [][]agent.Message
	chattest.Sessions
}

func (i *investigator) Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
	i.asked = append(i.asked, messages)
	return func(yield func(agent.Event, error) bool) {
		for _, e := range i.events {
			if ctx.Err() != nil || !yield(e, nil) {
				return
			}
		}
		if i.err != nil {
			yield(nil, i.err)
		}
	}
}

func (i *investigator) chat() Chat {
	return Chat{Model: "gpt-4o", Host: "api.example", Investigator: i, Sessions: i}
}

// zoomed is the window of the agent's second peek.
const zoomedFrom, zoomedTo = "2024-04", "2024-06"

// investigation has the events of a search for "cancel": a peek, a zoom, two turns, an answer.
func investigation(e *fakeEngine) *investigator {
	var read []retrieval.Turn
	for _, t := range e.turns {
		if day := t.Time.Format("2006-01"); day >= zoomedFrom && day < zoomedTo && strings.Contains(t.User+t.Assistant, "cancel") {
			read = append(read, t)
		}
	}
	call := func(id, tool, arguments string) agent.Event {
		return agent.ToolCall{ID: id, Tool: tool, Arguments: json.RawMessage(arguments)}
	}
	cite := func(n int) agent.Citation {
		t := read[n-1]
		return agent.Citation{N: n, TurnID: t.TurnID.String(), Conversation: t.Conversation.String(), Title: t.Title, Time: t.Time}
	}
	events := []agent.Event{
		agent.RoundStarted{Round: 1},
		call("1", agent.ToolPeek, `{"query": "cancel", "top_k": 100}`),
		agent.ToolResult{ID: "1", Tool: agent.ToolPeek, Took: 41, Gist: "100 turns, most in 2024-05", Asked: query.Literal("cancel")},
		call("2", agent.ToolPeek, fmt.Sprintf(`{"query": "cancel", "start_time": %q, "end_time": %q}`, zoomedFrom, zoomedTo)),
		agent.ToolResult{ID: "2", Tool: agent.ToolPeek, Took: 2.2, Gist: "37 turns", Asked: query.Query{
			Text: "cancel", Filter: query.Filter{Since: utc(midnight(zoomedFrom + "-01")), Until: utc(midnight(zoomedTo + "-01"))},
		}},
	}
	for n := range 2 {
		id := fmt.Sprint(n + 3)
		events = append(events, call(id, agent.ToolTurn, `{"turn_id": "`+read[n].TurnID.String()+`"}`),
			agent.ToolResult{ID: id, Tool: agent.ToolTurn, Took: 0.4, N: n + 1, Gist: read[n].Time.Format("2006-01-02 ") + read[n].Title, Detail: &read[n]})
	}
	answer := "You asked first in *spring* [1]:\n\n- drop the future\n- or **select** [2]\n"
	return &investigator{events: append(events,
		agent.Text{Text: answer[:35]}, agent.Cited{Citation: cite(1)}, agent.Text{Text: answer[35:]}, agent.Cited{Citation: cite(2)},
		agent.Done{Answer: answer, Evidence: true, Citations: []agent.Citation{cite(1), cite(2)}, Model: "gpt-4o", Usage: agent.Usage{Rounds: 3, Turns: 2, Took: 2100}})}
}

// chatting returns a driver with an engine and an investigator.
func chatting(e *fakeEngine, i *investigator, width, height int) *driver {
	return drive(Options{Archive: over(e), Chat: i.chat()}, width, height)
}

// asks types a question and sends it.
func (d *driver) asks(question string) *driver {
	if d.focus != paneQuestion {
		d.keys("c")
	}
	for _, r := range question {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d.keys("enter")
}

// peeking returns an investigator whose model calls the real tool once.
func peeking(t *testing.T, e *fakeEngine, arguments string) *investigator {
	t.Helper()
	o, err := tools.New(e, tools.Options{})[0].Call(t.Context(), json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return &investigator{events: []agent.Event{
		agent.ToolCall{ID: "1", Tool: agent.ToolPeek, Arguments: json.RawMessage(arguments)},
		agent.ToolResult{ID: "1", Tool: agent.ToolPeek, Took: 1, Detail: o.Detail, Asked: o.Asked},
		agent.Done{Answer: "none"},
	}}
}

func TestChat_FooterOffersItWhileItIsHidden(t *testing.T) {
	e := newFake(300)
	d := chatting(e, investigation(e), 150, 40)
	d.search("cancel").mustShow(t, "   c chat")
	d.asks("when?").mustNotShow(t, "   c chat")
	d.keys("2").mustNotShow(t, "   c chat")
	d.keys("4 esc esc 2").mustShow(t, "   c chat")
}

func TestChat_PanesTakeOverTheFiltersOfTheAgent(t *testing.T) {
	e := ofTwoSources(300)
	whole := explore(e, 120, 40).timeline.Zoom().All
	for arguments, c := range map[string]struct {
		text   string
		window zoom.Span
	}{
		`{"query": "cancel -x", "phrases": "in-flight", "without": ["a\u001b[2Jb"], "sources": ["claude"], "has_code": true,
			"min_similarity": 0.4, "not": {"title": ["garden"]}, "conversation_id": ""}`: {
			`cancel \-x "in-flight" -"a␛[2Jb" source:claude -title:garden has-code:yes similarity:0.4`, whole,
		},
		`{"query": "cancel", "start_time": "2024-04..2024-05"}`:                           {"cancel", zoom.Span{From: midnight("2024-04-01"), To: midnight("2024-06-01")}},
		`{"query": "cancel", "start_time": null, "end_time": "2023", "min_words": 1e+06}`: {"cancel min-words:1000000", zoom.Span{From: whole.From, To: midnight("2023-01-01")}},
	} {
		d := chatting(e, peeking(t, e, arguments), 120, 40).asks("when?")
		if got := d.bar.Search().Text; got != c.text || d.timeline.Zoom().Span != c.window {
			t.Errorf("%s: searched is %s in %v, want %s in %v", arguments, got, d.timeline.Zoom().Span, c.text, c.window)
		}
		d.mustBeHarmless(t)
	}
}

func TestChat_PanesTakeOverTheTurnThatTheAgentComparesWith(t *testing.T) {
	e := newFake(300)
	turn := e.turns[len(e.turns)-1]
	d := chatting(e, peeking(t, e, `{"like": "`+turn.TurnID.String()+`", "sources": ["chatgpt"]}`), 120, 40).asks("what else?")
	if d.found.Peek.Like != turn.TurnID || !slices.Equal(d.bar.Search().Chips(), []string{"source:chatgpt"}) {
		t.Errorf("searched is %q, like %s; want like %s", d.bar.Search().Text, d.found.Peek.Like, turn.TurnID)
	}
	d.mustShow(t, "More like: "+turn.Title)
	if d.keys("esc u"); d.found.Peek.Like != uuid.Nil {
		t.Error("u does not go back")
	}
}

func TestChat_PanesTakeDatesAsTheAgentDid(t *testing.T) {
	e := newFake(300)
	for arguments, plain := range map[string]bool{
		`{"query": "cancel in May 2023"}`:                  true,
		`{"query": "cancel in May 2023", "dates": "soft"}`: false,
		`{"query": "cancel"}`:                              false,
	} {
		if d := chatting(e, peeking(t, e, arguments), 120, 40).asks("when?"); d.bar.Search().PlainDates != plain {
			t.Errorf("%s: dates are words: %v", arguments, !plain)
		}
	}
}

func TestChat_AgentMovesThePanesAndBackUndoes(t *testing.T) {
	e := newFake(1200)
	newest := e.turns[len(e.turns)-1].TurnID
	d := chatting(e, investigation(e), 120, 40).asks("when did I first cancel?")
	if d.bar.Text() != "cancel" || d.timeline.Zoom().IsAll() || midnight(zoomedFrom+"-01") != d.timeline.Zoom().From || midnight(zoomedTo+"-01") != d.timeline.Zoom().To {
		t.Errorf("sought is %q in %s to %s", d.bar.Text(), utc(d.timeline.Zoom().From), utc(d.timeline.Zoom().To))
	}
	second := d.chat.Last().Citations[1].TurnID
	if d.reader.Opened() == nil || d.reader.Opened().TurnID.String() != second || d.focus != paneChat {
		t.Errorf("opened %v, focus on %d", d.reader.Opened(), d.focus)
	}
	d.mustShow(t, "/ cancel", "All time › ", "[1]  2 Apr 2024", "✓ 4 steps · 2 turns read · 2.1 s")
	d.keys("z d").mustShow(t, "✓ searched  “cancel”", "✓ zoomed    “cancel” Apr 2024 – May 2024", "✓ read      [2]", "You asked first in spring [1]")
	d.keys("d").mustNotShow(t, "✓ peek")
	d.keys("z u")
	if first := d.chat.Last().Citations[0].TurnID; d.reader.Opened().TurnID.String() != first {
		t.Errorf("back reads %s, want %s", d.reader.Opened().TurnID, first)
	}
	if d.keys("u u"); !d.timeline.Zoom().IsAll() || d.bar.Text() != "cancel" {
		t.Errorf("back twice more looks for %q in %v", d.bar.Text(), d.timeline.Zoom().Span)
	}
	if d.keys("u"); d.bar.Text() != "" || d.reader.Opened() == nil || d.reader.Opened().TurnID != newest {
		t.Errorf("at the beginning %q is sought, %v read", d.bar.Text(), d.reader.Opened())
	}
	if d.keys("U U U U"); d.reader.Opened() == nil || d.reader.Opened().TurnID.String() != second || d.timeline.Zoom().IsAll() {
		t.Errorf("forward reads %v", d.reader.Opened())
	}
}

func TestChat_AgentLeavesOtherPanesAlone(t *testing.T) {
	for name, elsewhere := range map[string]string{"in the list": "tab tab", "in the query": "/", "in a turn": "shift+tab", "in a menu": ":"} {
		t.Run(name, func(t *testing.T) {
			e := newFake(1200)
			d := chatting(e, investigation(e), 120, 40).search("lentils")
			d.hold = true
			d.asks("when?")
			d.keys(elsewhere)
			d.hold, d.queue, d.held = false, d.held, nil
			focus, top := d.focus, d.dialogs.Top()
			d.work()
			if d.bar.Text() != "lentils" || !d.timeline.Zoom().IsAll() || d.focus != focus || d.dialogs.Top() != top {
				t.Errorf("sought is %q, the focus on %d", d.bar.Text(), d.focus)
			}
			if last := d.chat.Last(); len(last.Steps) != 4 || last.Answer() == "" {
				t.Errorf("the chat tells of %d steps and %q", len(last.Steps), last.Answer())
			}
		})
	}
}

func TestChat_CitationByNumber(t *testing.T) {
	e := newFake(1200)
	for name, c := range map[string]struct {
		keys string
		want int
	}{
		"chosen": {"n n enter", 2}, "chosen back": {"N N enter", 1}, "typed as a question": {"c 2 enter", 2}, "typed in brackets": {"c [ 1 ] enter", 1},
	} {
		t.Run(name, func(t *testing.T) {
			i := investigation(e)
			d := chatting(e, i, 120, 40).asks("when?")
			places := len(d.places.places)
			d.keys("u u u u").keys(c.keys)
			if want := d.chat.Last().Citations[c.want-1].TurnID; d.reader.Opened() == nil || d.reader.Opened().TurnID.String() != want || d.focus != paneReader {
				t.Errorf("opened %v, focus on %d", d.reader.Opened(), d.focus)
			}
			if len(i.asked) != 1 || places < 5 {
				t.Errorf("%d questions, %d places", len(i.asked), places)
			}
			if d.keys("u"); d.reader.Opened().TurnID.String() == d.chat.Last().Citations[c.want-1].TurnID {
				t.Error("back does not leave the turn")
			}
		})
	}
	d := chatting(e, investigation(e), 120, 40).asks("when?").keys("c 7 enter")
	d.mustShow(t, "No source [7]")
	if d.keys("esc n esc"); !d.chatAt.open {
		t.Error("esc closes the chat while a citation is chosen")
	}
	if d.keys("enter"); d.focus != paneQuestion {
		t.Error("esc does not give up the choice")
	}
}

func TestChat_ClickOnACitation(t *testing.T) {
	e := newFake(1200)
	d := chatting(e, investigation(e), 120, 40).asks("when?")
	d.keys("u u u u")
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, ok := strings.Cut(line, "[2]"); ok && y > 30 {
			d.send(tea.MouseClickMsg{X: ansi.StringWidth(before) + 1, Y: y, Button: tea.MouseLeft})
			if want := d.chat.Last().Citations[1].TurnID; d.reader.Opened() == nil || d.reader.Opened().TurnID.String() != want {
				t.Errorf("read is %v, want %s", d.reader.Opened(), want)
			}
			return
		}
	}
	t.Errorf("nothing to click on:\n%s", d.screen())
}

func TestChat_KeysThatStop(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c", "c esc"} {
		i := &investigator{}
		d := chatting(newFake(300), i, 120, 40)
		d.hold = true
		d.asks("when?")
		d.hold = false
		d.keys(key).mustShow(t, "stopped (r asks again)")
		if d.chat.IsAnswering() || d.quit || len(i.Kept) != 1 {
			t.Errorf("%s: it goes on, the explorer ended, or %d chats are kept", key, len(i.Kept))
		}
	}
}

func TestChat_FollowUpRetryAndEdit(t *testing.T) {
	e := newFake(1200)
	i := investigation(e)
	d := chatting(e, i, 120, 40).asks("when?").asks("why?")
	last := func() []agent.Message { return i.asked[len(i.asked)-1] }
	if m := last(); len(m) != 3 || m[0].Text != "when?" || m[1].Role != agent.Assistant || m[2].Text != "why?" {
		t.Errorf("asked on with %+v", m)
	}
	d.keys("c up ! enter")
	if m := last(); len(m) != 3 || m[2].Text != "why?!" || len(d.chat.Exchanges()) != 2 {
		t.Errorf("edited, asked with %+v", m)
	}
	d.keys("r")
	if m := last(); len(m) != 3 || m[2].Text != "why?!" || len(d.chat.Exchanges()) != 2 {
		t.Errorf("again, asked with %+v", m)
	}
	d.keys("p r")
	if len(d.chat.Exchanges()) != 3 {
		t.Error("a conclusion gave way to another answer")
	}
}

func TestChat_FailureSaysWhatToDo(t *testing.T) {
	e := newFake(300)
	i := &investigator{events: []agent.Event{agent.Partial{Text: "Half"}}, err: errors.New("the server said no\x1b[2J")}
	d := chatting(e, i, 120, 40).asks("when?")
	d.mustShow(t, "Half", "error: the server said no", "r asks again")
	i.events, i.err = []agent.Event{agent.Done{Answer: "Whole."}}, nil
	d.keys("r").mustShow(t, "Whole.")
	d.mustNotShow(t, "error:")
}

func TestChat_SaysWhereQuestionsGo(t *testing.T) {
	e := newFake(30)
	i := &investigator{events: []agent.Event{agent.Done{Answer: "Yes."}}}
	d := chatting(e, i, 120, 40)
	d.keys("c")
	d.mustShow(t, "api.example.")
	d.asks("?").mustNotShow(t, "api.example")
	local := i.chat()
	local.Host, local.Local = "localhost", true
	d = drive(Options{Archive: over(e), Chat: local}, 120, 40).keys("c")
	d.mustShow(t, "localhost,", "this machine")
}

func TestChat_WithoutAModel(t *testing.T) {
	d := drive(Options{
		Archive: over(newFake(30)), Chat: Chat{Err: errors.New("no chat model")},
		Explain: func(err error) (string, string) { return err.Error(), "set OPENAI_API_KEY" },
	}, 120, 40).keys("4")
	d.mustShow(t, "No chat model", "Set OPENAI_API_KEY, and start Lens again.", "Searching needs none.")
	d.mustNotShow(t, "enter ask", "last question")
	d.keys("esc").mustNotShow(t, "No chat model")
	d.keys("c ctrl+p").mustShow(t, "─ Commands ─")
}

// What is typed there is text: no letter of it is a command, and enter says again what is missing.
func TestChat_WithoutAModelNothingThatIsTypedRuns(t *testing.T) {
	d := drive(Options{
		Archive: over(newFake(30)), Chat: Chat{Err: errors.New("no chat model")},
		Explain: func(err error) (string, string) { return err.Error(), "set OPENAI_API_KEY" },
	}, 120, 40)
	for _, way := range []string{"c", "tab shift+tab", "esc 4"} {
		d.keys(way).typed("when did I lose weight?").mustShow(t, "› when did I lose weight?")
		d.keys("enter").mustShow(t, "No chat model", "› when did I lose weight?", "OPENAI_API_KEY, and start Lens again. ")
		if d.dialogs.IsOpen() || d.focus != paneQuestion || d.chat.Last() != nil {
			t.Errorf("after %q the focus is on %d:\n%s", way, d.focus, d.screen())
		}
		d.keys("ctrl+u")
	}
	d.keys("enter").mustShow(t, "No chat model. Set OPENAI_API_KEY, and start Lens again.")
}

func TestChat_RemappedKeysEditTheQuestion(t *testing.T) {
	i := &investigator{}
	d := drive(Options{
		Archive: over(newFake(30)), Chat: i.chat(),
		Settings: Settings{Keys: map[string][]string{"delete-back": {"ctrl+x"}, "ask.send": {"ctrl+d"}, "ask.new-line": {"enter"}}},
	}, 120, 40).keys("c a b ctrl+x backspace enter c")
	if got := d.chat.Typed(); got != "a\nc" {
		t.Errorf("typed is %q", got)
	}
	if d.keys("ctrl+d"); len(i.asked) != 1 {
		t.Error("the key for sending does not send")
	}
}

func TestChat_QuestionOfSeveralLines(t *testing.T) {
	d := chatting(newFake(30), &investigator{}, 120, 40).keys("c")
	for _, r := range "東京 one" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.send(tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl})
	d.send(tea.PasteMsg{Content: "two\nthree"})
	if got := d.chat.Typed(); got != "東京 one\ntwo\nthree" {
		t.Errorf("typed is %q", got)
	}
	r := d.layout().at[paneChat]
	if x, y := d.cursor(); x != r.x+2+2+len("three") || y != r.y+r.h-1 {
		t.Errorf("the cursor is at %d,%d in %v", x, y, r)
	}
	d.keys("up up home")
	d.keys("ctrl+k")
	if got := d.chat.Typed(); got != "\ntwo\nthree" || d.bar.Text() != "" {
		t.Errorf("after deleting a line %q is left, and %q in the query", got, d.bar.Text())
	}
}
