package search_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/dialog"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// shown is what is on the screen.
type shown struct {
	titles       []string
	conversation uuid.UUID // of the match under the cursor
	title        string    // of that conversation
	dates        string
}

func (s shown) Titles() []string        { return s.titles }
func (s shown) Dates() string           { return s.dates }
func (s shown) Conversation() uuid.UUID { return s.conversation }
func (s shown) Title(conversation uuid.UUID) string {
	if conversation == s.conversation {
		return s.title
	}
	return ""
}

// values is an archive that counts what it is asked for.
type values struct {
	asked []string
	fails error
}

func (v *values) Sources(context.Context) ([]string, error) {
	v.asked = append(v.asked, "sources")
	return []string{"claude", "chatgpt", "claude-code"}, v.fails
}

func (v *values) Kinds(context.Context) ([]string, error) {
	v.asked = append(v.asked, "kinds")
	return nil, v.fails
}

func (v *values) Models(context.Context) ([]string, error) {
	v.asked = append(v.asked, "models")
	return []string{"claude-3", "gpt-4"}, v.fails
}

func (v *values) Tags(context.Context) ([]string, error) {
	v.asked = append(v.asked, "tags")
	return []string{"acme", "home\x1b[2J"}, v.fails
}

func (v *values) TopicNames(context.Context) ([]string, error) {
	v.asked = append(v.asked, "topics")
	return []string{"Japan", "庭"}, v.fails
}

func (v *values) CompleteTitle(_ context.Context, begun string, limit int) ([]string, error) {
	v.asked = append(v.asked, "titles "+begun)
	return []string{"Learning Rust", "Rust notes"}[:min(2, limit)], v.fails
}

// archive is five years long.
var archive = zoom.Span{From: second(2022, 1), To: second(2027, 1)}

func second(year int, month time.Month) int64 {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC).Unix()
}

// extent returns the extent of an archive whose last turn is in the last second of a span.
func extent(span zoom.Span) zoom.Extent {
	return zoom.Extent{Span: span, Last: time.Unix(span.To-1, 0).UTC()}
}

// typist drives a focused bar.
type typist struct {
	*uitest.Driver
	*search.Bar
	values *values
	notice string
}

func newTypist(results search.Results) *typist {
	c, v := uitest.Context(theme.Dark), &values{}
	c.KeyOf = func(string) string { return "tab" } // that of query.next-pane
	b := search.NewBar(c, search.BarOptions{Results: results})
	b.SetArchive(extent(archive))
	b.SetValues(v)
	b.SetSize(120, 1)
	b.SetFocused(true)
	t := &typist{Driver: uitest.Drive(c, b), Bar: b, values: v}
	t.Hear = func(msg any) {
		if said, ok := msg.(ui.Notify); ok {
			t.notice = string(said)
		}
	}
	return t
}

// types types letters.
func (t *typist) types(text string) *typist {
	for _, r := range text {
		t.Driver.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return t
}

// does does what commands do.
func (t *typist) does(tb testing.TB, ids ...string) *typist {
	tb.Helper()
	t.Driver.Do(tb, ids...)
	return t
}

// tab completes, for step -1 backwards, and reports whether there was a candidate.
func (t *typist) tab(step int) bool {
	taken := t.Complete(step)
	t.Run(nil)
	return taken
}

// leave takes the focus away.
func (t *typist) leave() *typist {
	t.SetFocused(false)
	t.Run(nil)
	return t
}

func (t *typist) chips() []string { return t.Search().Chips() }

// Text returns the text in the bar.
func (t *typist) Text() string { return t.Bar.Text() }

// line returns what the bar shows.
func (t *typist) line() string { return t.Driver.Text() }

// footer returns what the footer says.
func (t *typist) footer() string { return uitest.Text([]string{t.FooterLine(120)}) }

func TestBar_TypedFilterBecomesAChipWhenTheBarIsLeft(t *testing.T) {
	b := newTypist(shown{}).types("cancel source:claude")
	if got := b.Search().Text; got != "cancel source:claude" || b.Text() != got {
		t.Errorf("while it is typed, %q is searched, the bar says %q", got, b.Text())
	}
	b.leave()
	if !slices.Equal(b.chips(), []string{"source:claude"}) || b.Text() != "cancel" || b.IsEdited() {
		t.Errorf("left with %q, chips %q", b.Text(), b.chips())
	}
	b.MustShow(t, "/ cancel ", "source:claude ✕")
	b.SetFocused(true)
	if b.types(" -apple title:rust").leave(); b.Search().Text != "cancel -apple source:claude title:rust" {
		t.Errorf("searched is %q", b.Search().Text)
	}
	if b.DropLast(); b.Search().Text != "cancel -apple source:claude" {
		t.Errorf("without the last chip, searched is %q", b.Search().Text)
	}
}

func TestBar_FirstLetterIsAStepOfTheHistory(t *testing.T) {
	b := newTypist(shown{}).types("ab")
	want := []any{search.QueryChanged{}, search.QueryChanged{Continues: true}}
	if got := b.Posted(); !slices.Equal(got, want) {
		t.Errorf("posted is %v", got)
	}
	b.does(t, "left", "right", "to-start", "to-end")
	if got := b.Posted(); len(got) > 0 {
		t.Errorf("moving the cursor posts %v", got)
	}
	b.leave().SetFocused(true)
	if got := b.types("c").Posted(); !slices.Equal(got, []any{search.QueryChanged{}}) {
		t.Errorf("back in the bar, posted is %v", got)
	}
	b.Want(query.Literal("other"), search.Similar{})
	if got := b.Posted(); len(got) > 0 || b.Text() != "other" {
		t.Errorf("replacing the query posts %v, the bar says %q", got, b.Text())
	}
	if got := b.types("s").Posted(); !slices.Equal(got, []any{search.QueryChanged{}}) {
		t.Errorf("after that, an edit posts %v", got)
	}
}

func TestBar_WrongValueKeepsTheQuery(t *testing.T) {
	for text, wanted := range map[string]string{
		"source:myspace":        `no source is named "myspace"`,
		"since:soon":            `since: "soon" is not a date or time`,
		"has-code:x":            "has-code: neither true nor false",
		"since:2024 since:2025": "since: is given twice",
		"since:1999..2000":      "No turns: 1999–2000. The archive begins on 1 Jan 2022; try Jan 2022",
		"until:2000":            "No turns: before 1 Jan 2000. The archive begins on 1 Jan 2022",
		"since:2028":            "No turns: since 1 Jan 2028. The archive ends on 31 Dec 2026; try Dec 2026",
	} {
		b := newTypist(shown{}).types("cancel " + text)
		if b.MustShow(t, wanted); b.Search().Text != "cancel" {
			t.Errorf("%s searches for %q", text, b.Search().Text)
		}
		if b.leave(); wanted[0] != 'N' && b.Text() != "cancel "+text {
			t.Errorf("the bar gave up what is wrong: %q", b.Text())
		}
		b.SetFocused(true)
		if b.does(t, "clear").types("cancel source:claude").leave(); !slices.Equal(b.chips(), []string{"source:claude"}) {
			t.Errorf("after %s, a right filter leads to %q", text, b.chips())
		}
		if strings.Contains(b.line(), wanted) {
			t.Errorf("mended, it still says %q", wanted)
		}
	}
}

func TestBar_WindowIsPostedOnce(t *testing.T) {
	b := newTypist(shown{})
	var aimed []search.Aimed
	b.Hear = func(msg any) {
		if a, ok := msg.(search.Aimed); ok {
			aimed = append(aimed, a)
		}
	}
	last := zoom.Span{From: second(2024, 1), To: archive.To}
	both := zoom.Span{From: second(2024, 1), To: second(2024, 3)}
	b.types("cancel since:2024 until:2024-03 x")
	if want := []search.Aimed{{Span: last}, {Span: both, Was: last}}; !slices.Equal(aimed, want) {
		t.Errorf("aimed at %v, want %v", aimed, want)
	}
	if aimed = nil; b.Search().Text != "cancel x" || len(b.chips()) > 0 {
		t.Errorf("searched is %q", b.Search().Text)
	}
	b.does(t, "delete-word", "delete-word", "delete-word")
	if want := []search.Aimed{{Span: last, Was: both}, {Was: last}}; !slices.Equal(aimed, want) {
		t.Errorf("deleted, aimed at %v, want %v", aimed, want)
	}
	aimed = nil
	b.types("since:2024").leave()
	if b.Text() != "cancel" || !slices.Equal(aimed, []search.Aimed{{Span: last}}) {
		t.Errorf("left with %q, aimed at %v", b.Text(), aimed)
	}
	aimed = nil
	b.SetFocused(true)
	if b.types(" since:2024"); !slices.Equal(aimed, []search.Aimed{{Span: last}}) {
		t.Errorf("the next window has another view from before: %v", aimed)
	}
}

// A query that is only a date is a window, unless the archive has no turns there or it is a verb.
func TestBar_OnlyADate(t *testing.T) {
	for text, want := range map[string]zoom.Span{
		"2023":         {From: second(2023, 1), To: second(2024, 1)},
		"May 2023":     {From: second(2023, 5), To: second(2023, 6)},
		"in may 2023":  {From: second(2023, 5), To: second(2023, 6)},
		"May":          {From: second(2026, 5), To: second(2026, 6)},
		"March":        {From: second(2026, 3), To: second(2026, 4)},
		"1984":         {},
		"summer 1999":  {},
		"January 2027": {}, // the archive has ended
		"may":          {},
		"march":        {},

		"week 20":                  {From: second(2025, 5) + 11*zoom.DayLong, To: second(2025, 5) + 18*zoom.DayLong},
		"2026-W19":                 {From: second(2026, 5) + 3*zoom.DayLong, To: second(2026, 5) + 10*zoom.DayLong},
		"what did I do last month": {From: second(2026, 4), To: second(2026, 5)},
		"week 20 pregnancy":        {},
	} {
		b := newTypist(shown{})
		var aimed zoom.Span
		b.Hear = func(msg any) {
			if a, ok := msg.(search.Aimed); ok {
				aimed = a.Span
			}
		}
		words := ""
		if want == (zoom.Span{}) {
			words = text
		}
		if remark := b.types(text).leave().notice; remark != "" {
			t.Errorf("%q is taken, but for %q", text, remark)
		}
		if aimed != want || b.Text() != words || b.Search().Text != words {
			t.Errorf("%q aims at %v, leaves %q and searches for %q", text, aimed, b.Text(), b.Search().Text)
		}
	}
}

// A relative date names nothing else: where it lies outside of the archive, the bar says so. In an old archive it counts
// back from the last turn, which the footer says.
func TestBar_RelativeDate(t *testing.T) {
	ends := func(year int, month time.Month, days int64) int64 { return second(year, month) + days*zoom.DayLong }
	for _, c := range []struct {
		text   string
		end    int64
		aimed  zoom.Span
		notice string
	}{
		{"last week", ends(2026, 4, 2), zoom.Span{}, "No turns: 20–26 Apr 2026. The archive ends on 2 Apr 2026; try Apr 2026"},
		{"yesterday", ends(2026, 4, 2), zoom.Span{}, "No turns: 30 Apr 2026. The archive ends on 2 Apr 2026; try Apr 2026"},
		{"last week", ends(2026, 4, 29), zoom.Span{From: ends(2026, 4, 19), To: ends(2026, 4, 26)}, ""},
		{"yesterday", ends(2023, 5, 2), zoom.Span{From: second(2023, 5), To: ends(2023, 5, 1)}, "Counted back from the last turn, 2 May 2023"},
		{
			"last 6h", ends(2023, 5, 2),
			zoom.Span{From: ends(2023, 5, 2) - 1 - 6*zoom.HourLong, To: ends(2023, 5, 2)},
			"Counted back from the last turn, 2 May 2023",
		},
		{`since:"last month"`, ends(2023, 5, 2), zoom.Span{From: second(2023, 4), To: ends(2023, 5, 2)}, ""},
		{"May", ends(2023, 5, 2), zoom.Span{From: second(2023, 5), To: second(2023, 6)}, ""},
	} {
		b := newTypist(shown{})
		b.SetArchive(extent(zoom.Span{From: archive.From, To: c.end}))
		var aimed zoom.Span
		b.Hear = func(msg any) {
			switch msg := msg.(type) {
			case search.Aimed:
				aimed = msg.Span
			case ui.Notify:
				b.notice = string(msg)
			}
		}
		b.types(c.text).leave()
		if aimed != c.aimed || b.notice != c.notice || b.Text()+b.Search().Text != "" {
			t.Errorf("%s aims at %v, says %q, leaves %q and searches for %q", c.text, aimed, b.notice, b.Text(), b.Search().Text)
		}
	}
}

func TestBar_WindowBeforeTheArchiveIsOpen(t *testing.T) {
	c := uitest.Context(theme.Dark)
	b := search.NewBar(c, search.BarOptions{Results: shown{}})
	b.Update(tea.PasteMsg{Content: "cancel source:claude since:2024"})
	b.SetArchive(zoom.Extent{})
	b.SetFocused(false)
	if got := c.Posted(); !slices.Equal(got, []any{search.QueryChanged{}}) || b.Text() != "cancel" {
		t.Errorf("posted is %v, the bar says %q", got, b.Text())
	}
	for range 2 {
		b.SetArchive(extent(archive))
	}
	if got := c.Posted(); !slices.Equal(got, []any{search.Aimed{Span: zoom.Span{From: second(2024, 1), To: archive.To}}}) {
		t.Errorf("once it is open, posted is %v", got)
	}
}

func TestBar_Complaints(t *testing.T) {
	for text, wanted := range map[string]struct{ bar, footer string }{
		"titel:x":        {bar: "did you mean “title:”?"},
		"min-words:few":  {bar: "min-words: must be a whole number from 1 to 1000000"},
		"foo:bar":        {footer: "“foo:” is not a filter; use one of since, until, source,"},
		"foo:bar so":     {footer: "tab source:"},
		"source:cl":      {footer: "tab claude"},
		"std::string":    {},
		"https://x.org":  {},
		`"foo:bar" 12:3`: {},
	} {
		b := newTypist(shown{}).types("cancel " + text)
		if b.MustShow(t, wanted.bar); !strings.HasPrefix(b.footer(), wanted.footer) || wanted.footer == "" && b.footer() != "" && wanted.bar == "" {
			t.Errorf("%s: the footer says %q", text, b.footer())
		}
	}
	b := newTypist(shown{}).types("cancel foo:bar").leave()
	if !strings.Contains(b.notice, "“foo:” is not a filter") {
		t.Errorf("left, the footer says %q", b.notice)
	}
}

func TestBar_ComplaintWaitsForTheRestOfAValue(t *testing.T) {
	b := newTypist(shown{}).types("cancel source:cl")
	if strings.Contains(b.line(), "no source") {
		t.Errorf("the bar says %q", b.line())
	}
	b.types("x").MustShow(t, `no source is named "clx"`)
}

func TestBar_FooterSaysWhatTheBarCuts(t *testing.T) {
	const wrong, wanted = "cancel min-words:few", "min-words: must be a whole number from 1 to 1000000"
	b := newTypist(shown{})
	b.SetSize(59, 1)
	if b.types(wrong); !strings.HasPrefix(b.footer(), wanted) {
		t.Errorf("while it is typed, the footer says %q", b.footer())
	}
	for range 2 {
		b.notice = ""
		if b.leave(); !strings.HasPrefix(b.notice, wanted) || strings.Contains(b.line(), wanted) {
			t.Errorf("left, the footer says %q, the bar %q", b.notice, b.line())
		}
		b.notice = ""
		if b.leave(); b.notice != "" {
			t.Errorf("the footer repeats %q", b.notice)
		}
		b.SetFocused(true)
	}
	b = newTypist(shown{})
	if b.types(wrong).leave(); b.notice != "" {
		t.Errorf("the bar has room, and the footer says %q", b.notice)
	}
	b.MustShow(t, wanted)
}

func TestBar_RoleNeedsWords(t *testing.T) {
	b := newTypist(shown{}).types("cancel role:user").leave()
	b.SetFocused(true)
	b.does(t, "clear").MustShow(t, "a role says who used the words")
	if b.Search().Text != "cancel role:user" {
		t.Errorf("searched is %q", b.Search().Text)
	}
	if b.does(t, "delete-back"); b.Search().Text != "" || strings.Contains(b.line(), "role") {
		t.Errorf("without the chip, searched is %q: %s", b.Search().Text, b.line())
	}
}

func TestBar_Alike(t *testing.T) {
	b := newTypist(shown{}).types("cancel role:user source:claude similarity:0.4").leave()
	like := search.Similar{Turn: uuid.New(), Title: "Kitchen"}
	b.Posted()
	b.SeekLike(like)
	if got := b.Posted(); !slices.Equal(got, []any{search.QueryChanged{}}) {
		t.Errorf("posted is %v", got)
	}
	b.MustShow(t, "More like: Kitchen", "source:claude ✕")
	if s := b.Search(); s.Like != like.Turn || !slices.Equal(s.Chips(), []string{"source:claude", "similarity:0.4"}) || b.Similar() != like {
		t.Errorf("searched is %+v", s)
	}
	b.SetFocused(true)
	if b.types("x"); b.Search().Like != uuid.Nil || b.Search().Text != "x source:claude" {
		t.Errorf("what is typed leads to %+v", b.Search())
	}
}

func TestCompletion_GoesRound(t *testing.T) {
	b := newTypist(shown{}).types("cancel so")
	if !b.tab(1) || b.Text() != "cancel source:" {
		t.Fatalf("the key is completed to %q", b.Text())
	}
	sources := []string{"claude", "chatgpt", "claude-code"} // of the archive
	for i := range 2 * len(sources) {
		if want := "cancel source:" + sources[i%len(sources)]; !b.tab(1) || b.Text() != want {
			t.Fatalf("tab %d leads to %q, want %q", i, b.Text(), want)
		}
	}
	if want := "cancel source:" + sources[len(sources)-2]; !b.tab(-1) || b.Text() != want {
		t.Errorf("back leads to %q, want %q", b.Text(), want)
	}
	if want := "tab " + sources[len(sources)-2]; !strings.HasPrefix(b.footer(), want) {
		t.Errorf("the footer says %q, want %q", b.footer(), want)
	}
	if b.types("x"); b.tab(1) || b.Text() != "cancel source:"+sources[len(sources)-2]+"x" {
		t.Errorf("an unknown value is completed to %q", b.Text())
	}
	b = newTypist(shown{}).types("cancel source:").leave()
	if b.Text() != "cancel source:" || b.tab(1) {
		t.Errorf("without the focus it completes to %q", b.Text())
	}
}

func TestCompletion_Values(t *testing.T) {
	results := shown{titles: []string{"Rust service notes", `The "best" of Garden`}, conversation: uuid.New()}
	for typed, want := range map[string]string{
		"has-code:":     "has-code:yes",
		"min-w":         "min-words:",
		"-so":           "-source:",
		"since:202":     "since:2022",
		"since:2024-1":  "since:2024-10",
		"since:2024-05": "since:2024-05-01",
		"since:la":      `since:"last 7d"`,
		"tag:ac":        "tag:acme ",
		"-tag:ho":       "-tag:home␛[2J ",
		"model:c":       "model:claude-3 ",
		"topic:ja":      "topic:Japan ",
		"conversation:": "conversation:" + results.conversation.String() + " ",
		"title:rust":    `title:"Learning Rust"`,
		`title:"rust n`: `title:"Learning Rust"`,
		"since:2024-5":  "since:2024-5",
		"title:rust t ": "title:rust t ",
		"-si":           "-si",
		"x":             "x",
		"s":             "s",
	} {
		b := newTypist(results).types(typed)
		if taken := b.tab(1); b.Text() != want || taken != (want != typed) {
			t.Errorf("%s is completed to %q, want %q", typed, b.Text(), want)
		}
	}
	b := newTypist(results)
	b.values.fails = errors.New("locked")
	if b.types("title:the").tab(1); b.Text() != `title:"The ""best"" of Garden" ` {
		t.Errorf("without the archive, a title of the results is completed to %q", b.Text())
	}
}

func TestCompletion_AsksOnce(t *testing.T) {
	b := newTypist(shown{titles: []string{"Rust service notes"}})
	b.Hold = true
	b.types("title:rus")
	if !strings.Contains(b.footer(), `tab "Rust service notes"`) {
		t.Errorf("meanwhile the footer says %q", b.footer())
	}
	held := b.Held
	b.Hold, b.Held = false, nil
	for _, cmd := range held {
		b.Run(cmd)
	}
	if want := []string{"titles rus"}; !slices.Equal(b.values.asked, want) {
		t.Errorf("asked for %q, want %q", b.values.asked, want)
	}
	if !strings.Contains(b.footer(), `tab "Learning Rust"  "Rust notes"`) {
		t.Errorf("the footer says %q", b.footer())
	}
	b.tab(1)
	b.tab(1)
	b.does(t, "clear").types("tag:a").does(t, "delete-back").types("h")
	if want := []string{"titles rus", "tags"}; !slices.Equal(b.values.asked[:1], want[:1]) || b.values.asked[len(b.values.asked)-1] != "tags" {
		t.Errorf("asked for %q", b.values.asked)
	}
	n := len(b.values.asked)
	b.Reload()
	if b.types("o"); len(b.values.asked) != n+1 {
		t.Errorf("after a change of the archive, asked for %q", b.values.asked[n:])
	}
}

func TestCompletion_DropsLateValues(t *testing.T) {
	b := newTypist(shown{})
	b.Hold = true
	b.types("tag:")
	late := b.Held[len(b.Held)-1]()
	b.does(t, "clear").types("model:")
	b.Hold = false
	b.Send(late)
	b.does(t, "clear").types("tag:")
	if n := len(b.values.asked); n != 2 {
		t.Errorf("the late tags were taken: asked for %q", b.values.asked)
	}
}

func TestCompletion_RetriesWhatFailed(t *testing.T) {
	b := newTypist(shown{})
	b.values.fails = errors.New("locked")
	b.types("tag:a").types("c")
	if !slices.Equal(b.values.asked, []string{"tags"}) || strings.Contains(b.footer(), "locked") {
		t.Errorf("asked for %q, the footer says %q", b.values.asked, b.footer())
	}
	b.values.fails = nil
	b.Retry()
	if b.Run(nil); !strings.Contains(b.footer(), "tab acme") {
		t.Errorf("after a retry, the footer says %q", b.footer())
	}
}

func TestChips_AtWidths(t *testing.T) {
	b := newTypist(shown{}).types("cancel title:rust source:claude has-code:yes").leave()
	b.SetRemarks([]string{"read-only"}, "12 ms")
	for width, want := range map[int]string{
		120: "source:claude ✕  title:rust ✕  has-code:yes ✕  read-only · 12 ms",
		67:  "source:claude ✕  title:rust ✕  has-code:yes ✕  read-only",
		57:  "source:claude ✕  title:rust ✕  has-code:yes ✕",
		49:  "+1 title:rust ✕  has-code:yes ✕",
		41:  "+2 has-code:yes ✕",
		23:  "3 filters",
	} {
		b.SetSize(width, 1)
		uitest.MustFill(t, b.View(), width, 1)
		if !strings.HasSuffix(b.line(), "  "+want) || theme.Width(b.line()) >= width {
			t.Errorf("%d cells show %q", width, b.line())
		}
	}
}

func TestChips_ClickDropsOne(t *testing.T) {
	b := newTypist(shown{}).types("cancel title:rust source:claude").leave()
	column := func(text string) int { return theme.Width(b.line()[:strings.Index(b.line(), text)]) }
	b.Posted()
	if b.Click(column("cancel"), 0) || b.Click(column("source:")-1, 0) || len(b.Posted()) > 0 {
		t.Error("a click beside the chips drops one")
	}
	if !b.Click(column("source:")+3, 0) || !slices.Equal(b.chips(), []string{"title:rust"}) {
		t.Errorf("left are %q", b.chips())
	}
	if got := b.Posted(); !slices.Equal(got, []any{search.QueryChanged{}}) {
		t.Errorf("posted is %v", got)
	}
}

func TestChips_ClickTellsLikeOnesApart(t *testing.T) {
	first, second := uuid.New().String(), uuid.New().String()
	b := newTypist(shown{}).types("cancel -conversation:" + first + " -conversation:" + second).leave()
	b.MustShow(t, "not in one conversation ✕  not in one conversation ✕")
	kept := b.chips()[1]
	if !b.Click(theme.Width(b.line()[:strings.Index(b.line(), "not in")])+3, 0) || !slices.Equal(b.chips(), []string{kept}) {
		t.Errorf("left are %q", b.chips())
	}
}

func TestChips_NameConversations(t *testing.T) {
	here := shown{conversation: uuid.New(), title: "Ein Titel, der sehr viel länger ist"}
	b := newTypist(here)
	b.OnlyConversation(here.conversation)
	b.MustShow(t, "in “Ein Titel, der sehr vie…” ✕")
	b.OnlyConversation(uuid.New())
	b.MustShow(t, "in one conversation ✕")
	if b.OnlyConversation(uuid.Nil); len(b.chips()) > 0 {
		t.Errorf("left are %q", b.chips())
	}
}

// choose opens the filters and does what an item does; it returns the dialog that opens then, nil for none.
func (t *typist) choose(tb testing.TB, opened dialog.Dialog, item string) dialog.Dialog {
	tb.Helper()
	menu := opened.(*dialog.Menu)
	menu.SetSize(80, 30)
	for _, r := range item {
		menu.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if cmd, _ := menu.Update(uitest.Key("enter")); cmd != nil {
		tb.Errorf("%s returns a command", item)
	}
	return t.opened()
}

// opened returns the dialog that was posted last, nil for none.
func (t *typist) opened() (last dialog.Dialog) {
	for _, msg := range t.Posted() {
		if open, ok := msg.(dialog.Open); ok {
			last = open.Dialog
		}
	}
	return last
}

func TestFilters_Menu(t *testing.T) {
	here := shown{conversation: uuid.New(), title: "Kitchen"}
	b := newTypist(here).types("cancel title:rust").leave()
	do := func(item string, want ...string) dialog.Dialog {
		t.Helper()
		b.OpenFilters()
		next := b.choose(t, b.opened(), item)
		if !reflect.DeepEqual(b.chips(), want) {
			t.Errorf("%s leads to %q", item, b.chips())
		}
		return next
	}
	only := "conversation:" + here.conversation.String()
	do("this conv", only, "title:rust")
	do("this conv", "title:rust")
	do("words only", "title:rust", search.WordsOnly)
	if do("words only", "title:rust"); b.Query().Mode != "" {
		t.Errorf("the mode is %q", b.Query().Mode)
	}
	do("branches", "title:rust", "branches:yes")
	sources := do("one source", "title:rust", "branches:yes")
	if sources == nil {
		t.Fatal("no sources are listed")
	}
	if b.choose(t, sources, "claude"); b.chips()[0] != "source:claude" {
		t.Errorf("chosen is %q", b.chips())
	}
	do("title:rust", "source:claude", "branches:yes")
	do("clear all")
	if b.Text() != "cancel" {
		t.Errorf("the bar says %q", b.Text())
	}
	b = newTypist(shown{})
	if b.OpenFilters(); b.choose(t, b.opened(), "this conv") != nil || b.notice != "No match selected" {
		t.Errorf("without a match: %q", b.notice)
	}
}

func TestBar_Dates(t *testing.T) {
	b := newTypist(shown{dates: "last summer"}).types("bread last summer source:claude").leave()
	mustRead := func(after string, dates query.Dates, chips ...string) {
		t.Helper()
		if got := b.Search().Query().Dates; got != dates || !slices.Equal(b.chips(), chips) {
			t.Errorf("%s leaves dates %s and the chips %q", after, got, b.chips())
		}
		if line := b.line(); strings.Contains(line, "near last summer") != (dates == query.DatesSoft) {
			t.Errorf("%s leaves %q", after, line)
		}
	}
	mustRead("typing", query.DatesSoft, "source:claude")
	b.DropLast()
	mustRead("X", query.DatesOff, "source:claude")
	b.DropLast()
	mustRead("another X", query.DatesOff)
	b.SetFocused(true)
	b.types(" role:user ")
	mustRead("a filter", query.DatesOff, "role:user")
	b.types("again")
	mustRead("more words", query.DatesSoft, "role:user")
	b.does(t, "delete-word")
	mustRead("the same words", query.DatesOff, "role:user")
	b.types("twice").leave().SetFocused(true)
	b.does(t, "to-start", "delete-back")
	mustRead("X while typing", query.DatesOff, "role:user")
	b.does(t, "to-end").types(" and more").does(t, "clear").types("butter")
	if b.Search().Query().Dates != query.DatesSoft || strings.Contains(b.line(), "near") {
		t.Errorf("a query without a date leaves dates %s, %q", b.Search().Query().Dates, b.line())
	}
	b = newTypist(shown{dates: "last summer"}).types("butter").leave() // the results are those of an earlier query
	if b.DropLast(); strings.Contains(b.line(), "near") || len(b.chips()) > 0 {
		t.Errorf("before the results of a query without a date: %q", b.line())
	}
	if line := newTypist(shown{dates: "last summer"}).line(); strings.Contains(line, "near") {
		t.Errorf("without a query: %q", line)
	}
}

func TestBar_DropsDatesWhileTyping(t *testing.T) {
	b := newTypist(shown{dates: "May 2023"}).types("bread May 2023 role:user").does(t, "to-start", "delete-back")
	if b.Query().Dates != query.DatesOff || b.Text() != "bread May 2023 role:user" {
		t.Errorf("dates are %q in %q", b.Query().Dates, b.Text())
	}
}

func TestBar_DropsDatesByClick(t *testing.T) {
	b := newTypist(shown{dates: "May 2023"}).types("bread May 2023 source:claude").leave()
	at := strings.Index(b.line(), "near May 2023")
	if !b.Click(at+1, 0) || !slices.Equal(b.chips(), []string{"source:claude"}) || b.Query().Dates != query.DatesOff {
		t.Errorf("a click at %d leaves %q of %q", at, b.chips(), b.line())
	}
}

func TestFilters_WhileTyping(t *testing.T) {
	b := newTypist(shown{}).types("cancel source:claude title:x")
	if b.DropLast(); b.Search().Text != "cancel source:claude title:x" && b.Text() != "cancel source:claude title:x" {
		t.Errorf("what is typed is dropped: %q of %q", b.Search().Text, b.Text())
	}
	b = newTypist(shown{}).types("cancel role:user").leave()
	b.SetFocused(true)
	b.does(t, "clear")
	b.Posted()
	if b.OnlyConversation(uuid.New()); !slices.Contains(b.Posted(), any(search.QueryChanged{})) {
		t.Error("a filter is refused while the text is wrong")
	}
}

func TestBar_ViewIsPure(t *testing.T) {
	b := newTypist(shown{}).types(strings.Repeat("long ", 60))
	for _, width := range []int{80, 20, 3} {
		b.SetSize(width, 1)
		b.Arrange()
		first, column := b.line(), b.Column()
		if b.line() != first || b.Column() != column || column >= width {
			t.Errorf("%d cells: the cursor is at %d, drawn twice: %q, %q", width, column, first, b.line())
		}
	}
}

func BenchmarkBar_Typing(b *testing.B) {
	t := newTypist(shown{}).types(`docker compose "rest api" -django source:claude title:"tax return" `)
	for b.Loop() {
		t.types("x").does(b, "delete-back")
		t.View()
	}
}

// Past returns no earlier queries.
func (shown) Past() []string { return nil }

func TestBar_InvitesToWhatItCan(t *testing.T) {
	b := newTypist(shown{})
	b.SetSize(80, 1)
	b.SetArchive(zoom.Extent{})
	b.MustShow(t, "/ search by words or date")
	for days, long := range map[int64]string{
		20: "", 100: "three months ", 700: "23 months ", 740: "two years ", 1850: "five years ", 5000: "14 years ",
	} {
		b.SetArchive(extent(zoom.Span{From: 0, To: days * zoom.DayLong}))
		b.SetByMeaning(days > 1000)
		how := map[bool]string{true: "words, meaning or date", false: "words or date"}[days > 1000]
		if long != "" {
			long = "search " + long + "by "
		} else {
			long = "search by "
		}
		b.MustShow(t, "/ "+long+how)
	}
}

// Until the archive has said what it has, and where it has nothing, all names are offered.
func TestCompletion_NamesThatTheArchiveLacks(t *testing.T) {
	b := newTypist(shown{})
	b.values.fails = errors.New("no")
	b.types("kind:")
	if !b.tab(1) || b.Text() == "kind:" {
		t.Errorf("completed is %q", b.Text())
	}
}
