package search_test

import (
	"slices"
	"testing"
	"time"

	"lens/tui/search"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// read returns a seeker that shows the partial result of a query; the command that searches all texts is held.
func read(t *testing.T, opts search.Options, text string) *seeker {
	t.Helper()
	s := seek(newDiary(), opts)
	s.Hold = true
	s.want(text).arrive()
	if !s.Found().IsPartial() || !s.IsReadingRest() {
		t.Fatalf("%s is not found in part", text)
	}
	return s
}

func TestPartial_WholeResultReplacesIt(t *testing.T) {
	s := read(t, search.Options{}, `"apple"`).mustFind(t, 12)
	if !s.IsCurrent() || s.IsFinal() || s.IsComplete() || s.IsBusy() || s.Waiting() == 0 {
		t.Errorf("final: %v, complete: %v, busy: %v", s.IsFinal(), s.IsComplete(), s.IsBusy())
	}
	s.release().mustFind(t, 24).mustAsk(t, "quick peek apple", "peek apple")
	if !s.IsComplete() || s.IsReadingRest() || s.Found().IsPartial() {
		t.Errorf("complete: %v, the rest is read: %v", s.IsComplete(), s.IsReadingRest())
	}
	s.want("lentils").want(`"apple"`).mustFind(t, 24).mustAsk(t, "quick peek lentils")
}

// The line of the notice neither comes for a moment nor goes for one.
func TestPartial_KeepsTheLineOfTheNotice(t *testing.T) {
	opts := search.Options{Shown: time.Second}
	s := read(t, opts, `"apple"`)
	if got := s.Notice(); got != "" {
		t.Errorf("at once, the notice is %q", got)
	}
	s.now = s.now.Add(time.Second)
	if got := s.Notice(); got != "Reading the rest…" {
		t.Errorf("after a second, the notice is %q", got)
	}
	s.diary.notice = "Common words are not indexed, so all texts were searched."
	if got := s.release().Notice(); got != s.diary.notice {
		t.Errorf("in the end, the notice is %q", got)
	}
	s.Hold = true
	if got := s.want(`"pie"`).arrive().Notice(); got != "Reading the rest…" {
		t.Errorf("after a result with a notice, it is %q at once", got)
	}
	s.diary.notice = ""
	s.release()
	s.Hold = true
	if got := s.want(`"2023"`).arrive().Notice(); got != "" {
		t.Errorf("after a result without one, it is %q", got)
	}
	if got := read(t, search.Options{}, `"apple"`).Notice(); got != "Reading the rest…" {
		t.Errorf("if all waits are shown, it is %q", got)
	}
}

func TestPartial_StaysIfTheRestCannotBeRead(t *testing.T) {
	for name, end := range map[string]func(*seeker){
		"canceled": func(s *seeker) {
			if !s.Stop() {
				t.Error("there is nothing to cancel")
			}
			s.release()
		},
		"failed": func(s *seeker) {
			s.diary.before = failing("peek", errDown)
			posted := s.release().Posted()
			want := []any{ui.Failed{Doing: "reading the rest", Said: "Couldn't read the rest", Err: errDown}}
			if !slices.Equal(posted, want) {
				t.Errorf("posted is %v", posted)
			}
			s.diary.before = nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, search.Options{}, `"2024"`) // without a match so far
			end(s)
			s.asked()
			s.Run(nil)
			s.mustAsk(t).mustFind(t, 0)
			s = read(t, search.Options{}, `"apple"`)
			end(s)
			if s.mustFind(t, 12); !s.IsFinal() || !s.IsComplete() || s.IsReadingRest() || s.Notice() != leftOut {
				t.Errorf("final: %v, complete: %v, notice: %q", s.IsFinal(), s.IsComplete(), s.Notice())
			}
			if failure := s.Failure(); failure != (ui.Failure{}) {
				t.Errorf("the list would show %q", failure.Message)
			}
			s.asked()
			s.Run(nil).Run(nil)
			s.mustAsk(t).mustFind(t, 12)
			s.Retry()
			s.Run(nil)
			s.mustAsk(t, "peek apple").mustFind(t, 24)
		})
	}
}

func TestPartial_SupersededRestIsDropped(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("lentils").Hold = true
	if s.want(`"apple"`).arrive().want("lentils"); s.IsReadingRest() {
		t.Error("the rest of what a known result supersedes is still read")
	}
	s = read(t, search.Options{}, `"apple"`)
	late := s.results()
	s.want("lentils")
	if s.Send(late...); s.IsReadingRest() || len(late) != 1 {
		t.Error("the rest of a superseded query is still read")
	}
	s.release().mustFind(t, 1)
	s.asked()
	s.Hold = true
	s.want(`"apple"`).mustFind(t, 12)
	s.release().mustAsk(t, "peek apple").mustFind(t, 24)
}

// A known partial result is current at once, but not what a later query stopped reading.
func TestPartial_OfAnotherWindowIsNotFinal(t *testing.T) {
	s := read(t, search.Options{}, `"apple"`)
	s.want(`"apple"`, year)
	if s.Found().Window != (zoom.Span{}) || s.IsFinal() || s.IsReadingRest() || s.Notice() != "" {
		t.Errorf("what was found in %v shows, final: %v, %s", s.Found().Window, s.IsFinal(), s.Notice())
	}
	s = read(t, search.Options{}, `"apple"`)
	s.Stop()
	s.wanted.Window, s.wanted.View = year, year
	if s.Want(s.wanted); s.Found().Window != (zoom.Span{}) || s.IsFinal() {
		t.Errorf("what was found in %v shows, final: %v", s.Found().Window, s.IsFinal())
	}
}
