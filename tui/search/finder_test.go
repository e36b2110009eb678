package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/ui"
	"lens/tui/zoom"
)

var errDown = errors.New("the model\x1b[2J is down")

func TestFinder_AsksForWhatIsWanted(t *testing.T) {
	d := newDiary()
	s := seek(d, search.Options{TopK: 7})
	s.want("lentils").mustAsk(t, "quick peek lentils").mustFind(t, 1)
	if !s.IsCurrent() || !s.IsComplete() || s.IsStale() || s.IsBusy() || s.Waiting() != 0 {
		t.Errorf("current %v, complete %v, stale %v, busy %v", s.IsCurrent(), s.IsComplete(), s.IsStale(), s.IsBusy())
	}
	s.want("apple", may).mustAsk(t, "quick peek apple 2023-05-01..2023-06-01", "peek apple").mustFind(t, 1)
	d.notice = "Some texts were searched."
	s.want("").mustAsk(t, "quick browse, at most 200").mustFind(t, 24)
	found := s.Found()
	if p := found.Peek; len(found.Fullest) != 1 || p.Histogram.Total != 24 || p.Histogram.Undated != 1 ||
		len(p.Times) != 24 || p.Notice != d.notice || s.IsStale() {
		t.Errorf("listed are %v, the fullest conversations are %v", p, found.Fullest)
	}
	s.wanted.Order = search.OldestFirst
	s.Run(nil)
	s.mustAsk(t, "quick browse, at most 200 oldest first")
	s.want("-pie").mustAsk(t, "quick browse, at most 200", "browse, at most 200").mustFind(t, 12)
}

// spy keeps the last query of a diary.
type spy struct {
	*diary
	last query.Query
}

func (s *spy) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	s.last = q
	return s.diary.Peek(ctx, q)
}

func TestFinder_SearchesAsConfigured(t *testing.T) {
	s := seek(newDiary(), search.Options{TopK: 7})
	e := &spy{diary: s.diary}
	s.SetEngine(e)
	s.want("apple source:claude")
	if last := e.last; last.Limit() != 7 || last.Listed() != 7 || last.Bin != "year" || !last.Quick ||
		!slices.Equal(last.Filter.Sources.In, []string{"claude"}) {
		t.Errorf("asked was %+v", last)
	}
	like := uuid.New()
	s.wanted.Search = search.Of(query.Query{Mode: query.Keyword}, like)
	if s.Run(nil); e.last.Like != like.String() || e.last.Mode != query.Keyword {
		t.Errorf("asked was for the like of %q in mode %q", e.last.Like, e.last.Mode)
	}
}

func TestFinder_WaitsForTheEngine(t *testing.T) {
	d := newDiary()
	s := seek(d, search.Options{})
	s.SetEngine(nil)
	s.want("lentils").mustAsk(t).mustFind(t, 0)
	s.SetEngine(d)
	s.Run(nil)
	s.mustAsk(t, "quick peek lentils").mustFind(t, 1)
}

func TestFinder_LateResultIsDropped(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.Hold = true
	late := s.want("apple").results()
	next := s.want("lentils").results()
	if s.Send(late...); s.Found().Peek != nil || !s.IsBusy() || s.Waiting() == 0 {
		t.Errorf("the result of a superseded query is taken: %q", s.Found().Text)
	}
	if s.Send(next...); s.Found().Text != "lentils" || s.IsBusy() || s.Waiting() != 0 {
		t.Errorf("shown is %q", s.Found().Text)
	}
	s.asked()
	s.want("apple").release().mustAsk(t, "quick peek apple").mustFind(t, 24)
}

func TestFinder_SupersededSearchDeliversNothing(t *testing.T) {
	for name, wrong := range map[string]error{"found": nil, "failed": errDown} {
		s := seek(newDiary(), search.Options{})
		s.Hold = true
		superseded := s.want("apple").Held[0]
		s.diary.before = func(string) error { // while it searches
			s.want("lentils")
			return wrong
		}
		if late := superseded(); late != nil || len(s.asked()) != 1 {
			t.Errorf("%s: it delivers %v", name, late)
		}
	}
}

func TestFinder_KnownResultIsNotAskedForAgain(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple").want("lentils")
	s.asked()
	s.want("apple").mustAsk(t).mustFind(t, 24)
	s.Hold = true
	late := s.want("pie").results()
	if s.want("lentils"); s.IsBusy() {
		t.Error("a superseded search is still asked")
	}
	s.Send(late...)
	s.asked()
	s.want("pie").release().mustAsk(t, "quick peek pie").mustFind(t, 12)
}

// Until a window is searched, the result of the smallest known one around it shows.
func TestFinder_NearestKnownResultShows(t *testing.T) {
	for name, known := range map[string][][]zoom.Span{
		"from narrow to wide": {{spring}, {all2023}, {}},
		"from wide to narrow": {{}, {all2023}, {spring}},
	} {
		s := seek(newDiary(), search.Options{})
		for _, window := range known {
			s.want("pie", window...)
		}
		s.Hold = true
		for window, want := range map[zoom.Span]zoom.Span{may: spring, june: all2023, year: {}} {
			s.want("pie", window)
			if s.Found().Window != want || s.IsCurrent() || s.IsStale() || !s.IsBusy() {
				t.Errorf("%s: for %v, what was found in %v shows", name, window, s.Found().Window)
			}
			s.Held = nil
		}
		s.Hold = false
		s.want("lentils", may).Hold = true
		if s.want("apple", may); s.Found().Text != "lentils" || !s.IsStale() {
			t.Errorf("%s: before the first result %q shows", name, s.Found().Text)
		}
		s.Hold = false
		s.want("apple").want("pie", may).Hold = true
		if s.want("apple", may); s.Found().Text != "apple" || s.Found().Window != (zoom.Span{}) {
			t.Errorf("%s: of apples, what was found of %q in %v shows", name, s.Found().Text, s.Found().Window)
		}
	}
	s := seek(newDiary(), search.Options{})
	s.typed("pie", june).Hold = true
	if s.want("pie", spring); s.Found().Window != june || s.IsCurrent() {
		t.Errorf("without a result around it, what was found in %v shows", s.Found().Window)
	}
	s = seek(newDiary(), search.Options{})
	for _, order := range []search.Order{search.ByDate, search.OldestFirst} {
		s.Hold = false
		s.want("")
		s.wanted.Order = order
		s.Run(nil).Hold = true
		s.wanted.Window, s.wanted.View, s.wanted.All = may, may, false
		if s.Run(nil); s.Found().Order != order {
			t.Error("zooming reverses the list that shows meanwhile")
		}
	}
}

// A search waits for the next letter while one types, and for the frame of the key press if older results show.
func TestFinder_PausesBeforeASearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := seek(newDiary(), search.Options{Typing: time.Minute, Aside: time.Second})
		took := func(typing bool, text string) time.Duration {
			begin := time.Now()
			s.want(text)
			s.wanted.Typing = typing
			s.release()
			return time.Since(begin)
		}
		s.Hold = true
		if got := took(false, "lentils"); got != 0 {
			t.Errorf("the first search waits for %v", got)
		}
		s.Hold = true
		if got := took(false, "apple"); got != time.Second {
			t.Errorf("the next search waits for %v", got)
		}
		s.asked()
		s.wanted.Typing = true
		begin := time.Now()
		for _, text := range []string{"a", "ap", "app"} {
			s.Hold = true
			s.wanted.Key = search.Key{Search: sought(text)}
			s.Run(nil)
		}
		s.release()
		if got := time.Since(begin); got != time.Minute {
			t.Errorf("while one types, searching waits for %v", got)
		}
		s.mustAsk(t, "quick peek app")
	})
}

// While an archive is being embedded, the same query finds more over time.
func TestFinder_DropsResultsWithFewerEmbeddings(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	for _, c := range []struct {
		text  string
		share float64
	}{{"apple", 0}, {"pie", .2}, {"2024", .5}, {"lentils", .5}} {
		s.diary.embedded = c.share
		s.want(c.text)
	}
	s.asked()
	s.want("apple").want("2024").want("lentils").mustAsk(t)
	s.want("pie").mustAsk(t, "quick peek pie")
}

func TestFinder_TextsAreClean(t *testing.T) {
	d := newDiary()
	turn := &d.turns[4]
	nasty := "mark\x1b[2J\r\nsecond\u202e line"
	clean := ui.Line(nasty)
	turn.Title, turn.AssistantSnippet, turn.UserSnippet = nasty, nasty, "lentils "+nasty
	turn.Chunk = &retrieval.Chunk{Filename: nasty, Path: nasty, Meta: json.RawMessage(nasty)}
	d.titles = []retrieval.TitleMatch{{Title: nasty}, {Title: ""}}
	d.turns[0].Title, d.notice, d.spelling = nasty, nasty, nasty
	s := seek(d, search.Options{})
	found := s.want("lentils").Found().Peek
	m := found.Matches[0]
	for i, got := range []string{
		m.Title, m.AssistantSnippet, strings.TrimPrefix(m.UserSnippet, "lentils "), m.Chunk.Filename, m.Chunk.Path,
		string(m.Chunk.Meta), found.Titles[0].Title, found.Notice, s.Notice(),
	} {
		if got != clean {
			t.Errorf("text %d is %q, want %q", i, got, clean)
		}
	}
	if got := found.Titles[1].Title; got != "untitled" {
		t.Errorf("without a title, it is %q", got)
	}
	if got := s.want("").Found().Fullest[0].Title; got != clean {
		t.Errorf("the fullest conversation is %q", got)
	}
	if s.want("rhubarb"); s.Suggestion() != clean {
		t.Errorf("suggested is %q", s.Suggestion())
	}
	if turn.Chunk.Filename != nasty {
		t.Error("the chunk of the engine has changed")
	}
}

func TestFinder_FailureIsShownAndPosted(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple")
	s.diary.before = failing("quick peek", errDown)
	s.want("lentils")
	want := ui.Failure{Message: "the model␛[2J is down"}
	if s.Failure() != want || s.IsBusy() || s.IsCurrent() || !s.IsStale() {
		t.Errorf("the failure is %v, busy: %v, stale: %v", s.Failure(), s.IsBusy(), s.IsStale())
	}
	reported := []any{ui.Failed{Doing: "searching", Err: errDown, Message: want.Message}}
	if posted := s.Posted(); !slices.Equal(posted, reported) {
		t.Errorf("posted is %v", posted)
	}
	s.asked()
	s.Run(nil).Run(nil)
	s.mustAsk(t).mustFind(t, 24)
	s.Retry()
	s.Run(nil)
	s.mustAsk(t, "quick peek lentils")
	s.diary.before = nil
	s.Retry()
	if s.Run(nil); s.Failure() != (ui.Failure{}) {
		t.Errorf("after another try, the failure is %v", s.Failure())
	}
	s.mustFind(t, 1)
	s.diary.before = failing("quick browse", errDown)
	s.want("")
	if posted := s.Posted(); s.Failure() != want || posted[len(posted)-1].(ui.Failed).Doing != "listing" {
		t.Errorf("posted is %v", posted)
	}
}

func TestFinder_FailureIsOfWhatIsWanted(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple")
	s.diary.before = failing("quick peek lentils", errDown)
	s.want("lentils").Hold = true
	if s.want("pie"); s.Failure() != (ui.Failure{}) {
		t.Errorf("for another query, the failure is %v", s.Failure())
	}
	s.release()
	s.want("lentils").want("apple")
	if s.mustFind(t, 24); s.Failure() != (ui.Failure{}) {
		t.Errorf("for a known result, the failure is %v", s.Failure())
	}
	s.diary.before = nil
	if s.want("lentils").mustFind(t, 1); s.Failure() != (ui.Failure{}) {
		t.Errorf("later, the failure is %v", s.Failure())
	}
}

func TestFinder_StopCancels(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	if s.want("apple").Stop() {
		t.Error("without a request, something stops")
	}
	s.Hold = true
	late := s.want("lentils").results()
	if !s.Stop() || s.IsBusy() || s.Waiting() != 0 {
		t.Error("the search goes on")
	}
	s.asked()
	s.Send(late...)
	s.release().mustAsk(t).mustFind(t, 24)
	s.Retry()
	s.Run(nil)
	s.mustAsk(t, "quick peek lentils").mustFind(t, 1)

	s.Hold = true
	s.want("rhubarb", june).arrive() // all time is asked for
	if !s.Stop() {
		t.Error("the search of all time goes on")
	}
	s.asked()
	s.release().mustAsk(t)
	s.Hold = true
	s.want("rhubarb").arrive() // a spelling is asked for
	if !s.Stop() {
		t.Error("the suggestion is still asked for")
	}
	s.asked()
	s.release().mustAsk(t)
}

func TestFinder_ReloadKeepsWhatIsShown(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple", may).want("pie").want("apple")
	s.asked()
	s.diary.turns = s.diary.turns[:20]
	s.Hold = true
	s.Reload()
	s.Run(nil)
	if s.mustFind(t, 24); !s.IsBusy() || s.IsStale() {
		t.Errorf("busy: %v, stale: %v", s.IsBusy(), s.IsStale())
	}
	s.release().mustFind(t, 20).mustAsk(t, "quick peek apple")
	s.want("pie").mustFind(t, 10).mustAsk(t, "quick peek pie")
	s = read(t, search.Options{}, `"apple"`)
	if s.Reload(); s.IsReadingRest() {
		t.Error("the rest of a result from before is read")
	}
}

func TestFinder_ReloadDropsLateResults(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.Hold = true
	late := s.want("rhubarb", june).arrive().results() // of all time
	s.diary.turns[0].UserSnippet += " rhubarb"
	s.Reload()
	s.Run(nil)
	s.Send(late...)
	s.release()
	if n, _, known := s.Elsewhere(); n != 1 || !known || len(late) != 1 {
		t.Errorf("all time has %d matches", n)
	}
	s.want("lentlis").asked()
	s.diary.spelling = "lentils" // since then
	s.Reload()
	if s.Run(nil); s.Suggestion() != "lentils" {
		t.Errorf("suggested is %q", s.Suggestion())
	}
}

func TestNotice_WithoutTheDoubtThatTheListTells(t *testing.T) {
	for notice, want := range map[string]string{
		"": "", "Some texts were searched. ": "Some texts were searched.",
	} {
		s := seek(newDiary(), search.Options{})
		s.diary.notice, s.diary.doubt = notice+"Your archive hardly speaks of this.", new(.1)
		s.want("apple")
		if s.Notice() != want {
			t.Errorf("the notice is %q, want %q", s.Notice(), want)
		}
		s = seek(newDiary(), search.Options{})
		s.diary.language, s.diary.doubt = "7 of 9 turns are in Dutch: ask in Dutch, too.", new(.1)
		s.diary.notice = notice + s.diary.language + " Your archive hardly speaks of this."
		s.want("apple")
		if s.Notice() != want {
			t.Errorf("with a language, the notice is %q, want %q", s.Notice(), want)
		}
	}
}

func TestNotice_BySearchingWordsOnly(t *testing.T) {
	for notice, want := range map[string][2]string{
		"":                          {"", ""},
		"Some texts were searched.": {"Some texts were searched.", ""},
		"By words only: no model.":  {"", "By words only: no model."},
		"By words only: no model. Some texts were searched": {
			"Some texts were searched", "By words only: no model. Some texts were searched",
		},
	} {
		s := seek(newDiary(), search.Options{})
		if s.Notice() != "" || s.FellBack() != "" {
			t.Error("there is a notice before the first result")
		}
		s.diary.notice = notice
		s.want("apple")
		if got := [2]string{s.Notice(), s.FellBack()}; got != want {
			t.Errorf("of %q, the notices are %q", notice, got)
		}
	}
}

func TestMatch_OfWhatIsShown(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	third, lentils := s.diary.turns[2], s.diary.turns[4]
	if m, _ := s.Match(third.TurnID); m != nil || s.Title(third.Conversation) != "" || s.Titles() != nil {
		t.Error("there is a match before the first result")
	}
	s.want("apple")
	if m, rank := s.Match(third.TurnID); m == nil || m.UserSnippet != third.UserSnippet || rank != 3 {
		t.Errorf("the third match has rank %d: %v", rank, m)
	}
	if got := s.Conversation(third.TurnID); got != third.Conversation {
		t.Errorf("it is of conversation %v", got)
	}
	if got := s.Title(third.Conversation); got != "Half-year 0" {
		t.Errorf("the title is %q", got)
	}
	s.want("lentils")
	if m, _ := s.Match(third.TurnID); m != nil || s.Conversation(third.TurnID) != uuid.Nil || s.Title(uuid.New()) != "" {
		t.Error("what is not found has a match")
	}
	if _, rank := s.Match(lentils.TurnID); rank != 1 {
		t.Errorf("what is found has rank %d", rank)
	}
}

func TestTitles_ThoseOnTheScreenFirst(t *testing.T) {
	s := seek(newDiary(), search.Options{})
	s.want("apple", year)
	s.diary.titles = []retrieval.TitleMatch{{Title: "Lentil soup"}, {Title: "HALF-YEAR 3"}}
	s.diary.turns[5].Title = ""
	s.want("apple", all2023)
	want := []string{"Lentil soup", "HALF-YEAR 3", "Half-year 0", "Half-year 1", "Half-year 2"}
	if got := s.Titles(); !slices.Equal(got, want) {
		t.Errorf("the titles are %q, want %q", got, want)
	}
	s.Hold = true
	s.Reload()
	if got := s.Titles(); !slices.Equal(got, want[:4]) {
		t.Errorf("while the archive is searched again, the titles are %q", got)
	}
}

// short lists the best three matches, unless all are asked for.
type short struct{ *diary }

func (s short) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	p, err := s.diary.Peek(ctx, q)
	if err == nil && q.Listed() < q.Limit() {
		p.Matches = p.Matches[:min(3, len(p.Matches))]
	}
	return p, err
}

// Another page of turns is listed as soon as it is wanted. What fails is not asked for again.
func TestFinder_ListsMoreTurns(t *testing.T) {
	d := newDiary()
	d.page = 10
	s := seek(d, search.Options{})
	s.want("").mustFind(t, 10).mustAsk(t, "quick browse, at most 200")
	s.turns = 11
	s.Run(nil)
	s.mustFind(t, 20).mustAsk(t, "browse, at most 200 after 10")
	s.turns = 21
	s.Run(nil)
	s.mustFind(t, 24).mustAsk(t, "browse, at most 200 after 20")
	s.Run(nil)
	s.mustAsk(t)

	s.Reload()
	s.diary.before = failing("browse, at most 200 after 10", errDown)
	s.Posted()
	s.Run(nil)
	s.mustFind(t, 10)
	want := []any{ui.Failed{Doing: "listing more turns", Said: "Couldn't list more turns", Err: errDown}}
	if posted := s.Posted(); !slices.Equal(posted, want) {
		t.Errorf("posted is %v", posted)
	}
	s.Run(nil)
	s.mustAsk(t, "quick browse, at most 200", "browse, at most 200 after 10")
}

func TestFinder_WaitsForMoreTurns(t *testing.T) {
	d := newDiary()
	d.page = 10
	s := seek(d, search.Options{})
	s.want("")
	s.Hold, s.turns = true, 11
	if s.Run(nil); !s.IsListingMore() || s.Waiting() == 0 {
		t.Errorf("it lists more: %v, for %v", s.IsListingMore(), s.Waiting())
	}
	s.turns = 0
	if s.Run(nil); s.IsListingMore() || s.Waiting() != 0 {
		t.Error("it waits for turns that are no longer wanted")
	}
}

// A page does not follow those that were read before turns came or were forgotten.
func TestFinder_ListsTurnsOfAnArchiveThatChanges(t *testing.T) {
	for name, change := range map[string]func(*diary){
		"one forgotten":  func(d *diary) { d.turns = slices.Delete(d.turns, 3, 4) },
		"one new":        func(d *diary) { d.add(1) },
		"a page new":     func(d *diary) { d.add(10) },
		"one replaced":   func(d *diary) { d.turns = slices.Delete(d.turns, 3, 4); d.add(1) },
		"many forgotten": func(d *diary) { d.turns = d.turns[12:] },
	} {
		d := newDiary()
		d.page = 10
		s := seek(d, search.Options{})
		s.want("")
		s.wanted.Order = search.OldestFirst
		s.Run(nil)
		change(d)
		for s.turns = 11; s.turns <= len(d.turns); s.turns = len(s.View()) + 1 {
			if s.Run(nil); len(s.View()) < s.turns {
				t.Errorf("%s: the list ends with %d turns of %d", name, len(s.View()), len(d.turns))
				break
			}
		}
		var want []string
		for i := range d.turns {
			want = append(want, d.turns[i].UserSnippet)
		}
		p := s.Found().Peek
		if got := s.View(); !slices.Equal(got, want) || p.Histogram.Total != len(want) || len(p.Times) != len(want) {
			t.Errorf("%s: of %d turns, listed are\n%q, not\n%q", name, p.Histogram.Total, got, want)
		}
	}
}

// The best matches come first, and all of them after typing. What fails is not asked for again.
func TestFinder_ListsAllMatches(t *testing.T) {
	s := seek(newDiary(), search.Options{TopK: 400})
	s.SetEngine(short{s.diary})
	s.want("lentils").mustAsk(t, "quick peek lentils")
	s.wanted.Search, s.wanted.Words, s.wanted.Typing = sought("apple"), "apple", true
	s.Run(nil)
	s.mustFind(t, 3).mustAsk(t, "quick peek apple")
	s.wanted.Typing = false
	s.Run(nil)
	s.mustFind(t, 24).mustAsk(t, "peek apple")
	s.Run(nil)
	s.mustAsk(t)
	s.diary.before = failing("peek", errDown)
	s.Posted()
	s.want("pie").mustFind(t, 3)
	want := []any{ui.Failed{Doing: "listing all matches", Said: "Couldn't list all matches", Err: errDown}}
	if posted := s.Posted(); !slices.Equal(posted, want) {
		t.Errorf("posted is %v", posted)
	}
	s.Run(nil)
	s.mustAsk(t, "quick peek pie", "peek pie")
}
