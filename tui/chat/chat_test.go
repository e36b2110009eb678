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
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// fake is a chat model that replays events, and a place for chats.
type fake struct {
	events     []agent.Event
	err        error
	asked      [][]agent.Message
	kept       map[string]agent.Session
	wont, lost error // of saving and loading
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

func (f *fake) Load() ([]agent.Session, error) { return slices.Collect(maps.Values(f.kept)), f.lost }

func (f *fake) Save(s agent.Session) error {
	if f.wont == nil {
		f.kept[s.ID] = s
	}
	return f.wont
}

// driver runs a chat without an app: commands run one after another, and it has the focus that it asks for.
type driver struct {
	*Chat
	model  *fake
	posted []any
	held   []tea.Cmd // if hold
	hold   bool
}

// driving returns a chat whose model says the texts.
func driving(texts ...string) *driver {
	f := &fake{kept: map[string]agent.Session{}}
	for _, text := range texts {
		f.events = append(f.events, agent.Text{Text: text})
	}
	c := &ui.Context{Ctx: context.Background(), Now: func() time.Time { return noon }, Theme: mono}
	d := &driver{Chat: New(c, Options{Model: "gpt-4o", Host: "api.example", Investigator: f, Sessions: f}, asWritten), model: f}
	d.SetSize(78, 20)
	d.SetReady(true)
	return d
}

// work runs a command, and what follows from it.
func (d *driver) work(cmd tea.Cmd) *driver {
	for queue := []tea.Cmd{cmd, d.Requests()}; len(queue) > 0; queue = queue[1:] {
		for _, msg := range d.ui.Posted() {
			d.posted = append(d.posted, msg)
			if f, ok := msg.(Focus); ok {
				d.SetFocus(f)
			}
		}
		switch {
		case queue[0] == nil:
		case d.hold:
			d.held = append(d.held, queue[0])
		default:
			switch msg := queue[0]().(type) {
			case nil:
			case tea.BatchMsg:
				queue = append(queue, msg...)
			default:
				queue = append(queue, d.Update(msg), d.Requests())
			}
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
		d.work(all[at].Do())
	}
	return d
}

func (d *driver) asks(question string) *driver {
	d.work(d.Update(pasted(question)))
	return d.does("send")
}

// begins asks, and lets the model speak without that being delivered.
func (d *driver) begins(question string) *driver {
	d.hold = true
	d.asks(question)
	d.hold, d.held = false, nil
	runCmd(d.ui, d.model, d.stream, nil)()
	return d
}

func (d *driver) text() string {
	d.Arrange()
	return ansi.Strip(strings.Join(d.View(), "\n"))
}

// only returns the one chat that is kept.
func (d *driver) only(t *testing.T) agent.Session {
	t.Helper()
	if len(d.model.kept) != 1 {
		t.Fatalf("%d chats are kept", len(d.model.kept))
	}
	return slices.Collect(maps.Values(d.model.kept))[0]
}

func TestChat_AsksAnswersAndSaves(t *testing.T) {
	d := driving("The ", "answer.").asks("What is it?")
	if got := d.text(); !strings.Contains(got, "you  What is it?") || !strings.Contains(got, "The answer.") {
		t.Errorf("shown is\n%s", got)
	}
	if !slices.Contains(d.posted, any(OnAnswers)) || d.IsAnswering() || d.Typed() != "" {
		t.Errorf("posted is %v, typed %q", d.posted, d.Typed())
	}
	if s := d.only(t); s.Name != "What is it?" || s.Exchanges[0].Answer != "The answer." {
		t.Errorf("kept is %+v", s)
	}
}

func TestChat_PasteNeverActsAsKeys(t *testing.T) {
	d := driving("No.")
	d.work(d.Update(pasted("q\nr\n")))
	if d.Typed() != "q\nr\n" || d.focus != OnQuestion || len(d.model.asked) > 0 {
		t.Errorf("typed is %q, asked %d times", d.Typed(), len(d.model.asked))
	}
}

func TestChat_StopKeepsThePartialAnswer(t *testing.T) {
	for name, stop := range map[string]func(*driver){
		"by the user":           func(d *driver) { d.does("stop") },
		"while the next is put": func(d *driver) { d.work(d.Ask()).does("stop") },
		"by the lock":           func(d *driver) { d.Lock(); d.work(nil) },
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
	old := d.stream
	d.begins("and why?")
	d.work(d.Update(heardMsg{from: old}))
	if d.stream == nil || d.stream == old || d.Last().Answer() != "" {
		t.Error("the superseded answer still counts")
	}
	if first := d.Exchanges()[0].Keep(); first.Broken != agent.BrokenByPerson || first.Answer != "first" {
		t.Errorf("the superseded one is %+v", first)
	}
}

func TestChat_FailureIsExplainedOnce(t *testing.T) {
	d := driving("Half")
	explained := 0
	d.ui.Explain = func(error) (string, string) { explained++; return "it is tired", "wait" }
	d.model.err = errors.New("429")
	d.asks("when?")
	at := slices.IndexFunc(d.posted, func(msg any) bool { _, ok := msg.(ui.Failed); return ok })
	if at < 0 || d.posted[at].(ui.Failed).Message != "it is tired" || explained != 1 {
		t.Errorf("explained %d times, posted %v", explained, d.posted)
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
	if d.Last() != nil || strings.Contains(d.text(), "secret") || d.record.session.ID != "" {
		t.Errorf("a locked chat shows\n%s", d.text())
	}
	d.work(d.Unlock())
	if got := d.text(); !strings.Contains(got, "The secret.") {
		t.Errorf("after unlocking:\n%s", got)
	}
}

func TestChat_LockWaitsForTheSave(t *testing.T) {
	d := driving("The secret.")
	d.model.wont = errors.New("the disk is full")
	d.asks("What is it?").Lock()
	if d.Last() == nil {
		t.Fatal("a chat that could not be saved is lost")
	}
	d.model.wont, d.record.due = nil, true
	if d.work(d.Save()); d.Last() != nil || len(d.model.kept) != 1 {
		t.Errorf("saved late, it stays in memory; %d are kept", len(d.model.kept))
	}
}

func TestChat_ViewChangesNothing(t *testing.T) {
	d := driving("One.\n\nTwo.\n\nThree.").asks("What is it?").asks("And then?")
	d.SetSize(30, 6)
	d.said.Scroll(-3)
	d.text()
	before := *d.Chat
	if d.View(); !reflect.DeepEqual(before.said, d.said) || !slices.Equal(d.View(), d.View()) {
		t.Errorf("the transcript was %+v, is %+v", before.said, d.said)
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
	d.work(d.change(d.only(t), func(s *agent.Session) { s.Name = "It" }, spot{row: 1}))
	if item, _ := d.menu(t).Chosen(); item.Label != "It" || !strings.Contains(d.Remark(), "It") {
		t.Errorf("the cursor is on %q, the chat is %q", item.Label, d.Remark())
	}
	if d.Lock(); d.Last() != nil {
		t.Error("a chat that was saved under another name stays in memory")
	}
}

// menu returns the dialog that was opened last.
func (d *driver) menu(t *testing.T) *dialog.Menu {
	t.Helper()
	open, _ := d.posted[len(d.posted)-1].(dialog.Open)
	menu, ok := open.Dialog.(*dialog.Menu)
	if !ok {
		t.Fatalf("posted is %+v", d.posted)
	}
	menu.SetSize(80, 24)
	return menu
}

func TestChat_ListOfSavedChats(t *testing.T) {
	d := driving("Three ways.").asks("How do I cancel?")
	d.said.Last().Conclusion, d.record.due = true, true
	d.work(d.Save()).work(d.begin()).asks("What is next?")
	d.work(d.list(spot{}))
	list := ansi.Strip(strings.Join(d.menu(t).View(), "\n"))
	for _, want := range []string{"> New chat", "How do I cancel?", "Three ways.", "conclusion", "What is next?"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list does not show %q:\n%s", want, list)
		}
	}
	archive := func(id string) {
		d.menu(t).Seek(id, 0)
		cmd, _ := d.menu(t).Update(tea.KeyPressMsg{Code: 'x', Mod: tea.ModCtrl})
		d.work(cmd)
	}
	if archive("none"); !slices.Contains(d.posted, any(ui.Notify("No chat to archive on this row"))) {
		t.Errorf("posted is %v", d.posted)
	}
}

func TestChat_NothingArrivesWhileLocked(t *testing.T) {
	d := driving("The secret.").asks("What is it?")
	list := d.list(spot{})
	d.Lock()
	recall := d.Unlock()
	d.Lock()
	posted := len(d.posted)
	if d.work(tea.Batch(list, recall)); d.Last() != nil || len(d.posted) != posted {
		t.Errorf("a locked chat shows %v, and posts %v", d.Last(), d.posted[posted:])
	}
	if d.work(d.Unlock()); d.Last() == nil {
		t.Error("after unlocking it is not there again")
	}
}

func pasted(text string) tea.PasteMsg { return tea.PasteMsg{Content: text} }
