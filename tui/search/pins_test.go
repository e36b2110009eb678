package search_test

import (
	"errors"
	"slices"
	"testing"

	"lens/tui/search"
	"lens/tui/ui"
)

// pinned are pins of texts.
func pinned(texts ...string) (pins []search.Pin) {
	for _, text := range texts {
		pins = append(pins, search.Pin{Search: sought(text), Name: text})
	}
	return pins
}

// compared returns how many matches each pin has, -1 for one without a result.
func (s *seeker) compared() (totals []int) {
	for _, r := range s.Pins().Results() {
		if r.Peek == nil {
			totals = append(totals, -1)
			continue
		}
		totals = append(totals, r.Peek.Histogram.Total)
	}
	return totals
}

// mustCompare checks how many matches each pin has, -1 for one without a result.
func (s *seeker) mustCompare(t *testing.T, want ...int) *seeker {
	t.Helper()
	if got := s.compared(); !slices.Equal(got, want) {
		t.Errorf("the pins have %d matches, want %d", got, want)
	}
	return s
}

func TestPins_Toggle(t *testing.T) {
	p := seek(newDiary(), search.Options{}).Pins()
	for _, c := range []struct {
		text, notice string
		pinned, done bool
		then         []search.Pin
	}{
		{"", "No query to pin. Search first", false, false, nil},
		{"-pie", "No query to pin. Search first", false, false, nil},
		{"apple", "1 pinned · C changes the chart", true, true, pinned("apple")},
		{"pie", "2 pinned · C changes the chart", true, true, pinned("apple", "pie")},
		{"lentils", "3 pinned · C changes the chart", true, true, pinned("apple", "pie", "lentils")},
		{"pie", "Unpinned", false, true, pinned("apple", "lentils")},
		{"2024", "3 pinned · C changes the chart", true, true, pinned("apple", "lentils", "2024")},
	} {
		before := p.All()
		kept := slices.Clone(before)
		notice, done, ok := p.Toggle(search.Pin{Search: sought(c.text), Name: c.text})
		if notice != c.notice || done != c.pinned || ok != c.done {
			t.Errorf("of %q it says %q (%v, %v)", c.text, notice, done, ok)
		}
		if !slices.Equal(p.All(), c.then) {
			t.Errorf("after %q, pinned are %v", c.text, p.All())
		}
		if !slices.Equal(before, kept) {
			t.Errorf("after %q, what was returned before has changed", c.text)
		}
	}
}

func TestPins_SetAsFarAsThereIsRoom(t *testing.T) {
	p := seek(newDiary(), search.Options{}).Pins()
	many := pinned("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
	p.Set(many)
	if !slices.Equal(p.All(), many[:search.MaxPins]) {
		t.Errorf("pinned are %v", p.All())
	}
	if notice, pinned, done := p.Toggle(many[9]); notice != "9 of 9 pinned (P lists them)" || pinned || done {
		t.Errorf("without room it says %q (%v, %v)", notice, pinned, done)
	}
	pins := pinned("apple", "pie")
	p.Set(pins[:1])
	if p.Toggle(pinned("lentils")[0]); pins[1].Name != "pie" {
		t.Error("pinning changes what was set")
	}
	p.Set(nil)
	if len(p.All()) > 0 || len(p.Results()) > 0 {
		t.Errorf("pinned are %v", p.All())
	}
}

func TestPins_ResultsAreAskedWhileShown(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.Pins().Set(pinned("pie", "lentils", "apple"))
	s.want("apple").mustAsk(t, "quick peek apple").mustCompare(t, -1, -1, 24)
	s.Pins().Show(true)
	s.Run(nil)
	s.mustAsk(t, "peek pie", "peek lentils").mustCompare(t, 12, 1, 24)
	s.want("apple", may).mustCompare(t, 0, 1, 1)
	s.mustAsk(t, "quick peek apple 2023-05-01..2023-06-01",
		"peek pie 2023-05-01..2023-06-01", "peek lentils 2023-05-01..2023-06-01")
	s.want("apple").mustAsk(t).mustCompare(t, 12, 1, 24)
	s.Pins().Show(false)
	s.want("apple", june).mustAsk(t, "quick peek apple 2023-06-01..2023-07-01").mustCompare(t, -1, -1, 1)
}

func TestPins_LateResultIsDropped(t *testing.T) {
	for name, leave := range map[string]func(*seeker){
		"hidden":   func(s *seeker) { s.Pins().Show(false) },
		"unpinned": func(s *seeker) { s.Pins().Set(nil) },
		"zoomed":   func(s *seeker) { s.want("apple", may) },
	} {
		s := seek(newDiary(), search.Options{})
		s.want("apple").Hold = true
		s.Pins().Set(pinned("pie"))
		s.Pins().Show(true)
		s.Run(nil)
		late := s.results()
		leave(s)
		s.Run(nil)
		s.Send(late...)
		s.want("apple")
		s.Pins().Set(pinned("pie"))
		if s.mustCompare(t, -1); len(late) != 1 {
			t.Errorf("%s: %d results are late", name, len(late))
		}
	}
}

func TestPins_UnpinningKeepsTheOthers(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple").Hold = true
	s.Pins().Set(pinned("pie", "lentils"))
	s.Pins().Show(true)
	s.Run(nil)
	s.Pins().Toggle(pinned("pie")[0])
	s.Run(nil)
	s.release().mustCompare(t, 1)
}

// The texts that decide are read once: by the search for the rest, if the pin is what is wanted.
func TestPins_PartialResultIsCompleted(t *testing.T) {
	s := read(t, search.Options{}, `"apple"`)
	s.asked()
	s.Pins().Set(pinned(`"apple"`))
	s.Pins().Show(true)
	s.Run(nil)
	s.mustCompare(t, 12)
	s.release().mustAsk(t, "peek apple").mustCompare(t, 24)

	s = read(t, search.Options{}, `"apple"`)
	s.Pins().Set(pinned(`"apple"`))
	s.Pins().Show(true)
	s.want("lentils")
	s.asked()
	s.release().mustAsk(t, "quick peek lentils", "peek apple").mustCompare(t, 24)
}

// A pin that is also wanted may be found whole before its partial result arrives.
func TestPins_WholeResultStays(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.Pins().Set(pinned(`"apple"`))
	s.Pins().Show(true)
	s.Hold = true
	late := s.want(`"apple"`).results()
	slices.Reverse(late)
	if s.Send(late...); len(late) != 2 || !s.IsComplete() || s.IsBusy() {
		t.Errorf("of %d results, complete: %v", len(late), s.IsComplete())
	}
	s.mustFind(t, 24).mustCompare(t, 24)
}

func TestPins_FailureIsReported(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	wrong := errors.New("out of order")
	s.diary.before = failing("peek pie", wrong)
	s.Pins().Set(pinned("pie", "lentils"))
	s.Pins().Show(true)
	s.want("apple").mustCompare(t, -1, 1)
	reported := []any{ui.Failed{Doing: "comparing", Said: "Couldn't compare", Err: wrong}}
	if posted := s.Posted(); !slices.Equal(posted, reported) {
		t.Errorf("posted is %v", posted)
	}
	s.asked()
	if s.Run(nil).Run(nil); len(s.Posted()) > 0 || s.Failure() != (ui.Failure{}) {
		t.Errorf("it is reported again, or in the list: %v", s.Failure())
	}
	s.mustAsk(t)
	s.diary.before = nil
	s.Retry()
	s.Run(nil)
	s.mustAsk(t, "peek pie").mustCompare(t, 12, 1)
}

func TestPins_StopCancels(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple").Hold = true
	s.Pins().Set(pinned("pie"))
	s.Pins().Show(true)
	s.Run(nil)
	if !s.Stop() {
		t.Error("the search for a pin goes on")
	}
	s.release().mustAsk(t, "quick peek apple").mustCompare(t, -1)
	s.Hold = true
	s.Retry()
	if s.want("lentils").Stop(); s.Stop() {
		t.Error("one of two searches goes on")
	}
	s.release().mustAsk(t)
	s.Retry()
	s.Run(nil)
	s.mustAsk(t, "quick peek lentils", "peek pie").mustCompare(t, 12)
}

func TestPins_ReloadAsksAgain(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple").Hold = true
	s.Pins().Set(pinned("pie"))
	s.Pins().Show(true)
	s.Run(nil)
	late := s.results()
	s.diary.turns = s.diary.turns[:20]
	s.Reload()
	s.Send(late...)
	s.release().mustCompare(t, 10).mustFind(t, 20)
}
