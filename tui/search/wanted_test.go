package search_test

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"lens/tui/search"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Whatever is wanted in whatever order, and however results arrive, in the end what is wanted is shown.
func TestFinder_InTheEndShowsWhatIsWanted(t *testing.T) {
	texts := []string{"apple", `"apple"`, "lentils", `"2024"`, "rhubarb", "-pie", `-pie "apple"`, ""}
	windows := [][]zoom.Span{{}, {all2023}, {spring}, {may}, {june}, {year}}
	rapid.Check(t, func(t *rapid.T) {
		s := seek(newDiary(), search.Options{})
		s.Hold = true
		s.want("")
		var arriving []tea.Msg
		interrupted := false // something failed or was canceled, which only Retry repeats
		compared := false
		t.Repeat(map[string]func(*rapid.T){
			"want": func(t *rapid.T) {
				s.want(rapid.SampledFrom(texts).Draw(t, "text"), rapid.SampledFrom(windows).Draw(t, "window")...)
			},
			"run": func(t *rapid.T) {
				if len(s.Held) == 0 {
					t.Skip("no command is held")
				}
				at := rapid.IntRange(0, len(s.Held)-1).Draw(t, "command")
				held := s.Held[at]
				s.Held = slices.Delete(slices.Clone(s.Held), at, at+1)
				switch msg := held().(type) {
				case nil:
				case tea.BatchMsg:
					s.Held = append(s.Held, msg...)
				default:
					arriving = append(arriving, msg)
				}
			},
			"arrive": func(t *rapid.T) {
				if len(arriving) == 0 {
					t.Skip("no result arrives")
				}
				at := rapid.IntRange(0, len(arriving)-1).Draw(t, "result")
				msg := arriving[at]
				arriving = slices.Delete(arriving, at, at+1)
				s.Send(msg)
			},
			"fail": func(t *rapid.T) {
				s.diary.before, interrupted = failing("", errDown), true
			},
			"recover": func(*rapid.T) { s.diary.before = nil },
			"stop": func(*rapid.T) {
				interrupted = s.Stop() || interrupted
				s.Run(nil)
			},
			"reload": func(*rapid.T) {
				s.Reload()
				s.Run(nil)
			},
			"embed": func(*rapid.T) { s.diary.embedded = min(1, s.diary.embedded+.25) },
			"pin": func(t *rapid.T) {
				s.Pins().Toggle(search.Pin{Search: s.wanted.Search})
				compared = rapid.Bool().Draw(t, "compared")
				s.Pins().Show(compared)
				s.Run(nil)
			},
			"": func(t *rapid.T) { s.mustBeTrue(t, interrupted) },
		})
		s.diary.before = nil
		if interrupted {
			s.Retry()
			s.Run(nil)
		}
		s.release()
		s.Send(arriving...)
		s.mustBeTrue(t, false)
		if !s.IsComplete() || !s.IsListed() || s.IsBusy() || s.IsReadingRest() || s.Failure() != (ui.Failure{}) {
			t.Fatalf("%q is wanted, complete: %v, %v", s.wanted.Text, s.IsComplete(), s.Failure())
		}
		for i, r := range s.Pins().Results() {
			if pin := s.Pins().All()[i]; compared && (r.Peek == nil || r.IsPartial() || r.Search != pin.Search) {
				t.Fatalf("of pin %q, found is %v", pin.Text, r.Peek)
			}
		}
	})
}

// mustBeTrue checks that what is shown is what the engine finds, and that it says no more of it than is so.
func (s *seeker) mustBeTrue(t *rapid.T, interrupted bool) {
	found := s.Found()
	if found.Peek == nil {
		return
	}
	q := found.In(found.Window)
	q.Quick = found.IsPartial()
	matches, _ := s.diary.find(q)
	var want []string
	for i := range matches {
		want = append(want, matches[i].UserSnippet)
	}
	if got := s.View(); !slices.Equal(got, want) {
		t.Fatalf("of %q in %v, shown are\n%q, not\n%q", found.Text, found.Window, got, want)
	}
	if s.IsCurrent() != (found.Key == s.wanted.Key) || s.IsStale() != (found.Search != s.wanted.Search) {
		t.Fatalf("%q shows for %q, current: %v, stale: %v", found.Text, s.wanted.Text, s.IsCurrent(), s.IsStale())
	}
	if s.IsFinal() && found.IsPartial() && s.IsReadingRest() {
		t.Fatal("the result is final though the rest is read")
	}
	if !s.IsCurrent() && !s.IsBusy() && !interrupted {
		t.Fatalf("%q is wanted, but not requested", s.wanted.Text)
	}
}
