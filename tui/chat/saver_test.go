package chat

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/agent"
	"lens/internal/errs"
	"lens/tui/chat/chattest"
	"lens/tui/ui"
)

// questions returns the questions that are kept, with their answers.
func questions(kept agent.Session) string {
	var all []string
	for _, e := range kept.Exchanges {
		all = append(all, strings.TrimSpace(e.Question+" "+e.Answer))
	}
	return strings.Join(all, "; ")
}

// witness notes what is kept when it is asked.
type witness struct {
	*fake
	saw agent.Session
}

func (w *witness) Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
	for _, kept := range w.Kept {
		w.saw = kept
	}
	return w.fake.Investigate(ctx, messages)
}

func TestChat_SavesTheQuestionBeforeItIsAnswered(t *testing.T) {
	d := driving("In May.")
	w := &witness{fake: d.model}
	d.investigation.by = w
	for n, question := range []string{"When?", "And why?"} {
		d.asks(question)
		if len(w.saw.Exchanges) != n+1 {
			t.Fatalf("kept is %q before the answer", questions(w.saw))
		}
		if e := w.saw.Exchanges[n]; e.Question != question || !e.Answering || e.Broken != "" || e.Answer != "" {
			t.Errorf("kept is %+v before the answer", e)
		}
		if e := d.only(t).Exchanges[n]; e.Answering || e.Answer != "In May." {
			t.Errorf("kept is %+v after the answer", e)
		}
	}
}

func TestChat_ForgottenStaysForgotten(t *testing.T) {
	d := driving("In May.").asks("When?")
	clear(d.model.Kept)
	d.Posted()
	d.asks("And why?")
	if len(d.model.Kept) > 0 {
		t.Errorf("kept again is %q", questions(d.only(t)))
	}
	said := ""
	for _, msg := range d.Posted() {
		if failed, ok := msg.(ui.Failed); ok {
			said = failed.Said + ": " + failed.Message + " " + failed.Hint
		}
	}
	if said != "cannot save the chat: it was forgotten meanwhile chat.new-session begins a new chat" {
		t.Errorf("said is %q", said)
	}
	if err := d.End(); err != nil {
		t.Errorf("at the end: %v", err)
	}
	d.Run(d.begin()).Run(nil)
	if d.asks("What else?"); questions(d.only(t)) != "What else? In May." {
		t.Errorf("kept of the next chat is %q", questions(d.only(t)))
	}
}

func TestChat_ForgottenIsNotRecalled(t *testing.T) {
	d := driving("In May.").asks("When?")
	clear(d.model.Kept)
	d.asks("And why?").Lock()
	if d.Last() != nil {
		t.Error("a forgotten chat stays in memory behind the lock")
	}
	if d.Run(d.Unlock()); d.Last() != nil || len(d.model.Kept) > 0 {
		t.Errorf("it is back after unlocking: %v", d.Last())
	}
}

func TestChat_KeepsWhatOthersSave(t *testing.T) {
	d := driving("In May.").asks("When?")
	others := func(how func(*agent.Session)) {
		if _, err := d.model.Change(t.Context(), d.record.id, how); err != nil {
			t.Fatal(err)
		}
	}
	others(func(s *agent.Session) {
		s.Name, s.Pinned = "Renamed", true
		s.Put(agent.Exchange{Question: "Over HTTP?", Answer: "Yes.", Asked: d.UI.Now().Add(time.Minute)})
	})
	d.asks("And why?")
	if kept := d.only(t); questions(kept) != "When? In May.; Over HTTP? Yes.; And why? In May." || kept.Name != "Renamed" || !kept.Pinned {
		t.Errorf("kept is %q, %+v", questions(kept), kept)
	}
	others(func(s *agent.Session) { s.Put(agent.Exchange{Question: "Again?", Asked: d.UI.Now().Add(time.Hour)}) })
	if d.does("retry"); questions(d.only(t)) != "When? In May.; Over HTTP? Yes.; Again?; And why? In May." {
		t.Errorf("after asking again, kept is %q", questions(d.only(t)))
	}
	others(func(s *agent.Session) { s.Exchanges[0].Answer = "In June." })
	d.said.exchanges[0].State = Answered
	d.said.exchanges[0].Pin()
	d.record.pin(d.said.exchanges[0])
	if d.Run(nil); d.only(t).Exchanges[0].Answer != "In June." || !d.only(t).Exchanges[0].Conclusion {
		t.Errorf("pinning keeps %+v", d.only(t).Exchanges[0])
	}
}

func TestChat_SavesLaterWhatFailed(t *testing.T) {
	d := driving("In May.")
	d.model.Wont = errors.New("the disk is full")
	d.asks("When?").asks("And why?")
	if len(d.model.Kept) > 0 {
		t.Fatal("it was kept")
	}
	d.model.Wont = nil
	if d.asks("What else?"); questions(d.only(t)) != "When? In May.; And why? In May.; What else? In May." {
		t.Errorf("kept is %q", questions(d.only(t)))
	}
	d.model.Wont = errors.New("the disk is full")
	d.asks("And then?")
	d.model.Wont = nil
	if err := d.End(); err != nil || len(d.only(t).Exchanges) != 4 {
		t.Errorf("at the end, kept is %q: %v", questions(d.only(t)), err)
	}
}

// A change that comes while others are saved is saved after them.
func TestSaver_ChangeDuringASave(t *testing.T) {
	kept := &chattest.Sessions{}
	s := &saver{sessions: kept}
	s.begin("a", func(one *agent.Session) {
		one.Name += "1"
		s.add("a", func(one *agent.Session) { one.Name += "2" })
	})
	for _, want := range []string{"1", "12", "12"} {
		if err := s.save(t.Context()); err != nil || kept.Kept["a"].Name != want {
			t.Errorf("kept is %q, want %q: %v", kept.Kept["a"].Name, want, err)
		}
	}
	if !s.isSaved("a") {
		t.Error("something waits")
	}
}

// One chat that cannot be saved does not keep another from it.
func TestSaver_EachChatOnItsOwn(t *testing.T) {
	kept := &chattest.Sessions{}
	s := &saver{sessions: kept}
	s.add("gone", func(*agent.Session) {})
	s.begin("new", func(one *agent.Session) { one.Name = "New" })
	if err := s.save(t.Context()); err != nil || kept.Kept["new"].Name != "New" || !s.isSaved("gone") || !s.isSaved("new") {
		t.Errorf("kept are %v: %v", kept.Kept, err)
	}
	if err := s.save(t.Context()); err != nil { // which says nothing of it either
		t.Error(err)
	}
	if err := s.takeRemoved(); errs.CodeOf(err) != errs.NotFound || s.takeRemoved() != nil {
		t.Errorf("the removed chat is said to be %v, and more than once", err)
	}
}

func TestChat_ResumedShowsHowAnswersEnded(t *testing.T) {
	d := driving("In May.")
	asked := d.UI.Now()
	d.model.Kept = map[string]agent.Session{"a": {ID: "a", Name: "Bread", Exchanges: []agent.Exchange{
		{Question: "When?", Broken: agent.BrokenByExit, Answer: "In Ma", Asked: asked},
		{Question: "Why?", Answering: true, Asked: asked.Add(1)},
	}}}
	d.Run(d.resume("a", -1))
	got := d.text()
	for _, want := range []string{"interrupted: Lens ended before the answer was complete", "another Lens is answering"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not shown:\n%s", want, got)
		}
	}
	if posted := d.Posted(); !slices.Contains(posted, any(OnAnswers)) {
		t.Errorf("posted is %v", posted)
	}
	d.asks("And how?")
	if e := d.only(t).Exchanges; e[0].Broken != agent.BrokenByExit || !e[1].Answering || len(e) != 3 {
		t.Errorf("kept is %+v", e)
	}
}

// Of a chat that is being opened and a question, the question wins.
func TestChat_QuestionStopsOpening(t *testing.T) {
	d := driving("In May.").asks("When?")
	first := d.record.id
	d.Run(d.begin())
	late := d.resume(first, -1)
	d.asks("And now?").Run(late)
	if n := len(d.Exchanges()); n != 1 || d.Last().Question != "And now?" || d.record.id == first {
		t.Errorf("shown are %d exchanges, the last %q", n, d.Last().Question)
	}
}
