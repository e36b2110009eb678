package home_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/home"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// archive is a source whose quarters are about what its tables say.
type archive struct {
	topics int
	notice string // until the topics were made
	reads  int
	fails  error                       // of what windows were about
	gone   error                       // of topics
	made   int                         // how often topics were made
	broken error                       // why they cannot be
	silent func(retrieval.Window) bool // nil: none is
	same   bool                        // all windows have the same two titles
	asks   string                      // the questions of moments
	about  []string                    // the words of the topic of all windows
	mostly string                      // the title of the chat that is most of it
	rest   int                         // turns in chats without a topic
	chats  int                         // of all windows

	fullest int // the hour with most turns, if above 0
}

var labels = [][]string{{"Rust", "select", "guard"}, {"sourdough", "crumb"}, {"庭", "トマト"}, {"Umzug", "Wohnung", "Utrecht"}}

func (a *archive) AboutEach(_ context.Context, windows ...retrieval.Window) ([]retrieval.About, error) {
	a.reads++
	all := make([]retrieval.About, len(windows))
	for i, w := range windows {
		if all[i].Window = w; a.silent != nil && a.silent(w) {
			continue
		}
		words := labels[i%len(labels)]
		if a.about != nil {
			words = a.about
		}
		all[i] = retrieval.About{
			Window: w, Turns: 10 * i, Conversations: a.chats,
			Titles: []retrieval.AboutTitle{{Title: fmt.Sprint("Title ", i), Turns: i}},
		}
		if a.same {
			all[i].Titles = []retrieval.AboutTitle{{Title: "Diary", Turns: i}, {Title: "Diary, part 1", Turns: i}}
		}
		if a.topics > 0 && (i%5 != 4 || a.about != nil) {
			all[i].Topics = []retrieval.AboutTopic{
				{ID: 1, Words: []string{"usual"}, Turns: 99, Share: .9, Usual: .9},
				{ID: 2, Words: words, Turns: 5, Share: .1, Unusual: i%3 > 0, Z: 4},
			}
			if a.mostly != "" {
				topic := &all[i].Topics[1]
				topic.Mostly, topic.Unusual = &retrieval.AboutTitle{Title: a.mostly, Turns: 4}, false
			}
		}
	}
	return all, a.fails
}

func (a *archive) Topics(context.Context, query.Query) (*retrieval.Topics, error) {
	t := retrieval.Topics{Notice: a.notice, Bin: "week", Turns: a.rest}
	for i := range a.topics {
		words := labels[i%len(labels)]
		topic := retrieval.Topic{ID: i + 1, Label: strings.Join(words, " · "), Words: words, Turns: 900 - 50*i}
		for j := range 11 {
			topic.Bins = append(topic.Bins, retrieval.ActivityBin{Count: (i + 3) * j % 7})
		}
		if i%4 == 1 {
			topic.Returned = &retrieval.TopicReturn{Days: 670}
		}
		t.Turns += topic.Turns
		t.Topics = append(t.Topics, topic)
	}
	return &t, a.gone
}

func (a *archive) Browse(_ context.Context, q query.Query, _ retrieval.BrowseOptions) (*retrieval.BrowseResult, error) {
	if a.asks == "" {
		return &retrieval.BrowseResult{}, nil
	}
	return &retrieval.BrowseResult{Matches: []retrieval.Match{{UserSnippet: a.asks + q.Filter.Since.Format("2006")}}}, nil
}

func (a *archive) Habits(_ context.Context, zone *time.Location) (*retrieval.Habits, error) {
	h := retrieval.Habits{}
	for i := range h.Hours {
		h.Hours[i] = i * (23 - i)
	}
	if a.fullest > 0 {
		h.Hours[a.fullest] = 1000
	}
	for day := range h.Weekdays {
		h.Weekdays[day] = day % 3
	}
	h.Weekdays[time.Sunday] = len(zone.String())
	return &h, nil
}

// youngDays returns a turn on every third day from 2023-10-20 to 2024-02-05, and more of them on the first days of months.
func youngDays() retrieval.Histogram {
	var h retrieval.Histogram
	for t := time.Date(2023, 10, 20, 0, 0, 0, 0, time.UTC); t.Before(time.Date(2024, 2, 6, 0, 0, 0, 0, time.UTC)); t = t.AddDate(0, 0, 3) {
		h.Bins = append(h.Bins, retrieval.HistogramBin{Start: t, End: t.AddDate(0, 0, 1), Count: 1 + max(0, 9-t.Day())})
	}
	return h
}

// daysOf returns a turn on every third day from 2021-10-05 to 2026-08-20, and more of them in summer.
func daysOf() retrieval.Histogram {
	var h retrieval.Histogram
	end := time.Date(2026, 8, 20, 0, 0, 0, 0, time.UTC)
	for t := time.Date(2021, 10, 5, 0, 0, 0, 0, time.UTC); !t.After(end); t = t.AddDate(0, 0, 3) {
		count := 1 + max(0, 6-max(int(t.Month())-7, 7-int(t.Month())))
		h.Bins = append(h.Bins, retrieval.HistogramBin{Start: t, End: t.AddDate(0, 0, 1), Count: count})
	}
	return h
}

func newPage(name theme.Name, a *archive, width, height int) (*home.Page, *uitest.Driver) {
	c := uitest.Context(name)
	c.Now = func() time.Time { return time.Date(2026, 8, 21, 12, 0, 0, 0, time.UTC) }
	p := home.New(c, home.Options{MakeTopics: func(context.Context) error {
		if a.made++; a.broken == nil {
			a.notice = ""
		}
		return a.broken
	}})
	p.SetSize(width, height)
	p.SetFocused(true)
	p.SetSource(a)
	p.SetDays(daysOf())
	return p, uitest.Drive(c, p).Run(p.Requests())
}

// The turns that no topic explains are counted below the last one, where that takes no row from anything.
func TestPage_TurnsOfNoTopic(t *testing.T) {
	for _, c := range []struct {
		topics, rest, width, height int
		want                        bool
	}{{4, 30, 120, 44, true}, {4, 0, 120, 44, false}, {0, 30, 120, 44, false}, {20, 30, 120, 37, false}, {4, 30, 80, 44, true}} {
		p, _ := newPage(theme.Mono, &archive{topics: c.topics, rest: c.rest}, c.width, c.height)
		page := ansi.Strip(strings.Join(p.View(), "\n"))
		if got := strings.Contains(page, "30 turns in chats without a topic"); got != c.want {
			t.Errorf("%+v:\n%s", c, page)
		}
	}
	for height := range 60 {
		whole, _ := newPage(theme.Mono, &archive{topics: 4}, 80, height)
		counted, _ := newPage(theme.Mono, &archive{topics: 4, rest: 30}, 80, height)
		for _, line := range whole.View() {
			if line := strings.TrimSpace(line); !strings.Contains(strings.Join(counted.View(), "\n"), line) {
				t.Errorf("%d lines: %q gave way", height, line)
			}
		}
	}
}

func TestPage_Screens(t *testing.T) {
	for _, size := range [][2]int{{120, 37}, {80, 21}, {59, 11}, {40, 5}, {200, 57}} {
		for _, name := range []theme.Name{theme.Mono, theme.ASCII} {
			t.Run(fmt.Sprintf("%dx%d-%s", size[0], size[1], name), func(t *testing.T) {
				p, _ := newPage(name, &archive{topics: 19}, size[0], size[1])
				uitest.MustFill(t, p.View(), size[0], size[1])
				golden.RequireEqual(t, uitest.Text(p.View()))
				for _, r := range ansi.Strip(strings.Join(p.View(), "")) {
					if name == theme.ASCII && r > 126 && !strings.ContainsRune("庭トマ", r) {
						t.Fatalf("%q is drawn", r)
					}
				}
			})
		}
	}
}

func TestPage_LastColumnIsFree(t *testing.T) {
	for width := 40; width < 210; width++ {
		p, _ := newPage(theme.Dark, &archive{topics: 19}, width, 20)
		for _, line := range p.View() {
			if line = ansi.Strip(line); !strings.HasSuffix(line, " ") {
				t.Errorf("in %d cells it ends at the edge: %q", width, line)
			}
		}
	}
}

func TestPage_FillsEverySize(t *testing.T) {
	for _, topics := range []int{0, 3, 19} {
		for width := 1; width < 210; width += 13 {
			for height := 1; height < 60; height += 5 {
				p, d := newPage(theme.Dark, &archive{topics: topics}, width, height)
				uitest.MustFill(t, p.View(), width, height)
				d.Do(t, "last").Do(t, "down").Do(t, "down").Do(t, "next-bin")
				uitest.MustFill(t, p.View(), width, height)
			}
		}
	}
}

func spanOf(from, to string) zoom.Span {
	second := func(day string) int64 {
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		return t.Unix()
	}
	return zoom.Span{From: second(from), To: second(to)}
}

// Each way of moving ends on something that enter looks into.
func TestPage_Keys(t *testing.T) {
	const wide, narrow = 120, 80
	for _, c := range []struct {
		width int
		keys  string
		want  any
	}{
		{wide, "", home.LookInto{Window: spanOf("2026-07-01", "2026-10-01")}},
		{wide, "next-bin", home.LookInto{Window: spanOf("2026-07-01", "2026-10-01")}},
		{wide, "previous-bin", home.LookInto{Window: spanOf("2026-04-01", "2026-07-01")}},
		{wide, "up", home.LookInto{Window: spanOf("2025-07-01", "2025-10-01")}},
		{wide, "up up up up up", home.LookInto{Window: spanOf("2021-10-01", "2022-01-01")}},
		{wide, "first", home.LookInto{Window: spanOf("2021-10-01", "2022-01-01")}},
		{wide, "first previous-bin", home.LookInto{Window: spanOf("2021-10-01", "2022-01-01")}},
		{wide, "first next-bin", home.LookInto{Window: spanOf("2022-01-01", "2022-04-01")}},
		{wide, "first last", home.LookInto{Window: spanOf("2026-07-01", "2026-10-01")}},
		{wide, "down", home.Topic{Name: "Rust select guard"}},
		{wide, "down down", home.Topic{Name: "sourdough crumb"}},
		{wide, "down up", home.LookInto{Window: spanOf("2026-07-01", "2026-10-01")}},
		{wide, "down next-bin", home.LookInto{Window: spanOf("2025-08-18", "2025-08-25"), Lists: true}},
		{wide, "down next-bin down", home.LookInto{Window: spanOf("2024-08-19", "2024-08-26"), Lists: true}},
		{wide, "down next-bin previous-bin", home.Topic{Name: "Rust select guard"}},
		{narrow, "down next-bin", home.Topic{Name: "Rust select guard"}},
	} {
		_, d := newPage(theme.Dark, &archive{topics: 19}, c.width, 37)
		d.Do(t, strings.Fields(c.keys)...).Do(t, "look-into")
		if got := d.Posted(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%d columns, %s: posted is %+v, want %+v", c.width, c.keys, got, c.want)
		}
	}
}

// An archive of less than a year is shown by its days, and its weeks are looked into.
func TestPage_YoungArchive(t *testing.T) {
	page := func(name theme.Name, width, height int) (*home.Page, *uitest.Driver) {
		p, d := newPage(name, &archive{topics: 5, silent: func(w retrieval.Window) bool {
			return w.Since.Month() == time.August // of the weeks of this one in earlier years
		}}, width, height)
		p.SetDays(youngDays())
		p.Reload()
		return p, d.Do(t, "last").Run(p.Requests())
	}
	for _, size := range [][2]int{{120, 37}, {80, 21}, {59, 11}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p, _ := page(theme.Mono, size[0], size[1])
			uitest.MustFill(t, p.View(), size[0], size[1])
			golden.RequireEqual(t, uitest.Text(p.View()))
		})
	}
	for keys, want := range map[string]zoom.Span{
		"":                   spanOf("2024-02-01", "2024-02-08"),
		"previous-bin":       spanOf("2024-01-22", "2024-02-01"),
		"up":                 spanOf("2024-01-01", "2024-01-08"),
		"up up previous-bin": spanOf("2023-11-22", "2023-12-01"),
		"first":              spanOf("2023-10-15", "2023-10-22"),
	} {
		_, d := page(theme.Dark, 120, 37)
		d.Do(t, strings.Fields(keys)...).Do(t, "look-into")
		if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: want}) {
			t.Errorf("%s: enter looks into %v, want %v", keys, got, want)
		}
	}
	busiest := home.LookInto{Window: spanOf("2023-11-01", "2023-11-02"), Lists: true}
	_, d := page(theme.Dark, 120, 37)
	if got := d.Do(t, "down", "next-bin", "look-into").Posted(); len(got) != 1 || got[0] != busiest {
		t.Errorf("enter on the busiest day looks into %v", got)
	}
}

// A list that does not fit follows the cursor.
func TestPage_ListScrolls(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 19}, 80, 24)
	d.MustShow(t, "Topics  1–6 of 19 · by week", "900")
	for range 19 {
		d.Do(t, "down")
	}
	d.MustShow(t, "Topics  14–19 of 19", "▌")
	if text := uitest.Text(p.View()); strings.Contains(text, "900") {
		t.Errorf("the first topic is still there:\n%s", text)
	}
	d.Do(t, "look-into")
	if got := d.Posted(); len(got) != 1 || got[0] != (home.Topic{Name: "庭 トマト"}) {
		t.Errorf("the last topic is %v", got)
	}
}

// Where many years leave room for few topics, there are as many as fit.
func TestPage_FewTopicsBelowManyYears(t *testing.T) {
	p, d := newPage(theme.Mono, &archive{topics: 19}, 120, 37)
	days := daysOf()
	first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	days.Bins = slices.Insert(days.Bins, 0, retrieval.HistogramBin{Start: first, End: first.AddDate(0, 0, 1), Count: 1})
	p.SetDays(days)
	d.Run(p.Requests()).MustShow(t, "Topics  1–6 of 19")
}

// A page that does not show all topics leaves lines free below them; for these alone, it hides none.
func TestPage_LinesBelowTopics(t *testing.T) {
	for topics, want := range map[int]string{12: "Topics  by week", 13: "Topics  1–10 of 13"} {
		_, d := newPage(theme.Mono, &archive{topics: topics}, 120, 37)
		d.MustShow(t, want)
	}
}

// A click moves the cursor there, and a second one looks into it.
func TestPage_Clicks(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 19}, 120, 37)
	at := func(text string) (x, y int) {
		for y, line := range p.View() {
			before, _, found := strings.Cut(ansi.Strip(line), text)
			if found {
				return ansi.StringWidth(before), y
			}
		}
		t.Fatalf("%q is not shown:\n%s", text, uitest.Text(p.View()))
		return 0, 0
	}
	for text, want := range map[string]any{
		"  750":       home.Topic{Name: "Umzug Wohnung Utrecht"},
		"2024  Title": home.LookInto{Window: spanOf("2024-08-19", "2024-08-26"), Lists: true},
	} {
		x, y := at(text)
		p.Click(x, y)
		if got := d.Posted(); len(got) > 0 {
			t.Errorf("one click on %s posts %v", text, got)
		}
		p.Click(x, y)
		if got := d.Posted(); len(got) != 1 || got[0] != want {
			t.Errorf("two clicks on %s post %v", text, got)
		}
	}
	x, y := at("2023")
	p.Click(x+8, y)
	p.Click(x+9, y+1)
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2023-01-01", "2023-04-01")}) {
		t.Errorf("clicks on a quarter post %v", got)
	}
	if p.Click(0, 0); len(d.Posted()) > 0 {
		t.Error("a click on nothing does something")
	}
}

// Topics that are missing or old are made once for each state of the archive, and read again.
func TestPage_MakesTopics(t *testing.T) {
	a := &archive{topics: 3, notice: "The topics are not known yet."}
	p, d := newPage(theme.Dark, a, 120, 37)
	if a.reads != 2 || a.made != 1 || p.Requests() != nil {
		t.Errorf("it was read %d times, topics were made %d times", a.reads, a.made)
	}
	a.notice = "The topics are those of an earlier archive."
	p.Reload()
	d.Run(nil)
	if a.reads != 4 || a.made != 2 || p.Requests() != nil {
		t.Errorf("after a change it was read %d times, topics were made %d times", a.reads, a.made)
	}
}

// Where topics cannot be made, that is said once, and the notice stays.
func TestPage_CannotMakeTopics(t *testing.T) {
	a := &archive{topics: 3, notice: "The topics are not known yet.", broken: errors.New("the disk is full")}
	p, d := newPage(theme.Dark, a, 120, 37)
	got := d.Posted()
	if len(got) != 1 || !errors.Is(got[0].(ui.Failed).Err, a.broken) || a.made != 1 || p.Requests() != nil {
		t.Errorf("posted is %v, topics were made %d times", got, a.made)
	}
	d.MustShow(t, a.notice)
	p.Retry()
	if d.Run(nil); a.made != 2 {
		t.Errorf("after a retry, topics were made %d times", a.made)
	}
}

// What the page asks for ends when it is stopped, and is asked for again.
func TestPage_Stop(t *testing.T) {
	a := &archive{topics: 3, notice: "The topics are not known yet."}
	c := uitest.Context(theme.Dark)
	p := home.New(c, home.Options{MakeTopics: func(ctx context.Context) error { return ctx.Err() }})
	p.SetSource(a)
	p.SetDays(daysOf())
	delivered := func(cmd tea.Cmd) (all []tea.Msg) {
		msg := cmd()
		batch, ok := msg.(tea.BatchMsg)
		if !ok && msg != nil {
			return []tea.Msg{msg}
		}
		for _, cmd := range batch {
			if msg := cmd(); msg != nil {
				all = append(all, msg)
			}
		}
		return all
	}
	cmd := p.Requests()
	if !p.Stop() || len(delivered(cmd)) > 0 || p.Requests() != nil || p.Stop() {
		t.Error("it goes on")
	}
	p.Retry()
	if cmd = p.Requests(); cmd == nil {
		t.Fatal("it is not asked for again")
	}
	for _, msg := range delivered(cmd) {
		p.Update(msg)
	}
	if cmd = p.Requests(); cmd == nil || !p.Stop() || len(delivered(cmd)) > 0 {
		t.Error("finding topics goes on")
	}
}

// The cursor stays on what the page shows, whatever of it goes.
func TestPage_CursorStaysOnWhatIsShown(t *testing.T) {
	a := &archive{topics: 19}
	p, d := newPage(theme.Dark, a, 120, 37)
	for range 19 {
		d.Do(t, "down")
	}
	a.topics = 5
	p.Reload()
	d.Run(nil).Do(t, "look-into")
	if got := d.Posted(); len(got) != 1 || got[0] != (home.Topic{Name: "Rust select guard"}) {
		t.Errorf("of fewer topics, the last is %v", got)
	}
	p.SetSize(120, 6) // without rows below the map
	d.Do(t, "look-into")
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2026-07-01", "2026-10-01")}) {
		t.Errorf("on a low page, enter looks into %v", got)
	}
	p.SetSize(120, 37)
	d.Do(t, "first")
	days := daysOf()
	p.SetDays(retrieval.Histogram{Bins: days.Bins[len(days.Bins)/2:]})
	d.Do(t, "look-into")
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2024-01-01", "2024-04-01")}) {
		t.Errorf("after years are gone, enter looks into %v", got)
	}
}

// A quarter begins and ends with its days, not with weeks.
func TestPage_QuartersHaveTheirDays(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{}, 120, 37)
	dayOf := func(at time.Time) retrieval.HistogramBin {
		return retrieval.HistogramBin{Start: at, End: at.AddDate(0, 0, 1), Count: 50}
	}
	for day, want := range map[string]zoom.Span{
		"2026-04-01": spanOf("2026-04-01", "2026-07-01"),
		"2024-09-30": spanOf("2024-07-01", "2024-10-01"),
		"2025-12-31": spanOf("2025-10-01", "2026-01-01"),
		"2025-01-01": spanOf("2025-01-01", "2025-04-01"),
	} {
		at := time.Unix(spanOf(day, "2100-01-01").From, 0).UTC()
		p.SetDays(retrieval.Histogram{Bins: []retrieval.HistogramBin{dayOf(at.AddDate(-2, 0, 0)), dayOf(at)}})
		d.Do(t, "last", "look-into")
		if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: want}) {
			t.Errorf("%s: enter looks into %v, want %v", day, got, want)
		}
	}
}

// The legend has the turns that each color stands for, none twice and no gap between them.
func TestPage_Legend(t *testing.T) {
	count := func(width int, weeks ...int) *uitest.Driver {
		var h retrieval.Histogram
		for i, n := range weeks {
			at := time.Date(2024, 1, 1+7*i, 0, 0, 0, 0, time.UTC)
			h.Bins = append(h.Bins, retrieval.HistogramBin{Start: at, End: at.AddDate(0, 0, 1), Count: n})
		}
		last := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		h.Bins = append(h.Bins, retrieval.HistogramBin{Start: last, End: last.AddDate(0, 0, 1), Count: 1})
		p, d := newPage(theme.Dark, &archive{}, width, 37)
		p.SetDays(h)
		return d
	}
	count(120, 1, 2, 3, 4, 5, 6, 7, 9).MustShow(t, "turns a week  ■ 0  ■ 1–2  ■ 3–4  ■ 5–6  ■ 7–9")
	count(120, 3, 3, 3, 1200).MustShow(t, "turns a week  ■ 0  ■ 1–3  ■ 4–1,200")
	count(120, 1).MustShow(t, "turns a week  ■ 0  ■ 1")
	count(120, 3, 3, 3, 1200).MustShow(t, "  2024  ■", " 1,209  Title 9")
	count(40, 1, 2, 3, 4, 5, 6, 7, 9).MustShow(t, "0 ▆▆▆▆▆ 9 turns a week")
}

// Digits as bars would be read as a number beside that of the turns, and the map has the same glyphs in the same order.
func TestPage_BarsAreNoDigits(t *testing.T) {
	_, d := newPage(theme.ASCII, &archive{topics: 1}, 80, 21)
	d.MustShow(t, "+#:*:* +#:  900")
}

// A low page has topics, too.
func TestPage_LowPage(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{topics: 19}, 59, 11)
	d.MustShow(t, "2,364 turns", "0 ▆▆▆▆▆ 21 turns a week", "2026", "Topics  1–3 of 19")
}

// A topic is called by its first words, as on the map. Its bars stand beside its name, and a very wide page has the days
// of the week.
func TestPage_UsesItsWidth(t *testing.T) {
	_, narrow := newPage(theme.Dark, &archive{topics: 4}, 112, 37)
	if narrow.MustShow(t, "Umzug · Wohnung   ", "back after 22 months "); strings.Contains(narrow.Text(), "Wohnung ·") {
		t.Errorf("a word is cut:\n%s", narrow.Text())
	}
	_, usual := newPage(theme.Dark, &archive{topics: 4}, 120, 37)
	usual.MustShow(t, "Umzug · Wohnung  ", "back after 22 months ")
	_, least := newPage(theme.Dark, &archive{topics: 4}, 60, 37)
	least.MustShow(t, "Umzug · Wohnung  ", "22-month gap")
	_, wide := newPage(theme.Dark, &archive{topics: 4}, 200, 57)
	wide.MustShow(t, "Umzug · Wohnung · Utrecht    ▆▅▄▃▂▁ ▆▅▄  750", "  850  back after 22 months", "Mo ━━━━━", "Su ━━━━━━━━━━━━━━")
}

// Moments that are about the same are called differently where they can be.
func TestPage_MomentsDiffer(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{same: true}, 120, 37)
	d.MustShow(t, "2025  Diary", "2024  Diary, part 1", "2023  Diary ")
}

// Beside a title stands how many chats the turns are in, where it is not that of all.
func TestPage_MomentsCountTheirChats(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{chats: 3}, 120, 37)
	d.MustShow(t, "  220 turns in 3 chats")
	_, d = newPage(theme.Dark, &archive{chats: 1}, 120, 37)
	d.MustShow(t, "2023  Title 22                        220 turns")
}

// The hour with most turns has its name in words and below its bar, where the names of other hours make room for it.
func TestPage_FullestHour(t *testing.T) {
	for hour, axis := range map[int]string{
		5: "00        05            12          18", 7: "00            07        12          18",
		12: "00          06          12          18", 21: "00          06          12          18    21",
	} {
		_, d := newPage(theme.Dark, &archive{fullest: hour}, 120, 37)
		d.MustShow(t, fmt.Sprintf("When you ask  most at %02d:00 UTC and on Sundays", hour), "  "+axis)
	}
}

// Hours in local time are those of summer and winter, which have different names.
func TestPage_HoursInLocalTime(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	_, d := newPage(theme.Dark, &archive{fullest: 11}, 120, 37)
	d.UI.Zone = zone
	d.Send(nil)
	d.MustShow(t, "When you ask  most at 11:00 local time and on Sundays")
}

func TestPage_WithoutTopics(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{}, 120, 37)
	d.MustShow(t, "Title 1", "When you ask", "This week in earlier years")
	if strings.Contains(d.Text(), "Topics") {
		t.Error("a title without topics is shown")
	}
}

func TestPage_Failure(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 3, fails: errors.New("the disk is gone")}, 120, 37)
	got := d.Posted()
	if len(got) != 1 || got[0].(ui.Failed).Err == nil {
		t.Errorf("posted is %v", got)
	}
	if p.Requests() != nil {
		t.Error("it is asked again")
	}
	d.MustShow(t, "2024", "Rust · select", "When you ask") // the years, and what is read by itself, are known all the same
}

// What fails alike is reported once, and again after a retry.
func TestPage_FailuresAlike(t *testing.T) {
	a := &archive{fails: errors.New("the disk is gone")}
	a.gone = a.fails
	p, d := newPage(theme.Dark, a, 120, 37)
	if got := d.Posted(); len(got) != 1 {
		t.Errorf("posted is %v", got)
	}
	p.Retry()
	if got := d.Run(p.Requests()).Posted(); len(got) != 1 {
		t.Errorf("after a retry, posted is %v", got)
	}
	a.gone = errors.New("another one")
	p.Retry()
	if got := d.Run(p.Requests()).Posted(); len(got) != 2 {
		t.Errorf("of different ones, posted is %v", got)
	}
}

func TestPage_EmptyArchive(t *testing.T) {
	c := uitest.Context(theme.Dark)
	p := home.New(c, home.Options{})
	p.SetSource(&archive{topics: 3})
	p.SetDays(retrieval.Histogram{})
	p.SetSize(80, 21)
	p.SetFocused(true)
	uitest.MustFill(t, p.View(), 80, 21)
	for _, command := range p.Commands() {
		command.Do()
	}
	if p.Click(9, 9); p.Requests() != nil || len(c.Posted()) > 0 {
		t.Error("it does something without an archive")
	}
}

// Where there is room, each day has a cell, below the others of its weekday, and a quarter has its own days only.
func TestPage_Days(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 19}, 200, 57)
	for _, width := range []int{150, 169, 200} {
		p.SetSize(width, 57)
		uitest.MustFill(t, p.View(), width, 57)
	}
	golden.RequireEqual(t, uitest.Text(p.View()))
	d.MustShow(t, "turns a day  ■ 0  ■ 1")
	d.Do(t, "first", "look-into")
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2021-10-01", "2022-01-01")}) {
		t.Errorf("enter looks into %v", got)
	}
	at := func(text string) (x, y int) {
		for y, line := range p.View() {
			if before, _, found := strings.Cut(ansi.Strip(line), text); found {
				return ansi.StringWidth(before), y
			}
		}
		t.Fatalf("%q is not shown", text)
		return 0, 0
	}
	x, y := at("2023")
	p.Click(x+8, y+3)
	p.Click(x+9, y+4)
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2023-01-01", "2023-04-01")}) {
		t.Errorf("clicks on a quarter look into %v", got)
	}
}

// A label has two spaces behind it, and one that is said again is a rule, but for the part under the cursor.
func TestPage_LabelsOfParts(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{about: []string{"letter", "CV"}, topics: 3}, 80, 30)
	d.MustShow(t, "letter · CV "+strings.Repeat("─", 38), "letter · CV ──────────── ▸letter · CV")
	d.Do(t, "previous-bin").MustShow(t, "letter · CV ▸letter · CV ────────────")
	_, d = newPage(theme.Dark, &archive{topics: 3}, 80, 30)
	d.MustShow(t, "sourdough    庭 · トマト  Umzug")
	_, d = newPage(theme.Dark, &archive{about: []string{"letter", "CV"}, topics: 3}, 200, 57)
	d.MustShow(t, "letter · CV "+strings.Repeat("─", 64)+" ▸letter · CV")
}

// A time that is mostly one chat is called by its title, unless it has more of the topic than usual.
func TestPage_LabelOfOneChat(t *testing.T) {
	a := &archive{about: []string{"letter", "CV"}, mostly: "A rather long interview", topics: 3}
	_, d := newPage(theme.Dark, a, 80, 30)
	d.MustShow(t, "A rather long interview", "▸A rather l…")
}

// The color of the cursor is that of its row and of the fullest hour, and of nothing else.
func TestPage_AccentIsTheCursor(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 4}, 200, 57)
	c := uitest.Context(theme.Dark)
	th := c.Theme
	for _, said := range []string{"back after 22 months", "2025", "2021"} {
		if text := strings.Join(p.View(), "\n"); strings.Contains(text, th.Accent.Before+said) {
			t.Errorf("%s has the color of the cursor", said)
		}
	}
	for _, keys := range []string{"down", "next-bin"} {
		d.Do(t, keys)
		text := strings.Join(p.View(), "\n")
		if !strings.Contains(text, th.Row.Before+th.Selected.Before+th.Glyphs.Row) {
			t.Errorf("after %s, the row under the cursor has no bar of its color, or no ground", keys)
		}
	}
}

// The heading says how large the archive is and what the colors mean, which day was the fullest, and when all was, as
// far as there is room. An empty line is below it.
func TestPage_Heading(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{}, 120, 37)
	d.MustShow(t, "2,364 turns from October 2021 to August 2026 ", " turns a week  ■ 0  ")
	p.SetConversations(730)
	d.MustShow(t, "2,364 turns in 730 conversations · busiest: 2 Jul 2022 ", " turns a week  ■ 0  ")
	p.SetSize(120, 50)
	d.MustShow(t, "2,364 turns in 730 conversations · busiest: 2 Jul 2022 ", " turns a week  ■ 0  ")
	p.SetSize(200, 57)
	d.MustShow(t, "2,364 turns in 730 conversations, October 2021 to August 2026 · busiest: 2 Jul 2022  ", " turns a day  ■ 0  ")
	p.SetSize(80, 21)
	d.MustShow(t, "2,364 turns in 730 chats    ", "  a week  ▆ 0  ▆ 1–6  ")
	p.SetSize(59, 11)
	d.MustShow(t, "2,364 turns in 730 chats   ", "   0 ▆▆▆▆▆ 21 turns a week")
}

// Where not all years are in view, the next one is named above them or below.
func TestPage_NamesHiddenYears(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{topics: 3}, 80, 18)
	d.MustShow(t, "↑ 2022  Jan Feb")
	d.Do(t, "first").MustShow(t, "↓ 2025")
	if text := d.Text(); strings.Contains(text, "↑") {
		t.Errorf("a year before the first is named:\n%s", text)
	}
}

// A year that would be hidden alone is not.
func TestPage_HidesNoSingleYear(t *testing.T) {
	_, d := newPage(theme.Dark, &archive{topics: 19}, 80, 21)
	d.MustShow(t, "        Jan Feb", "  2021  ", "  2026  ", "Topics  1–3 of 19")
}

// Each moment has its question where there are lines for all of them, and a click on that is one on the moment.
func TestPage_QuestionsOfMoments(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{asks: "Why is it so dense in "}, 120, 50)
	d.MustShow(t, "2025  Title 20", "      Why is it so dense in 2025", "      Why is it so dense in 2022")
	for y, line := range p.View() {
		if before, _, found := strings.Cut(ansi.Strip(line), "Why is it so dense in 2023"); found {
			p.Click(ansi.StringWidth(before), y)
			p.Click(ansi.StringWidth(before), y)
		}
	}
	if got := d.Posted(); len(got) != 1 || got[0] != (home.LookInto{Window: spanOf("2023-08-21", "2023-08-28"), Lists: true}) {
		t.Errorf("clicks on a question look into %v", got)
	}
	if p.SetSize(120, 36); strings.Contains(d.Text(), "dense") {
		t.Errorf("questions are shown where moments have no room:\n%s", d.Text())
	}
}

// Without color, the space between the cells of the quarter under the cursor is underlined: below a full cell it is not
// seen.
func TestPage_ChosenWithoutColor(t *testing.T) {
	p, _ := newPage(theme.Mono, &archive{topics: 4}, 120, 37)
	th := uitest.Context(theme.Mono).Theme
	count := func() int { return strings.Count(strings.Join(p.View(), ""), th.Chosen[0].Before+" \x1b") }
	if got := count(); got != 6 {
		t.Errorf("%d spaces are underlined, between 7 cells", got)
	}
	if p.SetFocused(false); count() > 0 {
		t.Error("without the focus, spaces are underlined")
	}
}

// What a part was about stands below its turns where it has room there: days before the first turn had none.
func TestPage_LabelsBeginWithTheArchive(t *testing.T) {
	p, d := newPage(theme.Dark, &archive{topics: 3}, 120, 37)
	var days []retrieval.HistogramBin
	for at := time.Date(2023, 3, 26, 0, 0, 0, 0, time.UTC); at.Month() < time.June; at = at.AddDate(0, 0, 1) {
		days = append(days, retrieval.HistogramBin{Start: at, End: at.AddDate(0, 0, 1), Count: 3})
	}
	p.SetDays(retrieval.Histogram{Bins: days})
	p.Reload()
	d.Run(p.Requests())
	lines := strings.Split(d.Text(), "\n")
	march := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "  Mar") })
	cell := strings.Index(lines[march], "■") // of ASCII up to there
	if label := lines[march+1]; strings.TrimSpace(label[8:cell]) != "" || !strings.HasPrefix(label[cell:], "Rust") {
		t.Errorf("the label is not below the first day:\n%s\n%s", lines[march], label)
	}
}
