package search_test

import (
	"testing"

	"lens/retrieval/query"
	"lens/tui/search"
)

func TestSuggestion_IfNothingMatches(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.spelling = "lentils"
	s.want("lentlis").mustAsk(t, "quick peek lentlis", "suggest lentlis")
	if got := s.Suggestion(); got != "lentils" {
		t.Errorf("suggested is %q", got)
	}
	if s.want("lentils").mustAsk(t, "quick peek lentils"); s.Suggestion() != "" {
		t.Errorf("for what is found, suggested is %q", s.Suggestion())
	}
	if s.want("lentlis").mustAsk(t); s.Suggestion() != "lentils" {
		t.Errorf("later, suggested is %q", s.Suggestion())
	}
	s.diary.faint = true
	if s.want("aple").mustAsk(t, "quick peek aple", "suggest aple"); s.Suggestion() != "lentils" {
		t.Errorf("suggested is %q", s.Suggestion())
	}
	if s.want("apple").mustFind(t, 24).mustAsk(t, "quick peek apple", "suggest apple"); s.Suggestion() != "lentils" {
		t.Errorf("without a clear match, suggested is %q", s.Suggestion())
	}
}

func TestSuggestion_OnlyForWordsInTheWholeArchive(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("lentlis", may).mustAsk(t, "quick peek lentlis 2023-05-01..2023-06-01", "peek lentlis")
	s.want(`"lentlis"`).mustAsk(t, "quick peek lentlis", "peek lentlis") // a phrase is meant as it is
	s.want("-apple").mustAsk(t, "quick browse, at most 200", "browse, at most 200")
	s.Hold = true
	s.want(`rhubarb "2024"`).arrive()
	if s.mustFind(t, 0); len(s.Held) != 1 || !s.IsReadingRest() { // it may match yet
		t.Errorf("%d requests follow a partial result", len(s.Held))
	}
	s.asked()
	s.release().mustAsk(t, "peek rhubarb 2024", "suggest rhubarb")
}

func TestSuggestion_IfVectorsAloneFind(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.spelling, s.diary.mode = "apples", query.Hybrid // the diary's matches do not say which have the words
	if s.want("apple").mustFind(t, 24); s.Suggestion() != "apples" {
		t.Errorf("suggested is %q", s.Suggestion())
	}
}

func TestSuggestion_LateOneIsDropped(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.spelling = "lentils"
	s.Hold = true
	late := s.want("lentlis").arrive().results()
	s.want("apple")
	s.Send(late...)
	if s.want("lentlis"); s.Suggestion() != "" || len(late) != 1 {
		t.Errorf("suggested is %q", s.Suggestion())
	}
	s.asked()
	if s.release().mustAsk(t, "suggest lentlis"); s.Suggestion() != "lentils" {
		t.Errorf("in the end, suggested is %q", s.Suggestion())
	}
}

func TestSuggestion_FailureIsIgnored(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.diary.spelling = "lentils"
	s.diary.before = failing("suggest", errDown)
	if s.want("lentlis"); s.Suggestion() != "" || len(s.Posted()) > 0 || s.Failure().Message != "" {
		t.Errorf("suggested is %q, the failure %v", s.Suggestion(), s.Failure())
	}
	s.asked()
	s.want("apple").want("lentlis").mustAsk(t, "quick peek apple")
}
