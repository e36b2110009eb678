package timeline

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/internal/chart"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

var spaces = regexp.MustCompile(" {2,}")

func TestHead_WordsByWidth(t *testing.T) {
	d := open(everyDay()).finding(everyDay().found(bursting))
	d.enter("2022-04-01", "2022-07-01").enter("2022-05-01", "2022-06-01").do(t, "first")
	const day, week = " | ▲ Sun 1 May 2022 | 1 match", " | ▲ 25 Apr – 1 May 2022, in part | 1 match"
	const bars = " | ██ matches | ░░ all turns (to 1)"
	for width, want := range map[int]string{
		150: "All time › Q2 2022 › May 2022 | by day" + day + " of 1 turn" + bars,
		109: "All time › … › May 2022 | by day" + day + " of 1 turn" + bars,
		100: "All time › … › May 2022 | by day" + day + bars,
		93:  "All time › … › May 2022 | by day" + day + " | ██ matches | ░░ all turns",
		87:  "All time › … › May 2022 | by day" + day + " | ██ matches | ░░ all turns",
		79:  "All time › … › May 2022" + day + " | ██ matches | ░░ all turns",
		75:  "All time › … › May 2022 | by day" + day + " | ░░ all turns",
		60:  "May 2022 | by week" + week,
		52:  "May 2022" + week,
		42:  "▲ 25 Apr – 1 May 2022, in part | 1 match",
	} {
		if got := spaces.ReplaceAllString(strings.Trim(d.head(width), "▸ "), " | "); got != want {
			t.Errorf("%d columns show %q, want %q", width, got, want)
		}
	}
	for width := range 150 {
		if line := d.head(width); theme.Width(line) > width {
			t.Errorf("%d columns show %q", width, line)
		}
	}
}

// The legend names bars that are partly in view where it has room, and before that says how high the area is. Without a
// name they look like others.
func TestHead_NamesIncompleteBars(t *testing.T) {
	d := open(everyDay()).finding(everyDay().found(bursting))
	d.enter("2022-05-11", "2023-02-09")
	const legend = "██ matches  ░░ all turns"
	for width, want := range map[int]string{
		188: "       " + legend + " (to 7)  ▓▓ incomplete", 160: "       " + legend + " (to 7)",
		120: "       " + legend + " (to 7)", 103: "  " + legend,
	} {
		if got := strings.TrimSpace(d.head(width)); !strings.HasSuffix(got, want) {
			t.Errorf("%d columns show %q", width, got)
		}
		d.SetSize(width+1, d.height)
		if chart := strings.Join(d.View(), "\n"); strings.Contains(chart, "▓") != strings.Contains(want, "▓") {
			t.Errorf("on %d columns, incomplete bars are drawn otherwise than the legend says:\n%s", width, chart)
		}
	}
}

func TestTimeline_Tally(t *testing.T) {
	a := everyDay()
	some := func(i int, _ time.Time) bool { return i%10 == 0 }
	with := func(change func(*retrieval.Peek)) Found {
		p := a.found(some)
		change(p)
		return Found{Peek: p, Searching: true}
	}
	occurring := func(n int) Found {
		return with(func(p *retrieval.Peek) {
			p.Occurrences = &retrieval.Occurrences{Histogram: retrieval.Histogram{Total: n}, Times: p.Times[:min(n, len(p.Times))]}
		})
	}
	turns := &retrieval.Overview{Turns: 1827, Conversations: 3}
	for name, c := range map[string]struct {
		found   Found
		archive *retrieval.Overview
		want    []string
	}{
		"all turns":         {Found{Peek: a.found(bursting)}, turns, []string{"1,827 turns in 3 conversations", "1,827 turns"}},
		"no turns yet":      {Found{}, turns, []string{"1,827 turns in 3 conversations", "1,827 turns"}},
		"no archive yet":    {Found{}, nil, nil},
		"turns of a window": {Found{Peek: a.found(some)}, turns, []string{"36 of 1,827 turns"}},
		"filtered turns":    {Found{Peek: a.found(some), Narrowed: true}, turns, []string{"183 of 1,827 turns"}},
		"matches":           {Found{Peek: a.found(some), Searching: true}, nil, []string{"183 matches"}},
		"some in a window":  {Found{Peek: a.found(some), Searching: true}, nil, []string{"36 of 183 matches in view", "36 of 183 matches"}},
		"those of a window": {
			Found{Peek: a.found(some), Searching: true, Window: days("2020-01-01", "2021-01-01")},
			nil,
			[]string{"183 matches in this window", "183 matches"},
		},
		"more than of the best": {
			Found{Peek: a.found(some), Searching: true, Window: days("2020-01-01", "2021-01-01"), Best: 32, BestOf: 400},
			nil,
			[]string{"183 matches here, 32 of the best 400 of all time", "183 matches in this window", "183 matches"},
		},
		"as many as of the best": {
			Found{Peek: a.found(some), Searching: true, Window: days("2020-01-01", "2021-01-01"), Best: 183, BestOf: 400},
			nil,
			[]string{"183 matches in this window", "183 matches"},
		},
		"the best": {with(func(p *retrieval.Peek) { p.Coverage.Truncated = true }), nil, []string{"best 183 matches"}},
		"similar":  {with(func(p *retrieval.Peek) { p.Like, p.Mode = uuid.UUID{1}, query.Dense }), nil, []string{"183 similar turns"}},
		"the most similar": {
			with(func(p *retrieval.Peek) { p.Like, p.Mode, p.Coverage.Truncated = uuid.UUID{1}, query.Dense, true }), nil,
			[]string{"the 183 most similar turns"},
		},
		"the nearest": {with(func(p *retrieval.Peek) { p.Coverage.Faint = true }), nil, []string{"the 183 nearest"}},
		"the nearest turn": {
			with(func(p *retrieval.Peek) {
				p.Coverage.Faint, p.Histogram.Total, p.Occurrences = true, 1, &retrieval.Occurrences{}
			}), nil,
			[]string{"the nearest turn, which lacks the words", "the nearest turn"},
		},
		"undated matches": {
			with(func(p *retrieval.Peek) { p.Histogram.Undated = 1200 }), nil,
			[]string{"183 matches, 1,200 undated", "183 matches"},
		},
		"many with the words": {occurring(914), nil, []string{"183 matches, 914 have all the words", "183 matches"}},
		"one with the words":  {occurring(1), nil, []string{"183 matches, 1 has all the words", "183 matches"}},
		"none with the words": {occurring(0), nil, []string{"183 matches, none has all the words", "183 matches"}},
		"old matches":         {Found{Peek: a.found(some), Searching: true, Stale: true}, nil, nil},
		"no result yet":       {Found{Searching: true}, nil, nil},
	} {
		d := open(a)
		d.in.Found = c.found
		d.Run(nil)
		if strings.Contains(name, " a window") && c.found.Window == (zoom.Span{}) {
			d.enter("2022-01-01", "2023-01-01")
		}
		if got := d.Tally(c.archive); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What is only near is not drawn as matches: its bars are dim, and nothing is a peak.
func TestTimeline_DrawsTheNearestDim(t *testing.T) {
	a := everyDay()
	found := a.found(bursting)
	found.Peaks = []retrieval.Peak{
		{Start: utc(midnight("2022-05-02")), End: utc(midnight("2022-05-09")), Count: 7, Words: []string{"stew"}},
	}
	d := open(a).finding(found)
	if c := d.Chart(); c.Vague || c.Noun != "matches" || len(c.Captions) != 1 {
		t.Errorf("matches are drawn as %s, dim %v, captions %v", c.Noun, c.Vague, c.Captions)
	}
	found.Coverage.Faint = true
	d = open(a).finding(found)
	if c := d.Chart(); !c.Vague || c.Noun != "nearest" || len(c.Peaks)+len(c.Captions) != 0 {
		t.Errorf("the nearest are drawn as %s, dim %v, captions %v", c.Noun, c.Vague, c.Captions)
	}
	if head := d.head(150); !strings.Contains(head, "██ nearest") {
		t.Errorf("the head is %q", head)
	}
}

func TestHead_CrumbsLeadBack(t *testing.T) {
	d := open(everyDay()).enter("2022-01-01", "2023-01-01").enter("2022-04-01", "2022-07-01")
	d.do(t, "coarser-bins", "auto-bins") // entries of the history, too
	d.enter("2022-05-01", "2022-06-01")
	line := d.head(120)
	if !strings.HasPrefix(line, "▸ All time › 2022 › Q2 2022 › May 2022") || d.Crumb() != "May 2022" {
		t.Fatalf("the head is %q, the window %q", line, d.Crumb())
	}
	at := func(name string) int { return theme.Width(line[:strings.Index(line, name)]) }
	d.ClickHead(at("May 2022"))
	if posted := d.Posted(); len(posted) > 0 {
		t.Errorf("the window in view is entered again: %v", posted)
	}
	d.ClickHead(at("Q2 2022"))
	if posted := d.Posted(); d.Zoom().Span != days("2022-04-01", "2022-07-01") || !slices.Equal(posted, []any{WindowChanged{}}) {
		t.Errorf("in view is %v, posted %v", d.Zoom().Span, posted)
	}
	d.do(t, "first", "brush", "coarser-bins", "finer-bins", "brush")
	if d.ClickHead(at("Q2 2022")); !d.Zoom().Brushes {
		t.Error("a click on the window in view drops the brush")
	}
	if d.Run(nil); !strings.HasPrefix(d.head(120), "▸ All time › 2022 › Q2 2022  ") {
		t.Errorf("the head is %q", d.head(120))
	}
	if d.ClickHead(2); !d.Zoom().IsAll() || d.Crumb() != "" {
		t.Errorf("All leads to %v", d.Zoom().Span)
	}
	if d.ClickHead(100); !d.Zoom().IsAll() {
		t.Error("a click on the words beside zooms")
	}
	d.enter("2022-01-01", "2023-01-01").enter("2022-04-01", "2022-07-01").enter("2022-05-01", "2022-06-01")
	d.SetSize(63, 10)
	line, in := d.head(62), d.Zoom().Span
	if !strings.HasPrefix(line, "▸ All time › … › May 2022 ") {
		t.Fatalf("the head is %q", line)
	}
	if d.ClickHead(at("2022")); d.Zoom().Span != in {
		t.Errorf("the year in the name of a month leads to %v", d.Zoom().Span)
	}
}

func TestHead_CrumbsAreNested(t *testing.T) {
	d := open(everyDay()).enter("2021-01-01", "2022-01-01").enter("2023-01-01", "2024-01-01").enter("2023-05-01", "2023-06-01")
	if got := d.head(120); !strings.HasPrefix(got, "▸ All time › 2023 › May 2023  ") {
		t.Errorf("the head is %q", got)
	}
}

// A peak is captioned with what the search says of its highest peak there, whatever bins it counted in.
func TestPeaks_Captions(t *testing.T) {
	a := everyDay()
	d := open(a)
	found := a.found(func(i int, at time.Time) bool {
		return bursting(i, at) || at.Year() == 2024 && at.Month() == time.March
	})
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	found.Peaks = []retrieval.Peak{
		{Start: day("2022-05-02"), End: day("2022-05-09"), Count: 7, Words: []string{"lentils"}},
		{Start: day("2022-05-09"), End: day("2022-05-16"), Count: 9, Words: []string{"tomatoes", "stew"}},
		{Start: day("2023-01-01"), End: day("2023-02-01"), Count: 40, Words: []string{"elsewhere"}},
	}
	d.finding(found)
	want := []histogram.Caption{{Bin: 28, Words: []string{"tomatoes", "stew"}}}
	if got := d.Chart().Captions; !reflect.DeepEqual(got, want) {
		t.Errorf("captions are %v, want %v", got, want)
	}
	titled := *found
	titled.Peaks = slices.Clone(found.Peaks)
	titled.Peaks[1].Words, titled.Peaks[1].Title = nil, "Lentil stew"
	d.finding(&titled)
	want[0].Words = []string{"Lentil stew"}
	if got := d.Chart().Captions; !reflect.DeepEqual(got, want) {
		t.Errorf("without words, captions are %v, want %v", got, want)
	}
}

// The highest of several peaks that nothing sets apart has its time as a caption, before one with words.
func TestPeaks_CaptionWithoutWords(t *testing.T) {
	a := everyDay()
	in := func(at time.Time, year int, month time.Month, days int) bool {
		return at.Year() == year && at.Month() == month && at.Day() <= days
	}
	found := a.found(func(i int, at time.Time) bool {
		return in(at, 2021, time.May, 22) || in(at, 2022, time.May, 31) || in(at, 2023, time.May, 20)
	})
	from := time.Date(2023, 5, 1, 0, 0, 0, 0, time.UTC)
	found.Peaks = []retrieval.Peak{{Start: from, End: from.AddDate(0, 1, 0), Count: 20, Words: []string{"stew"}}}
	d := open(a).finding(found)
	want := []histogram.Caption{{Bin: 28}, {Bin: 40, Words: []string{"stew"}}}
	if c := d.Chart(); len(c.Peaks) != 3 || !reflect.DeepEqual(c.Captions, want) {
		t.Errorf("captions of %d peaks are %v, want %v", len(c.Peaks), c.Captions, want)
	}
}

// What the search says of longer peaks, as of those of all time, is about other days, too: the matches of the bin have
// titles. One that half of them have is not what the bin is about.
func TestPeaks_CaptionsOfTheirOwnBins(t *testing.T) {
	found := everyDay().found(bursting)
	found.Peaks = []retrieval.Peak{{
		Start: time.Date(2022, 4, 1, 0, 0, 0, 0, time.UTC), End: time.Date(2022, 7, 1, 0, 0, 0, 0, time.UTC),
		Count: len(found.Times), Title: "Of other days",
	}}
	lentils, stew := uuid.New(), uuid.New()
	at := func(month time.Month, day int, title string, conversation uuid.UUID) retrieval.Match {
		when := time.Date(2022, month, day, 12, 0, 0, 0, time.UTC)
		return retrieval.Match{Time: &when, Title: title, Conversation: conversation}
	}
	found.Matches = []retrieval.Match{at(time.June, 1, "Of other days", uuid.New()), at(time.May, 3, "Stew", stew)}
	for day := 4; day < 20; day++ { // 16 of 31 matches
		found.Matches = append(found.Matches, at(time.May, day, "Lentils", lentils))
	}
	captions := open(everyDay()).finding(found).Chart().Captions
	if len(captions) != 1 || !slices.Equal(captions[0].Words, []string{"Lentils"}) {
		t.Errorf("captions are %v", captions)
	}
	half := *found
	half.Matches = found.Matches[:len(found.Matches)-1]
	if captions := open(everyDay()).finding(&half).Chart().Captions; len(captions) != 1 || captions[0].Words != nil {
		t.Errorf("of half of the matches, captions are %v", captions)
	}
}

// A chart of the turns with all words says nothing of a chat whose matches lack some.
func TestPeaks_CaptionsOfOccurrences(t *testing.T) {
	found := everyDay().found(bursting)
	found.Mode = query.Keyword
	found.Occurrences = &retrieval.Occurrences{Times: found.Times, Histogram: retrieval.Histogram{Total: len(found.Times)}}
	found.Matches = nil
	match := func(at int64, title string, conversation uuid.UUID) {
		when := time.Unix(at, 0)
		found.Matches = append(found.Matches, retrieval.Match{Time: &when, Title: title, Conversation: conversation})
	}
	of := map[string]uuid.UUID{"Lentils": uuid.New(), "Stew": uuid.New()}
	for _, at := range found.Times {
		match(at+1, "Lentils", of["Lentils"])
	}
	if captions := open(everyDay()).finding(found).Chart().Captions; len(captions) != 1 || captions[0].Words != nil {
		t.Errorf("of others, captions are %v", captions)
	}
	for _, at := range found.Times {
		match(at, "Stew", of["Stew"])
	}
	captions := open(everyDay()).finding(found).Chart().Captions
	if len(captions) != 1 || !slices.Equal(captions[0].Words, []string{"Stew"}) {
		t.Errorf("captions are %v", captions)
	}
}

// What the peak of a few words has in common would be read as an answer where no turn has all the words.
func TestPeaks_NoCaptionsWhereTheMatchesMayNotSpeakOfTheQuery(t *testing.T) {
	found := everyDay().found(bursting)
	at := time.Date(2022, 5, 3, 12, 0, 0, 0, time.UTC)
	found.Matches = slices.Repeat([]retrieval.Match{{Time: &at, Title: "Weekend schedule for a batard"}}, 31)
	found.Occurrences, found.Coverage.Confidence = &retrieval.Occurrences{}, new(.3)
	if c := open(everyDay()).finding(found).Chart(); len(c.Peaks) != 1 || len(c.Captions) > 0 {
		t.Errorf("%d peaks have the captions %v", len(c.Peaks), c.Captions)
	}
	*found.Coverage.Confidence = .7
	if c := open(everyDay()).finding(found).Chart(); len(c.Captions) != 1 {
		t.Errorf("where they may speak of it, captions are %v", c.Captions)
	}
}

func TestPeaks_NextAndPrevious(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(func(i int, at time.Time) bool {
		return bursting(i, at) || at.Year() == 2024 && at.Month() == time.March
	}))
	c := d.Chart()
	if !slices.Equal(c.Peaks, []int{28, 50}) {
		t.Fatalf("peaks are at %v", c.Peaks)
	}
	d.do(t, "first")
	for _, step := range []struct {
		command string
		cursor  int
		posted  []any
	}{
		{"next-peak", 28, nil},
		{"next-peak", 50, nil},
		{"next-peak", 50, []any{ui.Notify("No more peaks")}},
		{"previous-peak", 28, nil},
		{"previous-peak", 28, []any{ui.Notify("No more peaks")}},
	} {
		if posted := d.do(t, step.command); d.Chart().Cursor != step.cursor || !slices.Equal(posted, step.posted) {
			t.Errorf("%s goes to bin %d, posted %v", step.command, d.Chart().Cursor, posted)
		}
	}
	if got := d.head(140); !strings.Contains(got, "May 2022  31 matches of 31 turns · 17.1 times the usual") {
		t.Errorf("the head is %q", got)
	}
	rail := uitest.Text(d.View()[5:6])
	if strings.Trim(rail, " └─") != "▲" {
		t.Errorf("the rail is %q", rail)
	}
	peaks := d.Peaks()
	if len(peaks) != 2 || peaks[0] != (Landmark{days("2022-05-01", "2022-06-01"), 31, "31 matches of 31 turns", "17.1 times the usual"}) || peaks[1].Name(d.ui.Theme) != "Mar 2024" {
		t.Errorf("peaks are %v", peaks)
	}
}

// The peaks that are shown are always those of the bins that are shown.
func TestPeaks_FollowTheView(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(bursting))
	mustAgree := func() {
		t.Helper()
		var counts, baselines []int
		for _, b := range d.Chart().Bins {
			counts, baselines = append(counts, b.Count), append(baselines, b.Baseline)
		}
		if got, want := len(d.Peaks()), len(timebin.Peaks(counts, baselines, timebin.Outside{})); got != want {
			t.Errorf("%d peaks of %d in %v", got, want, d.Zoom().Span)
		}
	}
	for _, command := range []string{"coarser-bins", "zoom-in", "pan-back", "show-all"} {
		d.do(t, command)
		mustAgree()
	}
	d.enter("2022-04-01", "2022-07-01")
	mustAgree()
	d.finding(a.found(func(i int, _ time.Time) bool { return i%3 == 0 }))
	mustAgree()
}

func TestPeaks_AreFoundOnce(t *testing.T) {
	d := open(everyDay()).finding(everyDay().found(bursting))
	before := &d.ranked.peaks[0]
	if d.do(t, "first"); &d.ranked.peaks[0] != before {
		t.Error("a step of the cursor finds the peaks again")
	}
	if d.do(t, "coarser-bins"); &d.ranked.peaks[0] == before {
		t.Error("other bins have the same peaks")
	}
}

func TestPeaks_MarkedAtTheirHighestBin(t *testing.T) {
	bins := make([]chart.Bin, 9)
	bins[4].Count, bins[5].Count, bins[6].Count = 3, 7, 5
	if got := highest([]timebin.Peak{{From: 4, To: 7}}, bins); !slices.Equal(got, []int{5}) {
		t.Errorf("marked are %v", got)
	}
}

func TestPeaks_OnlyOfClearMatches(t *testing.T) {
	a := everyDay()
	faint := a.found(bursting)
	faint.Coverage.Faint = true
	for name, found := range map[string]Found{
		"of turns":          {Peek: a.found(bursting), Narrowed: true},
		"of the nearest":    {Peek: faint, Searching: true},
		"of an older query": {Peek: a.found(bursting), Searching: true, Stale: true},
		"of nothing yet":    {Searching: true},
	} {
		d := open(a)
		d.in.Found = found
		if d.Run(nil); len(d.Peaks()) > 0 || len(d.Chart().Peaks) > 0 {
			t.Errorf("there are peaks %s: %v", name, d.Peaks())
		}
	}
	d := open(a).finding(faint)
	d.do(t, "first")
	highest := zoom.NextPeak(d.counts(), 0, 1)
	if posted := d.do(t, "next-peak"); d.Chart().Cursor != highest || highest == 0 || len(posted) > 0 {
		t.Errorf("without peaks n goes to bin %d, posted %v", d.Chart().Cursor, posted)
	}
}

func TestBusiest(t *testing.T) {
	a := everyDay()
	d := open(a)
	d.in.Found = Found{Peek: a.found(bursting), Narrowed: true}
	d.Run(nil)
	if busiest, ok := d.Busiest(); !ok || busiest.Name(d.ui.Theme) != "May 2022" || busiest.Count != 31 {
		t.Errorf("busiest is %v, %v", busiest, ok)
	}
	if _, ok := open(&archive{}).Busiest(); ok {
		t.Error("an archive without dates has a busiest bin")
	}
}

func TestBars_StaleCountsAreDim(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(bursting))
	d.UI.Theme = theme.New(theme.Dark, 4)
	bar, faded := d.UI.Theme.Bar.Before, d.UI.Theme.Faded.Before
	if drawn := strings.Join(d.View(), ""); !strings.Contains(drawn, bar) || strings.Contains(drawn, faded) {
		t.Errorf("current counts are drawn as\n%q", drawn)
	}
	d.in.Stale = true
	d.Run(nil)
	if drawn := strings.Join(d.View(), ""); strings.Contains(drawn, bar) || !strings.Contains(drawn, faded) {
		t.Errorf("old counts are drawn as\n%q", drawn)
	}
	if got := d.head(120); strings.Contains(got, "match") {
		t.Errorf("the head counts what is old: %q", got)
	}
}

func TestBars_NothingCountedYet(t *testing.T) {
	d := open(everyDay()).finding(nil)
	if c := d.Chart(); d.sum() != 0 || !c.Baselined || c.Bins[0].Baseline != 31 {
		t.Errorf("before the result, %d are counted of %d", d.sum(), c.Bins[0].Baseline)
	}
}

func TestBars_HoursAreInUTC(t *testing.T) {
	d := open(everyDay())
	if d.Chart().Zoned {
		t.Error("UTC is named where all times are in UTC")
	}
	d.UI.Zone = time.FixedZone("XYZ", 3600)
	if !d.Chart().Zoned {
		t.Error("beside local times, UTC is not named")
	}
}

func TestShare_NeedsASearch(t *testing.T) {
	a := everyDay()
	d := open(a)
	if posted := d.do(t, "toggle-share"); !slices.Equal(posted, []any{ui.Notify("No shares without a query. Search first")}) || d.Look().Share {
		t.Errorf("posted %v", posted)
	}
	d.finding(a.found(bursting)).do(t, "toggle-share")
	if d.MustShow(t, "100% ┤", "0% ┤"); !d.Look().Share {
		t.Error("share is not kept")
	}
	d.in.Found = Found{}
	if d.Run(nil); strings.Contains(d.Text(), "%") {
		t.Errorf("without a query, shares are shown:\n%s", d.Text())
	}
}

func TestForms_InTurn(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(bursting))
	if posted := d.do(t, "next-chart", "next-chart"); d.Look().Form != Bars || !slices.Equal(posted, []any{
		ui.Notify("Line chart"), ui.Notify("Bars (pin compares queries)"),
	}) {
		t.Errorf("the form is %d, posted %v", d.Look().Form, posted)
	}
	d.in.Pinned = []Pin{{Name: "apples", Peek: a.found(bursting)}, {Name: "pears"}}
	for _, want := range []Form{Line, Rows, Lines, Bars} {
		if d.do(t, "next-chart"); d.Look().Form != want {
			t.Errorf("the form is %d, want %d", d.Look().Form, want)
		}
	}
}

func TestForms_LinesNeedRoom(t *testing.T) {
	d := open(everyDay()).finding(everyDay().found(bursting))
	for height, bars := range map[int]bool{1: true, 5: true, 6: false} {
		d.SetSize(120, height)
		d.SetLook(Look{})
		drawn := d.Text()
		if d.SetLook(Look{Form: Line}); (d.Text() == drawn) != bars {
			t.Errorf("%d lines show bars: %v\n%s", height, !bars, d.Text())
		}
	}
}

// compare returns the timeline of a query beside pinned ones, which never changes what is found.
func compare(t *testing.T, form Form) driver {
	t.Helper()
	a := everyDay()
	d := open(a).finding(a.found(func(i int, _ time.Time) bool { return i%3 == 0 }))
	d.in.Name = "plums and damsons"
	d.in.Pinned = []Pin{{Name: "apples", Peek: a.found(bursting)}, {Name: "a pear in a partridge tree"}}
	d.SetLook(Look{Form: form})
	d.Run(nil)
	d.SetSize(130, d.Lines(40))
	d.do(t, "last")
	return d
}

func TestRows_LiveQueryFirst(t *testing.T) {
	d := compare(t, Rows)
	rows := d.rowsOf(d.Chart())
	if len(rows) != 3 || !rows[0].Live || rows[0].Name != "plums and damsons" || rows[0].Total != 609 {
		t.Fatalf("the rows are %+v", rows)
	}
	if rows[1].Series != 1 || rows[2].Series != 2 || slices.Max(rows[2].Values) > 0 {
		t.Errorf("the pinned rows are %+v", rows[1:])
	}
	d.MustShow(t, "▸ plums and damsons", "  apples", "a pear in a partridge tree", "609", "___")
	if lines := d.height; lines != 3*3+2 {
		t.Errorf("three rows take %d lines", lines)
	}
	own := d.Text()
	for width, want := range map[int]string{
		130: "  each row on its own scale · pinned lists them", 80: "  each row on its own scale", 50: "  own scales",
	} {
		if !strings.HasSuffix(d.head(width), want) {
			t.Errorf("%s\n%s", d.head(width), own)
		}
	}
	if d.do(t, "toggle-share"); !strings.Contains(d.head(130), "  all rows on one scale") || d.Text() == own {
		t.Errorf("%s\n%s", d.head(130), d.Text())
	}
	if d.do(t, "brush"); !strings.Contains(d.head(130), "Nov–Dec 2024  20 matches") {
		t.Errorf("while it is brushed, the head is %q", d.head(130))
	}
	d.in.Name, d.in.Pinned[0].Live = "", true
	d.Run(nil)
	if rows := d.rowsOf(d.Chart()); len(rows) != 2 || rows[0].Name != "apples" || rows[0].Series != 0 || rows[1].Series != 2 {
		t.Errorf("a pinned query is the current one: %+v", rows)
	}
}

func TestRows_OneLineEachWhereTheyFillHalf(t *testing.T) {
	d := compare(t, Rows)
	for height, want := range map[int]int{40: 11, 24: 10, 18: 5} {
		if got := d.Lines(height); got != want {
			t.Errorf("of %d lines, three rows take %d, want %d", height, got, want)
		}
	}
	d.SetSize(130, d.Lines(18))
	d.MustShow(t, "▸ plums and damsons", "  apples", "a pear in a partridge tree", "▲")
}

func TestRows_Clicked(t *testing.T) {
	d := compare(t, Rows)
	for bin := range d.counts() {
		x := 0
		for ; d.binAt(x) != bin; x++ {
			if x == d.width {
				t.Fatalf("bin %d is nowhere", bin)
			}
		}
		if d.Click(x, 1); d.Chart().Cursor != bin {
			t.Errorf("column %d is bin %d, not %d", x, bin, d.Chart().Cursor)
		}
	}
}

// A query keeps its color from rows to lines, whichever is the current one.
func TestLines_HaveTheNumbersOfTheRows(t *testing.T) {
	d := compare(t, Lines)
	d.in.Pinned = append(d.in.Pinned, Pin{Name: "pears in May"}, Pin{Name: "cherries"}, Pin{Name: "quinces"})
	for now, want := range map[string][]int{
		"":        {1, 2, 3, 4}, // no query
		"apples":  {0, 2, 3, 5}, // 4 would look like 0
		"quinces": {0, 1, 2, 3},
	} {
		d.in.Name = ""
		for i := range d.in.Pinned {
			d.in.Pinned[i].Live = d.in.Pinned[i].Name == now
		}
		d.Run(nil)
		number := map[string]int{}
		for _, row := range d.rowsOf(d.Chart()) {
			number[row.Name] = row.Series
		}
		var got []int
		for _, s := range d.series(d.Chart()) {
			got = append(got, s.Number)
			if s.Number != number[s.Name] {
				t.Errorf("%s is row %d and line %d", s.Name, number[s.Name], s.Number)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %q as the query of now, the lines are %d, want %d", now, got, want)
		}
	}
}

func TestLines_ForEachQuery(t *testing.T) {
	d := compare(t, Lines)
	d.SetSize(130, 10)
	for height := 4; height < 9; height++ {
		d.SetSize(120, height)
		d.MustShow(t, "─", "━")
	}
	for width, want := range map[int]string{
		140: "── plums and damsons 10  ━━ apples 1  ══ a pear in a partridge t… 0",
		70:  "── plums a… 20  ━━ apples 1  ══ a pear … 0",
	} {
		if got := d.head(width); !strings.HasSuffix(got, want) {
			t.Errorf("%d columns show %q, want %q", width, got, want)
		}
	}
	d.in.Pinned[1].Peek = d.in.Peek
	if d.Run(nil); strings.Contains(d.Text(), "═") {
		t.Errorf("a pinned query hides the current one:\n%s", d.Text())
	}
	d.in.Pinned = append(d.in.Pinned, Pin{Name: "pears in May"}, Pin{Name: "cherries"})
	d.Run(nil)
	if n := len(d.series(d.Chart())); n != 4 {
		t.Errorf("%d lines are drawn in one plot", n)
	}
}

func TestView_FillsItsPlace(t *testing.T) {
	a := everyDay()
	rapid.Check(t, func(t *rapid.T) {
		d := open(a).finding(a.found(bursting))
		d.in.Stale = rapid.Bool().Draw(t, "stale")
		d.in.Pinned = []Pin{{Name: "本 in Chinese", Peek: d.in.Peek}, {Name: "pears"}}
		d.in.Name = rapid.SampledFrom([]string{"", "apples"}).Draw(t, "name")
		d.SetLook(Look{
			Form:    Form(rapid.IntRange(0, 3).Draw(t, "form")),
			Share:   rapid.Bool().Draw(t, "share"),
			Counted: Counted(rapid.IntRange(0, 2).Draw(t, "counted")),
		})
		all := d.Commands()
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			d.Run(all[rapid.IntRange(0, len(all)-1).Draw(t, "command")].Do())
		}
		width, height := rapid.IntRange(8, 160).Draw(t, "width"), rapid.IntRange(1, 20).Draw(t, "height")
		d.SetSize(width, height)
		for _, line := range append(d.View(), d.Head()) {
			if theme.Width(line) != width {
				t.Fatalf("%d cells of %d: %q", theme.Width(line), width, line)
			}
		}
		if n := len(d.View()); n != height {
			t.Fatalf("%d lines of %d", n, height)
		}
	})
}

func TestView_SparklineIsOneLine(t *testing.T) {
	d := open(everyDay())
	d.SetSize(60, 1)
	uitest.MustFill(t, d.View(), 60, 1)
	d.MustShow(t, "92 ┤ ", "█")
}

func TestView_FailureUntilTheArchiveIsOpen(t *testing.T) {
	c := uitest.Context(theme.Mono)
	line := New(c)
	line.SetSize(60, 7)
	if got := uitest.Text(line.View()); strings.Contains(got, "No dates") {
		t.Errorf("before the archive is open, it shows\n%s", got)
	}
	line.SetInputs(Inputs{Failure: "the disk is gone", Hint: "plug it in"})
	uitest.MustShow(t, line.View(), "error: the disk is gone", "plug it in", "retry retry")
	a := everyDay()
	line.Open(a.overview(), a.days())
	if got := uitest.Text(line.View()); strings.Contains(got, "error") {
		t.Errorf("an error takes the place of counts that are known:\n%s", got)
	}
}

func TestBins_Named(t *testing.T) {
	d := open(everyDay())
	var got []string
	got = append(got, d.Bins())
	d.do(t, "coarser-bins")
	got = append(got, d.Bins())
	d.enter("2022-05-01", "2022-06-01").do(t, "auto-bins")
	got = append(got, d.Bins())
	d.do(t, "coarser-bins", "finer-bins")
	got = append(got, d.Bins())
	d.SetSize(12, 7)
	got = append(got, d.Bins())
	want := []string{"by month", "by 2 months", "by day", "by day", "by month (no room for bins of day)"}
	if !slices.Equal(got, want) {
		t.Errorf("bins are named %q, want %q", got, want)
	}
}

func TestOverview_NamesTheEndsOnce(t *testing.T) {
	for _, c := range []struct{ from, to, first, last string }{
		{"2020-01-01", "2025-01-01", "2020", "2024"},
		{"2023-03-28", "2023-06-10", "Mar", "Jun"},
		{"2023-03-01", "2023-03-20", "2023", ""},
	} {
		if first, last := (overview{all: days(c.from, c.to)}).ends(); first != c.first || last != c.last {
			t.Errorf("%s to %s: %q and %q", c.from, c.to, first, last)
		}
	}
}

// Where most of the archive is busy, the strip tells how busy; where it is not, it shows that there is something.
func TestOverview_ScaleShowsTheShape(t *testing.T) {
	for want, counts := range map[string][5]int{"▄█▄▅▄": {4, 8, 4, 5, 4}, "▂█▂▂ ": {1, 16, 1, 1, 0}} {
		var times []int64
		all := days("2024-01-01", "2024-01-06")
		for day, n := range counts {
			times = append(times, slices.Repeat([]int64{all.From + int64(day)*zoom.DayLong}, n)...)
		}
		turns := zoom.NewTally(histogramOf(times, all, zoom.DayLong))
		o := overview{all: all, window: days("2024-01-05", "2024-01-06"), turns: turns, width: overviewLeft + 5 + overviewRight}
		line := strings.Join(strings.FieldsFunc(uitest.Text([]string{o.view(theme.New(theme.Mono, 0))}), func(r rune) bool {
			return r == '▕' || r == '▏'
		}), "")
		if got := string([]rune(line)[overviewLeft-1:][:5]); got != want {
			t.Errorf("counts %v are drawn as %q, want %q", counts, got, want)
		}
	}
}
