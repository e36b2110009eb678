package app

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval/query"
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
	if len(d.bar.Search().Chips()) > 0 || d.bar.Text() != "cancel" {
		t.Errorf("back leads to %q", d.bar.Search().Text)
	}
}

func TestQuery_OneQueryOfBarAndMenu(t *testing.T) {
	d := explore(ofTwoSources(300), 120, 40).search(`title:rust cancel -apple`)
	d.keys("2 f").mustShow(t, "title:rust", "on")
	d.keys("b r a n c h enter")
	if got := d.bar.Search().Text; got != "cancel -apple title:rust branches:yes" || d.bar.Text() != "cancel -apple" {
		t.Errorf("searched is %q, the bar says %q", got, d.bar.Text())
	}
	d.keys("f t i t l e : enter")
	if got := d.bar.Search().Text; got != "cancel -apple branches:yes" {
		t.Errorf("without the title, searched is %q", got)
	}
	d.keys("/ home backspace")
	if got := d.bar.Search().Text; got != "cancel -apple" || d.bar.Text() != "cancel -apple" {
		t.Errorf("backspace at the beginning leaves %q", got)
	}
	d.keys("esc 2 f c l e a r enter")
	if got := d.bar.Search().Text; got != "cancel -apple" {
		t.Errorf("clearing the filters leaves %q", got)
	}
}

func TestQuery_WrongValueKeepsTheResults(t *testing.T) {
	for text, wanted := range map[string]string{
		"source:myspace":        `no source is named "myspace"`,
		"since:soon":            `since: "soon" is not a date or time`,
		"has-code:x":            "has-code: neither true nor false",
		"since:2024 since:2025": "since: is given twice",
		"since:1999..2000":      "No turns: 1999–2000",
	} {
		for _, width := range []int{160, 59} {
			d := explore(ofTwoSources(300), width, 30).search("cancel")
			before, found := d.bar.Search(), d.found.Peek
			d.keys("/ end space").write(text)
			if d.mustShow(t, wanted[:min(len(wanted), width-8)]); width == 160 && !strings.Contains(strings.Split(d.screen(), "\n")[0], wanted) {
				t.Errorf("%s: the bar does not say %q", text, wanted)
			}
			if d.finder.Failure().Message != "" || d.found.Peek != found && wanted[0] != 'N' && !strings.Contains(text, "2024") {
				t.Errorf("%s breaks the search of %q", text, before.Text)
			}
			if d.keys("enter").mustShow(t, wanted); wanted[0] != 'N' && !strings.Contains(d.bar.Text(), text) {
				t.Errorf("the bar gave up what is wrong: %q", d.bar.Text())
			}
			d.keys("/ ctrl+w").write("source:claude").keys("enter")
			if !slices.Contains(d.bar.Search().Chips(), "source:claude") {
				t.Errorf("after %s, a right filter leads to %q", text, d.bar.Search().Chips())
			}
			if !strings.Contains(text, " ") {
				d.mustNotShow(t, wanted[:min(len(wanted), 18)])
			}
		}
	}
}

func TestQuery_NearMissIsNamed(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("titel:x")
	d.mustShow(t, "did you mean “title:”?")
	if d.bar.Search().Words() != "titel:x" {
		t.Errorf("searched is %q", d.bar.Search().Text)
	}
	d = explore(newFake(300), 59, 14).search("cancel").keys("/ end space").write("titel:x")
	d.mustShow(t, "did you mean “title:”?")
	d.keys("enter").mustShow(t, "did you mean “title:”?")
}

func TestQuery_UnknownKeyIsNamedQuietly(t *testing.T) {
	for _, size := range sizes[:3] {
		d := explore(newFake(300), size.w, size.h).search("cancel source:chatgpt").keys("/ end space").write("foo:bar")
		d.mustShow(t, "“foo:” is not a filter; use one of since, until, ", "source:chatgpt ✕")
		d.mustFill(t)
		if d.bar.Search().Words() != "cancel foo:bar" {
			t.Errorf("searched is %q", d.bar.Search().Text)
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

func TestQuery_TypedWindowIsTheView(t *testing.T) {
	d := explore(newFake(600), 120, 40).search("cancel")
	all := d.timeline.Zoom().Span
	d.keys("/ end space").write("since:2024 until:2024-03")
	if want := (zoom.Span{From: midnight("2024-01-01"), To: midnight("2024-03-01")}); d.timeline.Zoom().Span != want {
		t.Fatalf("the view is %v, want %v", d.timeline.Zoom().Span, want)
	}
	if n := d.found.Peek.Histogram.Total; d.found.Window != d.timeline.Zoom().Span || n == 0 || d.bar.Search().Text != "cancel" {
		t.Errorf("%d are found of %q in %v", n, d.bar.Search().Text, d.found.Window)
	}
	for range "until:2024-03" {
		d.keys("backspace")
	}
	if d.timeline.Zoom().From != midnight("2024-01-01") || d.timeline.Zoom().To != all.To {
		t.Errorf("since alone leads to %v", d.timeline.Zoom().Span)
	}
	if d.keys("enter"); d.bar.Text() != "cancel" || len(d.bar.Search().Chips()) > 0 {
		t.Errorf("the bar says %q, chips are %q", d.bar.Text(), d.bar.Search().Chips())
	}
	d.mustShow(t, "All time › ")
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
	d := drive(Options{
		Archive:  &fakeArchive{open: open},
		Settings: Settings{Query: "cancel source:claude since:2024"},
	}, 120, 40)
	d.mustShow(t, "/ cancel ", "source:claude ✕")
	if d.timeline.Zoom().From != midnight("2024-01-01") || d.bar.Search().Text != "cancel source:claude" {
		t.Errorf("searched is %q from %v", d.bar.Search().Text, utc(d.timeline.Zoom().From))
	}
}

func TestQuery_FiltersAloneListTheNewest(t *testing.T) {
	d := explore(ofTwoSources(300), 120, 40).search("source:claude")
	d.mustShow(t, "source:claude ✕", "newest", "100 of 300 turns")
	if n := d.found.Peek.Histogram.Total; n != 100 {
		t.Errorf("%d turns are listed", n)
	}
}

func TestQuery_RoleNeedsWords(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel role:user").keys("/ end ctrl+u")
	d.mustShow(t, "a role says who used the words")
	if d.bar.Search().Text != "cancel role:user" {
		t.Errorf("searched is %q", d.bar.Search().Text)
	}
	d.keys("backspace").mustNotShow(t, "a role says")
	d.search("cancel role:user").keys("2 x")
	if d.found.Peek == nil || d.found.Peek.Like == uuid.Nil || len(d.bar.Search().Chips()) > 0 {
		t.Errorf("x searches for %q with %v", d.bar.Search().Text, d.bar.Search().Chips())
	}
}

// Tab completes what is typed. Where there is nothing to complete, it leaves the query.
func TestCompletion_KeysOfTheQuery(t *testing.T) {
	for name, c := range map[string]struct {
		keys, want string
		focus      pane
	}{
		"a key and its value": {"s o tab c h tab", "cancel source:chatgpt ", paneQuery},
		"the first of two":    {"s o tab c l tab", "cancel source:claude", paneQuery},
		"in turn":             {"s o tab tab tab tab", "cancel source:claude-code", paneQuery},
		"and back":            {"s o tab tab tab shift+tab", "cancel source:chatgpt", paneQuery},
		"a value it asks for": {"t a g : a c tab", "cancel tag:acme ", paneQuery},
		"nothing: the next":   {"x tab", "cancel x", paneTimeline},
		"nothing: the last":   {"x shift+tab", "cancel x", paneReader},
		"esc leaves":          {"s o tab tab esc", "cancel", paneTimeline},
	} {
		d := explore(newFake(300), 120, 40).search("cancel").keys("/ end space " + c.keys)
		if got := d.bar.Text(); got != c.want || d.focus != c.focus {
			t.Errorf("%s: the bar says %q, the focus is on %d", name, got, d.focus)
		}
	}
}

func TestCompletion_ShowsCandidates(t *testing.T) {
	for _, size := range sizes[:3] {
		d := explore(newFake(300), size.w, size.h).search("cancel").keys("/ end space").write("so")
		d.mustShow(t, "tab source:")
		d.write("urce:").mustShow(t, "tab chatgpt  claude  claude-code")
		d.keys("tab tab").mustShow(t, "tab claude  claude-code")
		d.mustFill(t)
		d.write("x")
		d.mustShow(t, `no source is named`)
	}
}

func TestChips_ClickDropsOne(t *testing.T) {
	d := explore(newFake(300), 120, 40).search("cancel title:rust source:claude")
	line := strings.Split(d.screen(), "\n")[0]
	d.clickAt(len([]rune(line[:strings.Index(line, "source:")]))+3, 0)
	if got := d.bar.Search().Chips(); !slices.Equal(got, []string{"title:rust"}) {
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
	now := d.session(d.look())
	var places, bookmarks []string
	for _, p := range now.Places {
		places = append(places, p.Text)
	}
	for _, b := range now.Bookmarks {
		bookmarks = append(bookmarks, b.Name+": "+b.Text)
	}
	want := []string{"", `\-django \"docker compose" \since:x`, "cancel source:claude conversation:19389abe-cac2-5bec-939d-cd725dc9737d branches:yes"}
	if !reflect.DeepEqual(places, want) {
		t.Errorf("places are %q, want %q", places, want)
	}
	if want := []string{"first: cancel", "gone: apple source:myspace", "like: "}; !reflect.DeepEqual(bookmarks, want) {
		t.Errorf("bookmarks are %q, want %q", bookmarks, want)
	}
	if now.Places[2].Mode != query.Keyword || now.Bookmarks[2].Like == "" {
		t.Errorf("the mode is %q, the bookmark similar to %q", now.Places[2].Mode, now.Bookmarks[2].Like)
	}
	if d.bar.Search().Text != places[2] || d.bar.Query().Mode != query.Keyword {
		t.Errorf("restored is %q", d.bar.Search().Text)
	}
	d.keys("B down enter")
	if got := d.bar.Search().Text; got != "apple" || len(d.bookmarks.All()) != 3 {
		t.Errorf("a bookmark with a source that is gone leads to %q, %d are left", got, len(d.bookmarks.All()))
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
