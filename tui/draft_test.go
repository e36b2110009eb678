package tui

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/zoom"
)

// ofTwoSources is an archive of which every third turn is Claude's.
func ofTwoSources(n int) *fakeEngine {
	e := newFake(n)
	for i := range e.turns {
		if i%3 == 0 {
			e.turns[i].Source = "claude"
		}
	}
	return e
}

// write presses a key for each letter.
func (d *driver) write(text string) *driver {
	for _, r := range text {
		d.keys(strings.ReplaceAll(string(r), " ", "space"))
	}
	return d
}

func TestQuery_TypedFilterNarrowsAndBecomesAChip(t *testing.T) {
	d := explore(ofTwoSources(300), 120, 40).search("cancel")
	all := d.found.Peek.Histogram.Total
	d.keys("/ end space").write("source:claude")
	if n := d.found.Peek.Histogram.Total; n == 0 || n >= all {
		t.Fatalf("while it is typed, %d of %d are found", n, all)
	}
	d.mustShow(t, "/ cancel source:claude", "source:claude ✕")
	d.keys("enter").mustShow(t, "/ cancel   ", "source:claude ✕")
	if strings.Contains(d.bar.Text(), "source:") {
		t.Errorf("the bar still says %q", d.bar.Text())
	}
	d.keys("2 f").mustShow(t, "One source only")
	d.keys("esc X").mustNotShow(t, "✕")
	if n := d.found.Peek.Histogram.Total; n != all || d.bar.Text() != "cancel" {
		t.Errorf("without the chip, %d are found of %q", n, d.bar.Text())
	}
	d.keys("u").mustShow(t, "source:claude ✕")
	d.keys("u")
	if len(d.bar.Sought().Chips()) > 0 || d.bar.Text() != "cancel" {
		t.Errorf("back leads to %q", d.bar.Sought().Text)
	}
}

func TestQuery_OneQueryOfBarAndMenu(t *testing.T) {
	d := explore(ofTwoSources(300), 120, 40).search(`title:rust cancel -apple`)
	d.keys("2 f").mustShow(t, "title:rust", "on")
	d.keys("b r a n c h enter")
	if got := d.bar.Sought().Text; got != "cancel -apple title:rust branches:yes" || d.bar.Text() != "cancel -apple" {
		t.Errorf("searched is %q, the bar says %q", got, d.bar.Text())
	}
	d.keys("f t i t l e : enter")
	if got := d.bar.Sought().Text; got != "cancel -apple branches:yes" {
		t.Errorf("without the title, searched is %q", got)
	}
	d.keys("/ home backspace")
	if got := d.bar.Sought().Text; got != "cancel -apple" || d.bar.Text() != "cancel -apple" {
		t.Errorf("backspace at the beginning leaves %q", got)
	}
	d.keys("esc 2 f c l e a r enter")
	if got := d.bar.Sought().Text; got != "cancel -apple" {
		t.Errorf("clearing the filters leaves %q", got)
	}
}

func TestQuery_WrongValueKeepsTheResults(t *testing.T) {
	for text, wanted := range map[string]string{
		"source:myspace":        "source: is unknown",
		"since:soon":            "since: is not a date or time",
		"has-code:x":            "has-code: is neither true nor false",
		"since:2024 since:2025": "since: is given twice",
		"since:1999..2000":      "No turns in that range",
	} {
		for _, width := range []int{160, 59} {
			d := explore(ofTwoSources(300), width, 30).search("cancel")
			before, found := d.bar.Sought(), d.found.Peek
			d.keys("/ end space").write(text)
			if d.mustShow(t, wanted[:min(len(wanted), width-8)]); width == 160 && !strings.Contains(strings.Split(d.screen(), "\n")[0], wanted) {
				t.Errorf("%s: the bar does not say %q", text, wanted)
			}
			if d.failed[paneMatches].message != "" || d.found.Peek != found && wanted[0] != 'N' && !strings.Contains(text, "2024") {
				t.Errorf("%s breaks the search of %q", text, before.Text)
			}
			if d.keys("enter").mustShow(t, wanted[:18]); wanted[0] != 'N' && !strings.Contains(d.bar.Text(), text) {
				t.Errorf("the bar gave up what is wrong: %q", d.bar.Text())
			}
			d.keys("/ ctrl+w").write("source:claude").keys("enter")
			if !slices.Contains(d.bar.Sought().Chips(), "source:claude") {
				t.Errorf("after %s, a right filter leads to %q", text, d.bar.Sought().Chips())
			}
			if !strings.Contains(text, " ") {
				d.mustNotShow(t, wanted[:18])
			}
		}
	}
}

func TestQuery_WrongNumberIsNamed(t *testing.T) {
	d := explore(newFake(300), 120, 30).search("cancel").keys("/ end space").write("min-words:few")
	d.mustShow(t, "min-words: must be a whole number from 1 to 1000000")
	d.keys("ctrl+w").write("min-words:20").keys("enter")
	if !slices.Contains(d.bar.Sought().Chips(), "min-words:20") {
		t.Errorf("the chips are %q", d.bar.Sought().Chips())
	}
}

func TestQuery_NearMissIsNamed(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("titel:x")
	d.mustShow(t, "did you mean “title:”?")
	if d.bar.Sought().Words() != "titel:x" {
		t.Errorf("searched is %q", d.bar.Sought().Text)
	}
	d = explore(newFake(300), 59, 14).search("cancel").keys("/ end space").write("titel:x")
	d.mustShow(t, "did you mean “title:”?")
	d.keys("enter").mustShow(t, "did you mean “title:”?")
}

func TestQuery_UnknownKeyIsNamedQuietly(t *testing.T) {
	for _, size := range sizes[:3] {
		d := explore(newFake(300), size.w, size.h).search("cancel source:chatgpt").keys("/ end space").write("foo:bar")
		d.mustShow(t, "“foo:” is not a filter; use one of since, until, source,", "source:chatgpt ✕")
		d.mustFill(t)
		if d.bar.Sought().Words() != "cancel foo:bar" {
			t.Errorf("searched is %q", d.bar.Sought().Text)
		}
		d.keys("space").write("so").mustShow(t, "tab source:")
		d.write("urce:claude").mustShow(t, "“foo:” is not a filter")
		d.keys("enter").mustShow(t, "“foo:” is not a filter")
	}
	for _, words := range []string{"std::string", "12:30", "https://example.org", "C:x", "note:", `"foo:bar"`, "-x"} {
		d := explore(newFake(300), 120, 40).search("cancel").keys("/ end space").write(words)
		d.mustNotShow(t, "is not a filter")
		d.keys("enter").mustNotShow(t, "is not a filter")
	}
}

func TestRemark_DropsTheHintFirst(t *testing.T) {
	r := search.Remark{Message: "a role needs words", Hint: "add a word"}
	for width, want := range map[int]string{30: "a role needs words; add a word", 29: "a role needs words", 18: "a role needs words", 17: "add a word", 5: "a role needs words"} {
		if got := r.Within(width); got != want {
			t.Errorf("%d cells show %q, want %q", width, got, want)
		}
	}
	d := explore(newFake(300), 59, 14).search("cancel").keys("/ end space").write("title:? since:2024")
	d.mustShow(t, "title: needs a word")
}

func TestQuery_TypedWindowIsTheView(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("cancel")
	all := d.timeline.Zoom().Span
	d.keys("/ end space").write("since:2024 until:2024-03")
	if want := (zoom.Span{From: midnight("2024-01-01"), To: midnight("2024-03-01")}); d.timeline.Zoom().Span != want {
		t.Fatalf("the view is %v, want %v", d.timeline.Zoom().Span, want)
	}
	if n := d.found.Peek.Histogram.Total; d.found.Window != d.timeline.Zoom().Span || n == 0 || d.bar.Sought().Text != "cancel" {
		t.Errorf("%d are found of %q in %v", n, d.bar.Sought().Text, d.found.Window)
	}
	for range "until:2024-03" {
		d.keys("backspace")
	}
	if d.timeline.Zoom().From != midnight("2024-01-01") || d.timeline.Zoom().To != all.To {
		t.Errorf("since alone leads to %v", d.timeline.Zoom().Span)
	}
	if d.keys("enter"); d.bar.Text() != "cancel" || len(d.bar.Sought().Chips()) > 0 {
		t.Errorf("the bar says %q, chips are %q", d.bar.Text(), d.bar.Sought().Chips())
	}
	d.mustShow(t, "All › ")
	if d.keys("u"); d.timeline.Zoom().Span != all || d.bar.Text() != "cancel" {
		t.Errorf("back leads to %v of %q", d.timeline.Zoom().Span, d.bar.Text())
	}
	d.keys("/ end space").write("since:2024").keys("ctrl+w")
	if d.timeline.Zoom().Span != all {
		t.Errorf("deleted, it leaves %v", d.timeline.Zoom().Span)
	}
}

func TestQuery_FirstQueryIsParsed(t *testing.T) {
	e := ofTwoSources(300)
	open := func(context.Context) (Engine, error) { return e, nil }
	d := drive(Options{Archive: &fakeArchive{open: open}, Query: "cancel source:claude since:2024"}, 120, 40)
	d.mustShow(t, "/ cancel ", "source:claude ✕")
	if d.timeline.Zoom().From != midnight("2024-01-01") || d.bar.Sought().Text != "cancel source:claude" {
		t.Errorf("searched is %q from %v", d.bar.Sought().Text, at(d.timeline.Zoom().From))
	}
}

func TestQuery_FiltersAloneListTheNewest(t *testing.T) {
	d := explore(ofTwoSources(300), 120, 40).search("source:claude")
	d.mustShow(t, "source:claude ✕", "Turns  newest", "100 turns in view")
	if n := d.found.Peek.Histogram.Total; n != 100 {
		t.Errorf("%d turns are listed", n)
	}
}

func TestQuery_RoleNeedsWords(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel role:user").keys("/ end ctrl+u")
	d.mustShow(t, "a role says who used the words")
	if d.bar.Sought().Text != "cancel role:user" {
		t.Errorf("searched is %q", d.bar.Sought().Text)
	}
	d.keys("backspace").mustNotShow(t, "a role says")
	d.search("cancel role:user").keys("2 x")
	if d.found.Peek == nil || d.found.Peek.Like == uuid.Nil || len(d.bar.Sought().Chips()) > 0 {
		t.Errorf("x searches for %q with %v", d.bar.Sought().Text, d.bar.Sought().Chips())
	}
}

func TestCompletion(t *testing.T) {
	for name, c := range map[string]struct{ keys, want string }{
		"a key":              {"so tab", "cancel source:"},
		"its value":          {"so tab cl tab", "cancel source:claude "},
		"values in turn":     {"source: tab tab tab", "cancel source:gemini"},
		"and back":           {"source: tab tab shift+tab", "cancel source:chatgpt"},
		"backwards":          {"source: shift+tab", "cancel source:chunks"},
		"an exclusion":       {"-so tab cla tab", "cancel -source:claude "},
		"yes or no":          {"has tab tab", "cancel has-code:yes"},
		"a number":           {"min tab 20", "cancel min-words:20"},
		"no negated since":   {"-si tab", "cancel -si"},
		"a year":             {"since:202 tab", "cancel since:2022"},
		"a month":            {"since:2024-1 tab", "cancel since:2024-10"},
		"a day":              {"since:2024-05-3 tab tab", "cancel since:2024-05-31"},
		"a span":             {"since:la tab", `cancel since:"last 7d"`},
		"a title":            {"title:lea tab", `cancel title:"Learning Rust" `},
		"titles in turn":     {"title:ru tab tab", `cancel title:"Learning Rust"`},
		"a title in quotes":  {`title:"rust space ser tab`, `cancel title:"Rust service notes" `},
		"quotes in a title":  {"title:the tab", `cancel title:"The ""best"" of Garden" `},
		"a tag":              {"tag:ac tab", "cancel tag:acme "},
		"an excluded tag":    {"-tag:wo tab", "cancel -tag:work␛[2J "},
		"a model":            {"model:c tab", "cancel model:claude-3 "},
		"a word is no key":   {"x tab", "cancel x"},
		"one letter is none": {"s tab", "cancel s"},
	} {
		t.Run(name, func(t *testing.T) {
			d := explore(newFake(300), 120, 40).search("cancel").keys("/ end space")
			for word := range strings.FieldsSeq(c.keys) {
				if word == "space" || strings.HasSuffix(word, "tab") {
					d.keys(word)
				} else {
					d.write(word)
				}
			}
			if got := d.bar.Text(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if completes := c.want[7:] != strings.Fields(c.keys)[0]; completes != (d.focus == paneQuery) {
				t.Errorf("tab leads to pane %d", d.focus)
			}
		})
	}
}

// Typed quickly, a title is one request; until it is answered, and where it fails, the titles of the results are offered.
func TestCompletion_AsksForTitlesOnce(t *testing.T) {
	e := newFake(300)
	var asked []string
	var fails error
	e.before = func(ctx context.Context, call string) error {
		if strings.HasPrefix(call, "titles ") || call == "tags" {
			asked = append(asked, call)
			return fails
		}
		return ctx.Err()
	}
	d := explore(e, 120, 40).search("cancel").keys("/ end space")
	d.hold = true
	d.write("title:rus").mustShow(t, `tab "Rust service notes"`)
	d.hold, d.queue, d.held = false, d.held, nil
	d.work()
	d.mustShow(t, `tab "Rust service notes"  "Learning Rust"`)
	d.keys("tab tab tab backspace")
	if want := []string{"titles rus", "titles Rust service notes"}; !slices.Equal(asked, want) {
		t.Errorf("the engine was asked for %q, want %q", asked, want)
	}
	fails = errors.New("locked")
	d.keys("ctrl+u").write("title:rust tag:").mustNotShow(t, "Learning", "locked")
	d.keys("left left left left left").mustShow(t, `tab "Rust service notes"`)
	fails = nil
	d.refresh()
	d.keys("end x backspace").mustShow(t, "tab acme")
}

func TestCompletion_ShowsCandidates(t *testing.T) {
	for _, size := range sizes[:3] {
		d := explore(newFake(300), size.w, size.h).search("cancel").keys("/ end space").write("so")
		d.mustShow(t, "tab source:")
		d.write("urce:").mustShow(t, "tab chatgpt  claude  gemini")
		d.keys("tab tab").mustShow(t, "tab claude  gemini")
		d.mustFill(t)
		d.write("x")
		d.mustShow(t, "source: is unknown")
	}
}

func TestChips_ShrinkToTheScreen(t *testing.T) {
	for width, want := range map[int]string{120: "source:claude ✕  title:rust ✕  has-code:yes ✕", 48: "+1 title:rust ✕  has-code:yes ✕", 40: "+2 has-code:yes ✕"} {
		d := explore(newFake(300), width, 30).search("cancel title:rust source:claude has-code:yes")
		d.mustShow(t, want)
		d.mustFill(t)
	}
}

func TestChips_ClickDropsOne(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel title:rust source:claude")
	line := strings.Split(d.screen(), "\n")[0]
	d.clickAt(len([]rune(line[:strings.Index(line, "source:")]))+3, 0)
	if got := d.bar.Sought().Chips(); !slices.Equal(got, []string{"title:rust"}) {
		t.Errorf("left are %q", got)
	}
}

// The session of the version before the grammar is read as it was meant: its words are literal.
func TestSession_OfTheVersionBeforeTheGrammar(t *testing.T) {
	text, err := os.ReadFile("testdata/session-before-grammar.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept Session
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	e := newFake(400)
	d := drive(Options{Archive: over(e), Sessions: keeps(kept)}, 120, 40)
	now := d.session()
	var places, bookmarks, pinned []string
	for _, p := range now.Places {
		places = append(places, p.Text)
	}
	for _, b := range now.Bookmarks {
		bookmarks = append(bookmarks, b.Name+": "+b.Text)
	}
	for _, p := range now.Pinned {
		pinned = append(pinned, p.Text)
	}
	want := []string{"", `\-django \"docker compose" \since:x`, "cancel source:claude conversation:19389abe-cac2-5bec-939d-cd725dc9737d branches:yes"}
	if !reflect.DeepEqual(places, want) {
		t.Errorf("places are %q, want %q", places, want)
	}
	if want := []string{"first: cancel", "gone: apple source:myspace", "like: "}; !reflect.DeepEqual(bookmarks, want) {
		t.Errorf("bookmarks are %q, want %q", bookmarks, want)
	}
	if want := []string{"lentils"}; !reflect.DeepEqual(pinned, want) || now.Places[2].Mode != query.Keyword || now.Bookmarks[2].Like == "" {
		t.Errorf("pinned are %q, the modes %q", pinned, now.Places[2].Mode)
	}
	if d.bar.Sought().Text != places[2] || d.bar.Query().Mode != query.Keyword {
		t.Errorf("restored is %q", d.bar.Sought().Text)
	}
	d.keys("B down down enter")
	if got := d.bar.Sought().Text; got != "apple" || len(d.bookmarks) != 3 {
		t.Errorf("a bookmark with a source that is gone leads to %q, %d are left", got, len(d.bookmarks))
	}
}

func TestReadable_DropsWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`cancel "a b" -x source:claude`:          `cancel "a b" -x source:claude`,
		`cancel source:gone since:soon "a b" -x`: `cancel "a b" -x`,
		"role:user x role:assistant":             "x role:user",
		"foo:bar":                                "foo:bar",
	} {
		if got := search.Readable(text).String(); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

func BenchmarkTyping(b *testing.B) {
	d := explore(newFake(1000), 120, 40).search(`docker compose "rest api" -django source:claude title:"tax return"`)
	d.hold = true
	d.keys("/ end")
	for b.Loop() {
		d.keys("x backspace")
		d.held = nil
	}
}
