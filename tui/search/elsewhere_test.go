package search_test

import (
	"testing"

	"lens/retrieval/query"
	"lens/tui/search"
)

func TestElsewhere_AllTimeIsAskedOnce(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.typed("apple", may).mustAsk(t, "quick peek apple 2023-05-01..2023-06-01")
	if _, _, known := s.Elsewhere(); known {
		t.Error("all time is known though nothing asked for it")
	}
	s.want("apple", may).mustAsk(t, "peek apple")
	if n, more, known := s.Elsewhere(); n != 24 || more || !known {
		t.Errorf("of apples, all time has %d matches, more: %v, known: %v", n, more, known)
	}
	s.want("", may).mustAsk(t, "quick browse 2023-05-01..2023-06-01, at most 200")
	s.want("lentils", june).mustAsk(t, "quick peek lentils 2023-06-01..2023-07-01", "peek lentils")
	if n, more, known := s.Elsewhere(); n != 1 || more || !known {
		t.Errorf("all time has %d matches, more: %v, known: %v", n, more, known)
	}
	s.mustFind(t, 0)
	s.want("lentils", year).mustAsk(t, "quick peek lentils 2024-01-01..2025-01-01")
	s.want("rhubarb", june)
	if n, _, known := s.Elsewhere(); n != 0 || !known {
		t.Errorf("of rhubarb, all time has %d matches, known: %v", n, known)
	}
	s.asked()
	s.want("lentils").mustAsk(t) // known by now
	s.diary.truncated = true
	s.want("lentils 2023-05", year)
	if n, more, _ := s.Elsewhere(); n != 1 || !more {
		t.Errorf("the best %d of all time are all: %v", n, !more)
	}
}

// What a window only has near in meaning may stand in the words of another time.
func TestElsewhere_WindowWithoutTheWords(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.mode = query.Hybrid
	s.diary.words = []int64{second(2023, 5), second(2024, 2)}
	if s.Holding() != 0 {
		t.Errorf("all time has %d before it is known", s.Holding())
	}
	s.want("pie", june).mustAsk(t, "quick peek pie 2023-06-01..2023-07-01", "peek pie")
	if s.Holding() != 2 {
		t.Errorf("all time has %d", s.Holding())
	}
}

func TestElsewhere_OfAPartialResult(t *testing.T) {
	s := read(t, search.Options{}, `"2024"`) // nothing so far
	s.results()
	s.want(`"2024"`, may).arrive()
	if n, _, known := s.Elsewhere(); known {
		t.Errorf("of what is read in part, all time has %d", n)
	}
	s.asked()
	s.release().mustAsk(t, "peek 2024")
	if n, more, known := s.Elsewhere(); n != 12 || more || !known {
		t.Errorf("all time has %d, more: %v", n, more)
	}
	s = read(t, search.Options{}, `"pie"`)
	s.Stop()
	s.want(`"pie"`, may).arrive()
	if n, more, known := s.Elsewhere(); n != 6 || !more || !known {
		t.Errorf("all time has %d, more: %v", n, more)
	}
}

func TestElsewhere_FailureIsIgnored(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.before = failing("peek lentils", errDown)
	s.want("lentils", june)
	s.asked()
	s.Run(nil).Run(nil)
	s.mustAsk(t)
	if _, _, known := s.Elsewhere(); known || len(s.Posted()) > 0 || s.Failure().Message != "" {
		t.Error("it is not ignored")
	}
}

func TestElsewhere_LateResultIsDropped(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.Hold = true
	late := s.want("lentils", june).arrive().results()
	s.want("lentils", may)
	s.Send(late...)
	if _, _, known := s.Elsewhere(); known || len(late) != 1 {
		t.Errorf("%d results are taken", len(late))
	}
}

// A window may have more matches than were among the best of all time.
func TestBest_OfAllTimeInAWindow(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.truncated = true
	s.want("apple")
	if _, _, known := s.Best(); known {
		t.Error("all time is compared with itself")
	}
	s.want("apple", may)
	if n, of, known := s.Best(); n != 1 || of != 24 || !known {
		t.Errorf("of the best %d, %d are in the window, known: %v", of, n, known)
	}
	s.typed("pie", june)
	if _, _, known := s.Best(); known {
		t.Error("what all time has is known though nothing asked for it")
	}
}
