package chat

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/chat/chattest"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// fake is a chat model that replays events, and a place for chats.
type fake struct {
	events []agent.Event
	err    error
	asked  [][]agent.Message
	chattest.Sessions
}

func (f *fake) Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
	f.asked = append(f.asked, messages)
	return func(yield func(agent.Event, error) bool) {
		for _, e := range f.events {
			if ctx.Err() != nil || !yield(e, nil) {
				return
			}
		}
		if f.err != nil {
			yield(nil, f.err)
		}
	}
}

// driver runs a chat without an app. The chat has the focus that it asks for.
type driver struct {
	*Chat
	*uitest.Driver
	model *fake
}

// driving returns a chat whose model says the texts.
func driving(texts ...string) *driver {
	f := &fake{}
	for _, text := range texts {
		f.events = append(f.events, agent.Text{Text: text})
	}
	ctx := uitest.Context(theme.Mono)
	c := New(ctx, Options{Model: "gpt-4o", Host: "api.example", Investigator: f, Sessions: f}, asWritten)
	c.SetSize(78, 20)
	c.SetReady(true)
	d := &driver{c, uitest.Drive(ctx, c), f}
	d.Hear = func(posted any) {
		if f, ok := posted.(Focus); ok {
			d.SetFocus(f)
		}
	}
	return d
}

// does runs commands by ID, of the answers or of the question.
func (d *driver) does(ids ...string) *driver {
	for _, id := range ids {
		all := slices.Concat(d.Commands(), d.QuestionCommands())
		if d.focus == OnQuestion {
			all = d.QuestionCommands()
		}
		at := slices.IndexFunc(all, func(c ui.Command) bool { return c.ID == id })
		d.Run(all[at].Do())
	}
	return d
}

func (d *driver) asks(question string) *driver {
	d.Paste(question)
	return d.does("send")
}

// begins asks, and lets the model speak without that being delivered.
func (d *driver) begins(question string) *driver {
	d.Hold = true
	d.asks(question)
	d.Hold, d.Held = false, nil
	d.investigation.runCmd(nil)()
	return d
}

func (d *driver) text() string {
	d.Arrange()
	return d.Text()
}

// only returns the one chat that is kept.
func (d *driver) only(t *testing.T) agent.Session {
	t.Helper()
	if len(d.model.Kept) != 1 {
		t.Fatalf("%d chats are kept", len(d.model.Kept))
	}
	return slices.Collect(maps.Values(d.model.Kept))[0]
}

func TestChat_AsksAnswersAndSaves(t *testing.T) {
	d := driving("The ", "answer.").asks("What is it?")
	if got := d.text(); !strings.Contains(got, "What is it?") || !strings.Contains(got, "The answer.") {
		t.Errorf("shown is\n%s", got)
	}
	if posted := d.Posted(); !slices.Contains(posted, any(OnAnswers)) || d.IsAnswering() || d.Typed() != "" {
		t.Errorf("posted is %v, typed %q", posted, d.Typed())
	}
	if s := d.only(t); s.Name != "What is it?" || s.Exchanges[0].Answer != "The answer." {
		t.Errorf("kept is %+v", s)
	}
}

func TestChat_PasteNeverActsAsKeys(t *testing.T) {
	d := driving("No.")
	d.Paste("q\nr\n")
	if d.Typed() != "q\nr\n" || d.focus != OnQuestion || len(d.model.asked) > 0 {
		t.Errorf("typed is %q, asked %d times", d.Typed(), len(d.model.asked))
	}
}

func TestChat_StopKeepsThePartialAnswer(t *testing.T) {
	for name, stop := range map[string]func(*driver){
		"by the user":           func(d *driver) { d.does("leave") },
		"while the next is put": func(d *driver) { d.Run(d.Ask()); d.does("stop") },
		"by the lock":           func(d *driver) { d.Lock(); d.Run(nil) },
		"at the end": func(d *driver) {
			for range 2 { // the second time there is nothing to save
				if err := d.End(); err != nil {
					t.Error(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := driving("Half an ans").begins("when?")
			stop(d)
			if x := d.only(t).Exchanges[0]; x.Answer != "Half an ans" || x.Broken != agent.BrokenByPerson {
				t.Errorf("kept is %+v", x)
			}
			if d.IsAnswering() {
				t.Error("the answer goes on")
			}
		})
	}
}

func TestChat_LateEventsAreDropped(t *testing.T) {
	d := driving("first").begins("when?")
	old := d.investigation.stream
	d.begins("and why?")
	d.Send(heardMsg{from: old})
	if d.investigation.stream == nil || d.investigation.stream == old || d.Last().Answer() != "" {
		t.Error("the superseded answer still counts")
	}
	if first := d.Exchanges()[0].Keep(); first.Broken != agent.BrokenByPerson || first.Answer != "first" {
		t.Errorf("the superseded one is %+v", first)
	}
}

func TestChat_FailureIsExplainedOnce(t *testing.T) {
	d := driving("Half")
	explained := 0
	d.UI.Explain = func(error) (string, string) { explained++; return "it is tired", "wait" }
	d.model.err = errors.New("429")
	d.asks("when?")
	posted := d.Posted()
	at := slices.IndexFunc(posted, func(msg any) bool { _, ok := msg.(ui.Failed); return ok })
	if at < 0 || posted[at].(ui.Failed).Message != "it is tired" || explained != 1 {
		t.Errorf("explained %d times, posted %v", explained, posted)
	}
	if got := d.text(); !strings.Contains(got, "error: it is tired") || !strings.Contains(got, "wait") {
		t.Errorf("shown is\n%s", got)
	}
}

func TestChat_NotReady(t *testing.T) {
	d := driving("No.")
	d.SetReady(false)
	if d.asks("when?"); d.Typed() != "when?" || d.Last() != nil || len(d.model.asked) > 0 {
		t.Errorf("typed is %q", d.Typed())
	}
}

func TestChat_LockDropsWhatIsSaved(t *testing.T) {
	d := driving("The secret.").asks("What is it?")
	d.text()
	d.Lock()
	if d.Last() != nil || strings.Contains(d.text(), "secret") || d.record.id != "" {
		t.Errorf("a locked chat shows\n%s", d.text())
	}
	d.Run(d.Unlock())
	if got := d.text(); !strings.Contains(got, "The secret.") {
		t.Errorf("after unlocking:\n%s", got)
	}
}

func TestChat_LockDropsWhatIsNeverSaved(t *testing.T) {
	ctx := uitest.Context(theme.Mono)
	model := &fake{events: []agent.Event{agent.Text{Text: "The secret."}}}
	c := New(ctx, Options{Model: "gpt-4o", Investigator: model}, asWritten)
	c.SetSize(78, 20)
	c.SetReady(true)
	d := &driver{c, uitest.Drive(ctx, c), model}
	d.Hear = func(any) { d.SetFocus(OnQuestion) }
	d.asks("What is it?").MustShow(t, "The secret.")
	d.Lock()
	if d.Last() != nil || strings.Contains(d.text(), "secret") {
		t.Errorf("a locked chat shows\n%s", d.text())
	}
	if d.Run(d.Unlock()); d.Last() != nil {
		t.Errorf("after unlocking:\n%s", d.text())
	}
}

func TestChat_LockWaitsForTheSave(t *testing.T) {
	d := driving("The secret.")
	d.model.Wont = errors.New("the disk is full")
	d.asks("What is it?").Lock()
	if d.Last() == nil {
		t.Fatal("a chat that could not be saved is lost")
	}
	if d.Run(d.Unlock()); d.Last() == nil {
		t.Fatal("unlocking loses it")
	}
	d.Lock()
	d.model.Wont = nil
	d.Run(d.Unlock())
	if d.Lock(); d.Last() != nil || len(d.model.Kept) != 1 {
		t.Errorf("saved after unlocking, it stays in memory; %d are kept", len(d.model.Kept))
	}
}

func TestChat_ViewChangesNothing(t *testing.T) {
	d := driving("One.\n\nTwo.\n\nThree.").asks("What is it?").asks("And then?")
	d.SetSize(30, 6)
	d.said.Scroll(-3)
	d.text()
	before := *d.said
	if d.View(); !reflect.DeepEqual(before, *d.said) || !slices.Equal(d.View(), d.View()) {
		t.Errorf("the transcript was %+v, is %+v", before, *d.said)
	}
}

// Right below the turn, which says so of itself, it would be said twice.
func TestChat_SaysHowMuchIsBelowWithTheFocus(t *testing.T) {
	d := driving("One.\n\nTwo.\n\nThree.").asks("What is it?")
	d.SetSize(30, 6)
	d.text()
	d.said.Scroll(-3)
	for focus, want := range map[Focus]bool{OnNothing: false, OnAnswers: true, OnQuestion: true} {
		if d.SetFocus(focus); strings.Contains(d.text(), "lines below") != want {
			t.Errorf("with the focus %v it shows\n%s", focus, d.text())
		}
	}
}

// The sources of a long answer stay in view, below the rule that says how much of it is cut.
func TestChat_RuleIsWhereTheAnswerIsCut(t *testing.T) {
	const answer = "First [1].\n\n2.\n\n3.\n\n4.\n\n5."
	d := driving(answer)
	d.model.events = append(d.model.events, agent.Done{Answer: answer, Citations: []agent.Citation{citation(1)}})
	d.asks("What is it?")
	d.SetSize(40, 9)
	d.SetDense(true)
	d.SetFocus(OnAnswers)
	lines := strings.Split(d.text(), "\n")
	if !strings.HasSuffix(lines[6], "lines below") || !strings.HasPrefix(lines[7], "Sources  [1]") {
		t.Fatalf("below the answer is\n%s", strings.Join(lines, "\n"))
	}
	opens := func(posted any) bool { _, opens := posted.(ui.OpenTurn); return opens }
	d.Posted()
	if d.Click(10, 7); !slices.ContainsFunc(d.Posted(), opens) {
		t.Error("a click on a source does not open it")
	}
	if d.Click(10, 6); slices.ContainsFunc(d.Posted(), opens) || d.focus != OnQuestion {
		t.Error("a click on the rule does not go to the input")
	}
	d.SetFocus(OnAnswers)
	d.said.End()
	if lines := strings.Split(d.text(), "\n"); !strings.HasPrefix(lines[6], "Sources  [1]") {
		t.Errorf("at its end, below the answer is\n%s", strings.Join(lines, "\n"))
	}
}

func TestChat_HiddenKeepsItsPlace(t *testing.T) {
	answer := ""
	for i := range 30 {
		answer += fmt.Sprintf("Line %d.\n\n", i)
	}
	d := driving(answer).asks("What is it?")
	d.text()
	d.Scroll(-5)
	before := d.text()
	d.SetSize(0, -1)
	d.Arrange()
	d.SetSize(78, 20)
	if got := d.text(); got != before {
		t.Errorf("shown again, it is at\n%s\nand was at\n%s", got, before)
	}
}

func TestChat_LockDropsAfterAChangeInTheList(t *testing.T) {
	d := driving("The secret.").asks("What is it?")
	d.Run(d.list.change(d.only(t).ID, func(s *agent.Session) { s.Name = "It" }, spot{row: 1}))
	if item, _ := d.menu(t).Chosen(); item.Label != "It" {
		t.Errorf("the cursor is on %q", item.Label)
	}
	if d.Lock(); d.Last() != nil {
		t.Error("a chat that was saved under another name stays in memory")
	}
}

// menu returns the dialog that was opened last.
func (d *driver) menu(t *testing.T) *dialog.Menu {
	t.Helper()
	posted := d.Posted()
	open, _ := posted[len(posted)-1].(dialog.Open)
	menu, ok := open.Dialog.(*dialog.Menu)
	if !ok {
		t.Fatalf("posted is %+v", posted)
	}
	menu.SetSize(80, 24)
	return menu
}

func TestChat_ListOfSavedChats(t *testing.T) {
	d := driving("Three ways.").asks("How do I cancel?")
	d.said.Last().Pin()
	d.record.pin(d.said.Last())
	d.Run(nil).Run(d.begin())
	d.asks("What is next?").Run(d.list.open(spot{}))
	menu := d.menu(t)
	uitest.MustShow(t, menu.View(), "▌ New chat", "How do I cancel?", "Three ways.", "conclusion", "What is next?")
	menu.Update(uitest.Key("ctrl+x"))
	if posted := d.Posted(); !slices.Equal(posted, []any{ui.Notify("No chat to archive on this row")}) {
		t.Errorf("posted is %v", posted)
	}
}

func TestChat_NothingArrivesWhileLocked(t *testing.T) {
	d := driving("The secret.").asks("What is it?")
	list := d.list.open(spot{})
	d.Lock()
	recall := d.Unlock()
	d.Lock()
	d.Posted()
	d.Run(tea.Batch(list, recall))
	if posted := d.Posted(); d.Last() != nil || len(posted) > 0 {
		t.Errorf("a locked chat shows %v, and posts %v", d.Last(), posted)
	}
	if d.Run(d.Unlock()); d.Last() == nil {
		t.Error("after unlocking it is not there again")
	}
}

func TestChat_OnlyTheLatestListOpens(t *testing.T) {
	d := driving("The secret.").asks("What is it?")
	first, second := d.list.open(spot{}), d.list.open(spot{})
	d.Posted()
	if d.Run(second).Run(first); len(d.Posted()) != 1 {
		t.Error("two lists open")
	}
	late := d.list.open(spot{})
	d.Lock()
	early := d.Unlock()
	d.Lock()
	recall := d.Unlock()
	if d.Run(tea.Batch(late, early)); d.Last() != nil || len(d.Posted()) > 0 {
		t.Error("what was asked for before a lock arrives after it")
	}
	if d.Run(recall); d.Last() == nil {
		t.Error("the chat is not loaded again")
	}
}

// What the model cannot do, or which model could be used, is said until the first question.
func TestChat_Informs(t *testing.T) {
	asked := 0
	inform := func(context.Context) []string {
		asked++
		return []string{"gemma cannot call tools.\x1b[31m", "And another one."}
	}
	ctx, f := uitest.Context(theme.Mono), &fake{events: []agent.Event{agent.Text{Text: "So."}}}
	c := New(ctx, Options{Model: "gemma", Host: "localhost", Local: true, Investigator: f, Sessions: f, Inform: inform}, asWritten)
	c.SetReady(true)
	d := &driver{c, uitest.Drive(ctx, c), f}
	if d.Send(nil, nil); asked != 0 {
		t.Errorf("asked %d times before the chat is in view", asked)
	}
	c.SetSize(78, 20)
	d.Send(nil, nil).MustShow(t, "on this machine.", "gemma cannot call tools.␛[31m", "And another one.")
	d.asks("When?")
	if text := uitest.Text(c.View()); asked != 1 || strings.Contains(text, "cannot call tools") || !strings.Contains(text, "So.") {
		t.Errorf("asked %d times, shown is\n%s", asked, text)
	}
	ctx = uitest.Context(theme.Mono)
	c = New(ctx, Options{Err: errors.New("no chat model"), Inform: inform}, asWritten)
	c.SetSize(78, 20)
	uitest.Drive(ctx, c).Send(nil, nil).MustShow(t, "gemma cannot call tools.")
}

func TestChat_MissingModelIsExplainedOnce(t *testing.T) {
	ctx, explained := uitest.Context(theme.Mono), 0
	ctx.Explain = func(err error) (message, hint string) {
		explained++
		return err.Error(), "add a key"
	}
	c := New(ctx, Options{Err: errors.New("no chat model")}, asWritten)
	d := uitest.Drive(ctx, c)
	if d.Send(nil, nil); explained != 0 {
		t.Errorf("explained %d times before the chat is in view", explained)
	}
	c.SetSize(78, 20)
	d.Send(nil, nil).Paste("Why?").MustShow(t, "No chat model", "Add a key, and start Lens again.", "Searching needs none.")
	uitest.Do(t, c.QuestionCommands(), "send")
	if posted := d.Posted(); explained != 1 || !slices.Contains(posted, any(ui.Notify("No chat model. Add a key, and start Lens again."))) {
		t.Errorf("explained %d times, posted are %v", explained, posted)
	}
}
