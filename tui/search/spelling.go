package search

import (
	tea "charm.land/bubbletea/v2"

	"lens/internal/lru"
	"lens/tui/async"
	"lens/tui/ui"
)

// spelling has suggestions for queries without matches.
type spelling struct {
	known lru.Cache[string, string] // by the words of the query; "" for none
	asked async.Latest[string]
}

func newSpelling() spelling { return spelling{known: lru.Cache[string, string]{Limit: cached}} }

// suggestedMsg delivers a suggestion, "" for none. Errors are ignored.
type suggestedMsg struct {
	number      int
	words, text string
}

func (s *spelling) handle(msg suggestedMsg) {
	if s.asked.Accept(msg.number) {
		s.known.Put(msg.words, ui.Line(msg.text))
	}
}

// Suggestion returns another spelling of the wanted words, "" for none.
func (f *Finder) Suggestion() string {
	text, _ := f.spelling.known.Get(f.wanted.Words)
	return text
}

// requestSpelling asks for a suggestion when nothing matches, or nothing has the words.
func (f *Finder) requestSpelling(listed int) tea.Cmd {
	s, words := &f.spelling, f.wanted.Words
	_, known := s.known.Get(words)
	missed := f.IsComplete() && (listed == 0 || f.found.Peek.Coverage.Faint || f.found.Peek.OnlyNear()) && f.wanted.All
	if !missed || words == "" || known {
		s.asked.Forget()
		return nil
	}
	ctx, number, ok := s.asked.Ask(f.ui.Ctx, words, f.ui.Now())
	if !ok {
		return nil
	}
	engine, pause := f.engine, f.opts.Typing
	return f.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		text, err := engine.Suggest(ctx, words)
		if err != nil {
			text = ""
		}
		return suggestedMsg{number, words, text}
	})
}
