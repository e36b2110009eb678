package results_test

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/results"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func TestList_RemarkOnMatches(t *testing.T) {
	of := func(total, rows int, truncated, faint bool) results.Found {
		f := found(matches(rows))
		f.Peek.Histogram.Total = total
		f.Peek.Coverage = retrieval.Coverage{Truncated: truncated, Faint: faint}
		return f
	}
	suggested := of(5, 5, false, true)
	suggested.Missing.Suggestion = "lentils"
	filtered, windowed, typed := of(5, 5, false, true), of(5, 5, false, true), of(5, 5, false, true)
	filtered.Missing.Filters = []string{"source:claude", "topic:rust"}
	windowed.Missing.Windowed = true
	typed.Missing = results.Missing{
		Searching: true, Typing: true, Filters: []string{"in:a"}, Windowed: true,
	}
	near := of(5, 5, false, false)
	near.Peek.Mode, near.Missing.Suggestion = query.Hybrid, "lentils"
	elsewhere := near
	elsewhere.Missing = results.Missing{Searching: true, Windowed: true, Holding: 52, Suggestion: "lentils"}
	some := of(12000, 5, false, false)
	some.All, some.View = false, may(14, 15)
	inWindow := of(5, 5, false, false)
	inWindow.All, inWindow.View = false, some.View
	inWindow.Missing = results.Missing{Searching: true, Windowed: true}
	known, least, all := inWindow, inWindow, inWindow
	known.Missing.ElsewhereKnown, known.Missing.Elsewhere = true, 171
	least.Missing = known.Missing
	least.Missing.AtLeast = true
	all.Missing = known.Missing
	all.Missing.Elsewhere = 5
	elsewhereTyping := elsewhere
	elsewhereTyping.Missing.Typing, elsewhereTyping.Missing.Suggestion = true, ""
	browsed := listed(matches(5))
	browsed.Peek.Histogram.Total = 12000
	oldest := browsed
	oldest.Oldest = true
	for remark, f := range map[string]results.Found{
		"Matches  5, best first":                       of(5, 5, false, false),
		"Matches  12,000, best first, 5 listed":        of(12000, 5, false, false),
		"Matches  400, best first, 100 listed":         of(400, 100, true, false),
		"Matches  5 of 12,000 in this window":          some,
		"Matches  5 of 171 in this window":             known,
		"Matches  5 in this window":                    least,
		"Nearest  No clear match; showing the nearest": of(5, 5, false, true),
		"Nearest  No clear match; ctrl+n: “lentils”":   suggested,

		"Nearest  No clear match; X drops topic:rust":                          filtered,
		"Nearest  No clear match in view; 0 shows all":                         windowed,
		"Nearest  No clear match in view; esc, then X drops in:a, 0 shows all": typed,

		"Matches  None has the words; ctrl+n: “lentils”":   near,
		"Matches  None here has the words; 0 shows 52":     elsewhere,
		"Matches  None here has the words; esc 0 shows 52": elsewhereTyping,

		"Turns  newest first":       listed(matches(5)),
		"Turns  newest 5 of 12,000": browsed,
		"Turns  oldest 5 of 12,000": oldest,
	} {
		l := newLister(70, 5)
		l.Show(f)
		got := strings.Join(strings.Fields(ansi.Strip(l.View()[0])), " ")
		if want := "▸ " + strings.Join(strings.Fields(remark), " "); got != want {
			t.Errorf("got %q, want %q", got, remark)
		}
		if !f.Missing.Searching && !strings.HasSuffix(remark, l.Remark()) {
			t.Errorf("elsewhere it says %q", l.Remark())
		}
	}
	brushed := some
	brushed.Brushed = true
	for _, f := range []results.Found{inWindow, all, brushed} {
		l, says := newLister(70, 5), "  5 in this window\n"
		if l.Show(f); f.Brushed {
			says = "  5 of 12,000 in the brush\n"
		}
		l.MustShow(t, says)
	}
	l := newLister(70, 5)
	l.Show(known)
	l.Do(t, "sort").MustShow(t, "  5 of 171 in this window, newest first\n")
	for _, f := range []results.Found{elsewhere, elsewhereTyping, windowed} {
		l := newLister(52, 5)
		l.Show(f)
		head := strings.Split(l.Text(), "\n")[0]
		if strings.Contains(head, "…") || !strings.Contains(head, "0 shows ") {
			t.Errorf("in 52 cells it says %q", head)
		}
	}
	l = newLister(70, 5)
	l.Show(of(400, 100, true, false))
	l.Do(t, "mark", "mark")
	l.MustShow(t, "  400, best first, 100 listed, 2 marked")
	l.SetSize(41, 5) // the order has no room
	l.MustShow(t, "  400, 100 listed, 2 marked\n")
	l = newLister(70, 5)
	l.Show(of(5, 5, false, true))
	l.Do(t, "mark").MustShow(t, "No clear match; showing the nearest, 1 marked")
}

func TestList_SaysThatTheArchiveHardlySpeaksOfTheQuery(t *testing.T) {
	f := found(matches(9))
	f.Peek.Mode, f.Peek.Coverage.Confidence = query.Hybrid, new(.1)
	l := newLister(60, 10)
	l.Show(f)
	l.MustShow(t, "▸ Nearest                                 None has the words\n  Your archive hardly speaks of this.", "╸──")
	uitest.MustFill(t, l.View(), 61, 10)
	if strings.Contains(l.Text(), "━") {
		t.Errorf("it flatters:\n%s", l.Text())
	}
	l = newLister(60, 4)
	l.Show(f)
	l.MustShow(t, "None has the words\n▌ ")
	f.Peek.Language = "No turn has “printer”. Dutch is searched by words alone: the model reads only English."
	l = newLister(60, 15)
	l.Show(f)
	l.MustShow(t, "\n  No turn has “printer”. Dutch is searched by words alone:\n  the model reads only English. Your archive hardly speaks …\n▌ ")
	l = newLister(60, 20)
	l.Show(f)
	l.MustShow(t, "  the model reads only English. Your archive hardly speaks\n  of this.\n\n▌ ")
	none := found(nil)
	none.Peek.Coverage.Confidence, none.Peek.Language = new(.1), "No turn has “opruimen”."
	l = newLister(60, 10)
	l.Show(none)
	l.MustShow(t, "\n  No turn has “opruimen”.\n")
	f.Peek.Language = ""
	f.Peek.Matches[8].Worded = true
	l = newLister(60, 10)
	l.Show(f)
	l.MustShow(t, "▸ Matches                                      9, best first\n  Your archive hardly speaks of this.")
	f.Peek.Coverage.Confidence = new(.5)
	l = newLister(60, 10)
	if l.Show(f); strings.Contains(l.Text(), "hardly") {
		t.Errorf("it doubts:\n%s", l.Text())
	}
}

// What the language of the query leaves out stands above the matches, where it is seen.
func TestList_SaysWhatTheLanguageLeavesOut(t *testing.T) {
	f := found(matches(9))
	f.Peek.Language = "7 of 9 turns are in Dutch: ask in Dutch, too."
	l := newLister(90, 10)
	l.Show(f)
	l.MustShow(t, "best first\n  7 of 9 turns are in Dutch: ask in Dutch, too.")
	f.Peek.Coverage.Confidence = new(.1)
	l = newLister(90, 10)
	l.Show(f)
	l.MustShow(t, "\n  7 of 9 turns are in Dutch: ask in Dutch, too. Your archive hardly speaks of this.")
	f.Stale = true
	l = newLister(90, 10)
	if l.Show(f); strings.Contains(l.Text(), "Dutch") {
		t.Errorf("it is about an earlier query:\n%s", l.Text())
	}
}

// A conversation that was found by its title alone says more than a notice.
func TestList_NamesTitlesBesideWhatTheLanguageLeavesOut(t *testing.T) {
	const counted, notice = "▸ Matches  A 2 titles with the words ", "  Dutch is searched by words alone."
	const named = "  In 2 titles: Interviews; Listed · A lists them"
	f := found(matches(9))
	f.Peek.Language, f.Peek.TitleCount = strings.TrimSpace(notice), 2
	for _, c := range []struct {
		conversation int
		height       int
		want         string
	}{
		{1000, 10, counted},
		{1000, 10, "first\n" + notice + "\n▌ "},
		{1000, 20, "first\n" + notice + "\n\n▌ "},
		{1000, 4, counted},
		{2000, 10, "first\n" + named + "\n" + notice + "\n▌ "},
		{2000, 9, "first\n" + named + "\n▌ "},
		{2000, 4, "first\n▌ "},
	} {
		f.Peek.Titles = []retrieval.TitleMatch{
			{Title: "Interviews", Conversation: id(c.conversation)}, {Title: "Listed", Conversation: id(1000)},
		}
		l := newLister(80, c.height)
		l.Show(f)
		l.MustShow(t, c.want)
		uitest.MustFill(t, l.View(), 81, c.height)
	}
}

// A title with the words is all that was found where no turn is listed, whatever the language leaves out.
func TestList_NamesTitlesWhereNothingIsListed(t *testing.T) {
	f := found(nil)
	f.Peek.Language = "No turn has “opruimen”. All that is near is in German, and the model reads only English."
	f.Peek.Titles, f.Peek.TitleCount = []retrieval.TitleMatch{{Title: "Opruimen in huis"}}, 1
	f.Peek.Occurrences = &retrieval.Occurrences{}
	for _, height := range []int{5, 10, 20} {
		l := newLister(80, height)
		l.Show(f)
		l.MustShow(t, "\n  In a title: Opruimen in huis · A shows it")
		uitest.MustFill(t, l.View(), 81, height)
	}
}

func TestList_GradesMatches(t *testing.T) {
	bars := func(p *retrieval.Peek) (all string) {
		f := found(p.Matches)
		f.Peek.Coverage = p.Coverage
		l := newLister(60, 10)
		l.Show(f)
		for _, row := range l.rows() {
			if at := strings.IndexAny(row, "━╸"); at >= 0 {
				all += string([]rune(row[at:])[:3]) + " "
			}
		}
		return all
	}
	of := func(confidence *float64, scores ...float64) *retrieval.Peek {
		p := peek(matches(len(scores)))
		for i, score := range scores {
			p.Matches[i].Score = &score
		}
		p.Coverage.Confidence = confidence
		return p
	}
	for want, p := range map[string]*retrieval.Peek{
		"━━━ ━━╸ ━━─ ╸── ": of(new(.97), 3.2, 3.1, 2.95, .4),
		"━━╸ ━━─ ━╸─ ╸── ": of(new(.8), 3.2, 3.1, 2.95, .4),
		"━━━ ━━╸ ━╸─ ╸── ": of(nil, .62, .61, .59, .4),
		"━━━ ━━━ ━━━ ":     of(nil, .9, .899, .898),
		"━━━ ━━━ ":         of(nil, 0, 0),
	} {
		if got := bars(p); got != want {
			t.Errorf("bars are %q, want %q", got, want)
		}
	}
}

func TestList_SaysThatItIsOfTheQueryBefore(t *testing.T) {
	ranked := found(matches(3))
	ranked.Peek.Titles = []retrieval.TitleMatch{{Title: "Aphids"}}
	for name, f := range map[string]results.Found{"Matches": ranked, "Turns": listed(matches(3))} {
		for _, searching := range []bool{false, true} {
			l := newLister(60, 8)
			l.Show(f)
			f.Stale, f.Current, f.Missing.Searching = true, false, searching
			if l.Show(f); !strings.Contains(l.Text(), name+" ") || !strings.Contains(l.Text(), "  of the query before") {
				t.Errorf("%s are under\n%s", name, l.Text())
			}
			if strings.Contains(l.Text(), "Aphids") {
				t.Error("the line names conversations of the query before")
			}
		}
	}
}

func TestList_NamesTheMostActiveConversations(t *testing.T) {
	f := listed(matches(9))
	f.Fullest = []retrieval.ConversationCount{
		{Title: "Kitchen", Turns: 1200}, {Title: "Rust and more", Turns: 30}, {Title: "Go", Turns: 7},
	}
	for width, want := range map[int]string{
		120: "  most active: Kitchen (1,200), Rust and more (30), Go (7)",
		50:  "  most active: Kitchen (1,200), Rust and more (30)",
		41:  "  most active: Kitchen (1,200), Go (7)",
		27:  "  most active: Kit… (1,200)",
	} {
		l := newLister(width, 10)
		l.Show(f)
		if got := strings.TrimRight(ansi.Strip(l.View()[1]), " "); got != want {
			t.Errorf("in %d cells it says %q, want %q", width, got, want)
		}
		uitest.MustFill(t, l.View(), width+1, 10)
	}
	for name, c := range map[string]struct {
		change func(*results.Found)
		height int
		line   bool
	}{
		"no room":                    {func(*results.Found) {}, 9, false},
		"room":                       {func(*results.Found) {}, 10, true},
		"while they are counted":     {func(f *results.Found) { f.Fullest, f.Current = nil, false }, 10, true},
		"none":                       {func(f *results.Found) { f.Fullest = nil }, 10, false},
		"of one conversation":        {func(f *results.Found) { f.Missing.OneConversation = true }, 10, false},
		"while a query is searched":  {func(f *results.Found) { f.Missing.Searching = true }, 10, false},
		"before the archive is open": {func(f *results.Found) { f.Peek = nil }, 10, false},
	} {
		l, f := newLister(60, c.height), f
		c.change(&f)
		l.Show(f)
		if got := f.Peek != nil && !strings.Contains(l.rows()[0], "snippet"); got != c.line {
			t.Errorf("%s: there is a line: %v:\n%s", name, got, l.Text())
		}
	}
	l := newLister(60, 10)
	l.Show(f)
	f.Current = false
	if l.Show(f); strings.Contains(l.Text(), "most active") {
		t.Error("those of another window are named")
	}
}

func TestList_NamesTitlesWithTheWords(t *testing.T) {
	one, f := found(matches(9)), found(matches(9))
	day := time.Date(2023, 4, 24, 9, 0, 0, 0, time.UTC)
	one.Peek.Titles, one.Peek.TitleCount = []retrieval.TitleMatch{{Title: "Cancel culture", Time: &day}}, 1
	f.Peek.Titles = []retrieval.TitleMatch{
		{Title: "Cancel culture", Time: &day}, {Title: "To cancel"}, {Title: "On"},
	}
	f.Peek.TitleCount = 12
	of := func(f results.Found) results.Found { // with a word alone
		p := *f.Peek
		p.TitleWord, f.Peek = "cancel", &p
		return f
	}
	for _, c := range []struct {
		found results.Found
		width int
		want  string
	}{
		{one, 80, "  In a title: Cancel culture, 24 Apr 2023 · A shows it"},
		{one, 53, "  In a title: Cancel culture · A shows it"},
		{one, 39, "  In a title: Cancel cult… · A shows it"},
		{f, 80, "  In 12 titles: Cancel culture, 24 Apr 2023; To cancel · A lists them"},
		{f, 60, "  In 12 titles: Cancel culture, 24 Apr 2023 · A lists them"},
		{f, 57, "  In 12 titles: Cancel culture · A lists them"},
		{f, 27, "  In 12 titles: Cancel cul…"},
		{of(one), 80, "  “cancel” in a title: Cancel culture, 24 Apr 2023 · A shows it"},
		{of(f), 80, "  “cancel” in 12 titles: Cancel culture, 24 Apr 2023; To cancel · A lists them"},
	} {
		f, width, want := c.found, c.width, c.want
		l := newLister(width, 10)
		l.Show(f)
		if got := strings.TrimRight(ansi.Strip(l.View()[1]), " "); got != want {
			t.Errorf("in %d cells it says %q, want %q", width, got, want)
		}
		uitest.MustFill(t, l.View(), width+1, 10)
	}
	one.Peek.Titles[0].Conversation = one.Peek.Matches[0].Conversation // it is listed, and says so itself
	l := newLister(80, 10)
	if l.Show(one); strings.Contains(l.Text(), "Cancel culture") {
		t.Errorf("a title is named above its match:\n%s", l.Text())
	}
	plain := newLister(80, 10)
	plain.Show(f)
	if got := plain.View()[1]; !strings.Contains(got, plain.UI.Theme.Key.Render("A")) {
		t.Errorf("the key is not drawn as one: %q", got)
	}
	l = newLister(60, 9)
	for i := range f.Peek.Titles {
		f.Peek.Titles[i].Conversation = f.Peek.Matches[0].Conversation
	}
	if l.Show(f); strings.Contains(l.Text(), "In 12 titles") {
		t.Error("they are named though there is no room")
	}
	f.Peek.Occurrences = &retrieval.Occurrences{}
	if l.Show(f); !strings.Contains(l.Text(), "In 12 titles") {
		t.Error("they are not named though no turn has all the words")
	}
	l, f.Brushed = newLister(60, 10), true
	if l.Show(f); strings.Contains(l.Text(), "In 12 titles") {
		t.Error("they are named though they may be out of the brush")
	}
	f.Kept = true
	spaced := newLister(60, 10)
	spaced.Show(f)
	if rows := spaced.rows(); !strings.Contains(rows[0], "In 12 titles") || strings.TrimSpace(rows[1]) != "" {
		t.Errorf("there is no empty line below:\n%s", spaced.Text())
	}
	if l.Show(f); !strings.Contains(l.Text(), "In 12 titles") {
		t.Error("they are not named though all matches are listed")
	}
}

func TestEmpty_SaysWhyAndWhatToDo(t *testing.T) {
	window := func(m results.Missing) results.Found {
		f := found(nil)
		f.All, f.Missing = false, m
		return f
	}
	whole := func(m results.Missing) results.Found {
		f := found(nil)
		f.Missing = m
		return f
	}
	unlisted := window(results.Missing{Searching: true})
	unlisted.View, unlisted.Peek.Times = may(14, 15), peek(matches(3)).Times
	brushed := unlisted
	brushed.Brushed, brushed.Searched, brushed.Missing = true, false, results.Missing{ToChart: "1"}
	for name, c := range map[string]struct {
		found results.Found
		want  string
	}{
		"unlisted matches": {unlisted, "\n  3 matches here, none of them listed"},
		"unlisted turns, brushed": {
			brushed, "\n  3 turns here, none of them listed\n  1, then enter zooms in and lists them",
		},
		"before a result": {results.Found{}, "\n  /  find what you talked about, and when"},
		"searching":       {results.Found{Missing: results.Missing{Searching: true}}, ""},
		"window": {
			window(results.Missing{Searching: true}),
			"\n  No matches in this window\n  0 show all · u back",
		},
		"elsewhere": {
			window(results.Missing{Searching: true, ElsewhereKnown: true, Elsewhere: 1}),
			"\n  No matches in this window\n  The whole archive has 1 match\n  0 show all · u back",
		},
		"at least": {
			window(results.Missing{Searching: true, ElsewhereKnown: true, Elsewhere: 1200, AtLeast: true, Typing: true}),
			"\n  No matches in this window\n  The whole archive has more than 1,200 matches\n  esc, then 0 show all · u back",
		},
		"turns of a window": {
			window(results.Missing{ElsewhereKnown: true, Elsewhere: 30, ToChart: "1"}),
			"\n  No turns in this window\n  The whole archive has 30 turns\n  0 show all · u back",
		},
		"nowhere": {
			window(results.Missing{Searching: true, ElsewhereKnown: true}),
			"\n  No matches. Try other words",
		},
		"whole archive": {whole(results.Missing{Searching: true}), "\n  No matches. Try other words"},
		"suggestion": {
			whole(results.Missing{Searching: true, Suggestion: "lentils"}),
			"\n  No matches\n  Did you mean “lentils”?  ctrl+n accepts",
		},
		"suggestion while typing": {
			whole(results.Missing{Searching: true, Suggestion: "lentils", Typing: true}),
			"\n  No matches\n  Did you mean “lentils”?  tab accepts",
		},
		"filters": {
			whole(results.Missing{Searching: true, Filters: []string{"source:claude", "words only"}, Suggestion: "lentils"}),
			"\n  No matches\n  Filters: source:claude, words only\n  X drops the last · f all filters",
		},
		"filters while typing": {
			whole(results.Missing{Searching: true, Filters: []string{"source:claude"}, Typing: true}),
			"\n  No matches\n  Filters: source:claude\n  esc, then X drops the last · f all filters",
		},
		"filters in a window": {
			window(results.Missing{Searching: true, Filters: []string{"source:claude"}}),
			"\n  No matches in this window\n  0 show all · u back",
		},
	} {
		l := newLister(70, 8)
		l.Show(c.found)
		if got := strings.Join(l.rows(), "\n"); got != c.want && name != "searching" {
			t.Errorf("%s: it says\n%s\nwant\n%s", name, got, c.want)
		}
		uitest.MustFill(t, l.View(), 71, 8)
	}
}

// Nothing is said to be missing while it may still arrive.
func TestEmpty_WaitsForTheResult(t *testing.T) {
	partial := found(nil)
	partial.Final = false
	another := listed(nil)
	another.All, another.Current = false, false
	for name, f := range map[string]results.Found{
		"searching":      {Missing: results.Missing{Searching: true}},
		"partial":        partial,
		"another window": another,
	} {
		l := newLister(60, 6)
		l.Show(f)
		if got := strings.TrimSpace(strings.Join(l.View()[1:], "")); ansi.Strip(got) != "" {
			t.Errorf("%s: it says %q", name, got)
		}
	}
}

func TestList_FailureTakesThePlaceOfTheRows(t *testing.T) {
	l := newLister(60, 8)
	f := found(matches(5))
	f.Failure = ui.Failure{Message: "the model is down", Hint: "start it"}
	l.Show(f)
	l.MustShow(t, "Matches", "error: the model is down", "start it", "r retry")
	if strings.Contains(l.Text(), "snippet") || strings.Contains(l.Text(), "in view") {
		t.Errorf("the rows show:\n%s", l.Text())
	}
}

// The ground of the row under the cursor is a cell wider than its text.
func TestList_GroundOfTheCursor(t *testing.T) {
	c := uitest.Context(theme.Dark)
	l := results.New(c)
	l.SetSize(61, 5)
	l.Show(found(matches(3)))
	for i, line := range l.View()[1:4] {
		if ground := strings.HasSuffix(line, " \x1b[m"); ground != (i == 0) {
			t.Errorf("row %d ends %q", i, line[max(0, len(line)-20):])
		}
	}
}
