package timeline

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval/timebin"
	"lens/tui/dialog"
	"lens/tui/histogram"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

func TestTimeline_ZoomsByCommands(t *testing.T) {
	all := open(everyDay()).Zoom().All
	for name, c := range map[string]struct {
		commands []string
		window   zoom.Span
		posted   []any
	}{
		"the bin under the cursor": {
			[]string{"first", "next-bin", "look-into"}, days("2020-02-01", "2020-03-01"), []any{WindowChanged{}},
		},
		"the brush": {
			[]string{"last", "brush", "previous-bin", "look-into"}, days("2024-11-01", "2025-01-01"), []any{WindowChanged{}},
		},
		"a brush that begins by extending it": {
			[]string{"first", "brush-right", "brush-right", "look-into"}, days("2020-01-01", "2020-04-01"), []any{WindowChanged{}},
		},
		"the cursor after the brush is dropped": {
			[]string{"first", "brush", "next-bin", "leave", "look-into"},
			days("2020-02-01", "2020-03-01"),
			[]any{WindowChanged{}},
		},
		"in and out": {
			[]string{"first", "zoom-in", "zoom-out"}, all, []any{WindowChanged{Step: true}, WindowChanged{Step: true}},
		},
		"no further out": {[]string{"zoom-out"}, all, []any{ui.Notify("Can't zoom out further")}},
		"show all": {
			[]string{"first", "look-into", "show-all", "show-all"}, all, []any{WindowChanged{}, WindowChanged{}},
		},
		"coarser bins are a change": {[]string{"coarser-bins"}, all, []any{WindowChanged{}}},
		"no finer bins":             {[]string{"finer-bins"}, all, []any{ui.Notify("Bins of 2 weeks need 131 columns. Zoom in first")}},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(everyDay())
			if posted := d.do(t, c.commands...); !slices.Equal(posted, c.posted) {
				t.Errorf("posted %v, want %v", posted, c.posted)
			}
			if got := d.Zoom().Span; got != c.window {
				t.Errorf("in view is %v to %v", utc(got.From), utc(got.To))
			}
		})
	}
}

func days(from, to string) zoom.Span { return zoom.Span{From: midnight(from), To: midnight(to)} }

func TestTimeline_Pans(t *testing.T) {
	d := open(everyDay()).enter("2022-01-01", "2023-01-01")
	posted := d.do(t, "pan-back", "pan-on")
	if got := d.Zoom().Span; got != days("2022-01-01", "2023-01-01") || !slices.Equal(posted, []any{WindowChanged{true}, WindowChanged{true}}) {
		t.Errorf("back and on leads to %v, posted %v", got, posted)
	}
	d.enter("2020-01-01", "2020-02-01")
	if posted := d.do(t, "pan-back"); !slices.Equal(posted, []any{ui.Notify("The archive ends here")}) {
		t.Errorf("posted %v", posted)
	}
}

func TestTimeline_JumpsToFilledBins(t *testing.T) {
	a := everyDay()
	a.times = slices.DeleteFunc(a.times, func(at int64) bool { month := utc(at).Month(); return month != 1 && month != 9 })
	d := open(a)
	for i, want := range []int{8, 12, 20} {
		if i == 0 {
			d.do(t, "first")
		}
		if d.do(t, "next-filled-bin"); d.Chart().Cursor != want {
			t.Errorf("the cursor is on bin %d, want %d", d.Chart().Cursor, want)
		}
	}
	if d.do(t, "previous-filled-bin"); d.Chart().Cursor != 12 {
		t.Errorf("the cursor is on bin %d", d.Chart().Cursor)
	}
}

func TestTimeline_WithoutDates(t *testing.T) {
	d := open(&archive{})
	d.MustShow(t, "No dates")
	for _, c := range d.Commands() {
		d.do(t, c.ID)
	}
	d.Click(20, 0)
	d.Drag(40)
	d.Release()
	d.ClickHead(2)
	d.Wheel(tea.Mouse{X: 20, Button: tea.MouseWheelUp})
	d.Posted()
	if posted := d.do(t, "type-range"); !slices.Equal(posted, []any{ui.Notify("No dates")}) || d.head(80) != "▸ All time" {
		t.Errorf("posted %v, titled %q", posted, d.head(80))
	}
}

func TestTimeline_GrowKeepsTheWindow(t *testing.T) {
	a := everyDay()
	d := open(a).enter("2022-01-01", "2023-01-01")
	a.times = append(a.times, midnight("2025-06-01"))
	d.Grow(a.overview(), a.days())
	if d.Zoom().Span != days("2022-01-01", "2023-01-01") || d.Zoom().All != days("2020-01-01", "2025-06-02") {
		t.Errorf("in view is %v of %v", d.Zoom().Span, d.Zoom().All)
	}
	if d.do(t, "show-all"); d.sum() != len(a.times) {
		t.Errorf("%d turns are counted of %d", d.sum(), len(a.times))
	}
}

func TestTimeline_TypedRange(t *testing.T) {
	d := open(everyDay())
	posted := d.do(t, "type-range")
	opened, ok := posted[0].(dialog.Open)
	if !ok {
		t.Fatalf("posted %v", posted)
	}
	prompt := opened.Dialog
	prompt.SetSize(100, 30)
	answer := func(text string) (done bool) {
		prompt.Update(uitest.Key("ctrl+u"))
		prompt.Update(tea.PasteMsg{Content: text})
		_, done = prompt.Update(uitest.Key("enter"))
		return done
	}
	for text, refusal := range map[string]string{
		"someday":                "Not a date",
		"1999":                   "No turns. The archive begins on 1 Jan 2020; try Jan 2020",
		"2025-11-02..2025-12-15": "No turns. The archive ends on 31 Dec 2024; try Dec 2024",
	} {
		if answer(text) {
			t.Errorf("%s is accepted", text)
		}
		uitest.MustShow(t, prompt.View(), refusal)
	}
	if !answer("2024-05..2024-06") || d.Zoom().Span != days("2024-05-01", "2024-07-01") {
		t.Errorf("in view is %v", d.Zoom().Span)
	}
	if posted := d.Posted(); !slices.Equal(posted, []any{WindowChanged{}}) {
		t.Errorf("posted %v", posted)
	}
}

// The archive of everyDay ended long before uitest.Noon.
func TestTimeline_TypedRangeCountsBack(t *testing.T) {
	d := open(everyDay())
	for text, want := range map[string]zoom.Span{
		"yesterday": days("2024-12-30", "2024-12-31"),
		"last 6h":   {From: midnight("2024-12-31") + 6*zoom.HourLong, To: midnight("2024-12-31") + 13*zoom.HourLong}, // its turn is at noon
	} {
		opened, _ := d.do(t, "type-range")[0].(dialog.Open)
		opened.Dialog.SetSize(100, 30)
		opened.Dialog.Update(tea.PasteMsg{Content: text})
		opened.Dialog.Update(uitest.Key("enter"))
		if d.Zoom().Span != want {
			t.Errorf("%s: in view is %v, want %v", text, d.Zoom().Span, want)
		}
		if says := ui.Notify("Counted back from the last turn, 31 Dec 2024"); !slices.Contains(d.Posted(), any(says)) {
			t.Errorf("%s: %q is not said", text, says)
		}
	}
}

// A typed window is in view without a step of its own. When it is deleted, the window from before returns.
func TestTimeline_AimsAtATypedWindow(t *testing.T) {
	d := open(everyDay()).enter("2022-01-01", "2023-01-01")
	before := d.Zoom().View
	d.Aim(days("2024-01-01", "2025-01-01"), true)
	d.Aim(days("2024-02-01", "2024-03-01"), false)
	if d.Zoom().Span != days("2024-02-01", "2024-03-01") {
		t.Errorf("in view is %v", d.Zoom().Span)
	}
	if d.Aim(zoom.Span{}, false); d.Zoom().View != before || len(d.Posted()) > 0 {
		t.Errorf("in view is %v", d.Zoom().View)
	}
	d.enter("2021-01-01", "2022-01-01").Aim(days("2024-01-01", "2025-01-01"), true)
	d.Aim(zoom.Span{From: midnight("2024-01-01") + 5, To: midnight("2024-12-01") + 5}, false)
	if d.Zoom().Span != days("2024-01-01", "2024-12-02") {
		t.Errorf("a window of a year is not widened to whole days: %v", d.Zoom().Span)
	}
	if got := d.head(120); !strings.HasPrefix(got, "▸ All time › 1 Jan – 1 Dec 2024  ") {
		t.Errorf("a window beside leads to it: %q", got)
	}
	if d.Aim(zoom.Span{}, false); d.Zoom().Span != days("2021-01-01", "2022-01-01") {
		t.Errorf("the view from before is %v", d.Zoom().Span)
	}
}

// column returns a column of a bin.
func (d driver) column(bin int) int {
	for x := range d.width {
		if d.Chart().BinAt(x, d.width) == bin {
			return x
		}
	}
	return -1
}

func TestMouse_DragBrushesAndClickZooms(t *testing.T) {
	for name, c := range map[string]struct{ from, over, to, wantFrom, wantTo int }{
		"to the right":  {10, 15, 20, 10, 21},
		"to the left":   {20, 15, 10, 10, 21},
		"there and on":  {20, 30, 10, 10, 21},
		"a single bin":  {10, 12, 10, 10, 11},
		"over the axis": {10, 20, -1, 0, 11},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(everyDay())
			for i, bin := range []int{c.from, c.over, c.to} {
				x := d.column(bin)
				if i == 0 {
					d.Click(x, 0)
				}
				d.Drag(x)
			}
			d.Release()
			from, to, ok := d.Zoom().Brushed()
			if !ok || from != c.wantFrom || to != c.wantTo || len(d.Posted()) > 0 {
				t.Fatalf("brushed %d..%d (%v)", from, to, ok)
			}
			edges := d.Zoom().Edges()
			d.Click(d.column(c.wantFrom), 0)
			d.Release()
			if got := d.Zoom().Span; got != (zoom.Span{From: edges[from], To: edges[to]}) || !slices.Equal(d.Posted(), []any{WindowChanged{}}) {
				t.Errorf("a click in the brush leads to %v", got)
			}
		})
	}
}

func TestMouse_ClickMovesTheCursor(t *testing.T) {
	d := open(everyDay())
	d.do(t, "first", "brush-right")
	d.Click(d.column(30), 0)
	d.Release()
	if _, _, brushed := d.Zoom().Brushed(); brushed || d.Chart().Cursor != 30 || len(d.Posted()) > 0 {
		t.Errorf("the cursor is on bin %d, brushed: %v", d.Chart().Cursor, brushed)
	}
	if d.Click(0, 0); d.Chart().Cursor != 30 {
		t.Errorf("beside the bars, the cursor goes to bin %d", d.Chart().Cursor)
	}
}

func TestMouse_DragWithinABinIsAClick(t *testing.T) {
	d := open(everyDay())
	d.do(t, "coarser-bins")
	d.Click(d.column(10), 0)
	d.Drag(d.column(10) + 1)
	d.Release()
	if _, _, brushed := d.Zoom().Brushed(); brushed {
		t.Error("a bin is brushed")
	}
}

// A drag that begins in the brush begins another one.
func TestMouse_DragFromTheBrush(t *testing.T) {
	d := open(everyDay())
	d.do(t, "first", "brush-right", "brush-right")
	d.Click(d.column(1), 0)
	d.Drag(d.column(5))
	d.Release()
	if from, to, _ := d.Zoom().Brushed(); !d.Zoom().IsAll() || from != 2 || to != 6 {
		t.Errorf("brushed %d..%d", from, to)
	}
	d.Click(d.column(6), 0)
	if d.Release(); !d.Zoom().IsAll() {
		t.Error("a click behind the brush zooms")
	}
}

func TestMouse_DragBeyondTheChart(t *testing.T) {
	d := open(everyDay())
	d.Click(d.column(30), 0)
	d.Drag(500)
	if from, to, _ := d.Zoom().Brushed(); from != 30 || to != len(d.Chart().Bins) {
		t.Errorf("brushed %d..%d", from, to)
	}
}

func TestMouse_WheelZoomsAboutThePointer(t *testing.T) {
	d := open(everyDay())
	x := histogram.Left + 30
	under := d.Chart().Bins[d.Chart().BinAt(x, d.width)]
	d.Wheel(tea.Mouse{X: x, Button: tea.MouseWheelUp})
	now := d.Chart().Bins[d.Chart().BinAt(x, d.width)]
	if d.Zoom().IsAll() || now.End < under.Start-31*zoom.DayLong || now.Start > under.End+31*zoom.DayLong {
		t.Errorf("under the pointer was %v, is %v", utc(under.Start), utc(now.Start))
	}
	before := d.Zoom().Span
	d.Wheel(tea.Mouse{X: x, Button: tea.MouseWheelDown, Mod: tea.ModShift})
	if after := d.Zoom().Span; after.Width() != before.Width() || after.From <= before.From {
		t.Errorf("with shift it goes from %v to %v", before, after)
	}
	d.Wheel(tea.Mouse{X: x, Button: tea.MouseWheelLeft})
	if d.Zoom().Span != before {
		t.Errorf("sideways it goes to %v, not back to %v", d.Zoom().Span, before)
	}
	d.Wheel(tea.Mouse{X: x, Button: tea.MouseWheelDown})
	if posted := d.Posted(); !d.Zoom().IsAll() || len(posted) != 4 || posted[3] != any(WindowChanged{Step: true}) {
		t.Errorf("all is in view: %v, posted %v", d.Zoom().IsAll(), posted)
	}
}

func TestCursor_TellsItsBin(t *testing.T) {
	d := open(everyDay())
	moved := func(from, to string) []any { return []any{CursorMoved{days(from, to)}} }
	d.do(t, "first")
	if got := d.Do(t, "next-bin").Posted(); !slices.Equal(got, moved("2020-02-01", "2020-03-01")) {
		t.Errorf("posted %v", got)
	}
	d.Click(d.column(3), 0)
	if got := d.Driver.Posted(); !slices.Equal(got, moved("2020-04-01", "2020-05-01")) {
		t.Errorf("clicked, posted %v", got)
	}
	if got := d.Do(t, "brush", "next-bin", "leave").Posted(); len(got) > 0 {
		t.Errorf("while brushing, posted %v", got)
	}
	if d.Follow(midnight("2022-05-14")); d.Chart().Cursor != 28 || len(d.Driver.Posted()) > 0 {
		t.Errorf("it follows to bin %d", d.Chart().Cursor)
	}
}

func TestZoom_CursorIsOnTheFullestBin(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(bursting))
	d.do(t, "first")
	d.enter("2022-01-01", "2023-01-01")
	if c := d.Chart(); c.Bins[c.Cursor].Start < midnight("2022-04-25") || c.Bins[c.Cursor].End > midnight("2022-06-05") {
		t.Errorf("the cursor is on %v", utc(c.Bins[c.Cursor].Start))
	}
	before := d.Zoom().Cursor
	if d.do(t, "pan-back", "pan-on"); d.Zoom().Cursor == before && d.Zoom().From != midnight("2022-01-01") {
		t.Error("panning does not keep the time of the cursor")
	}
}

// A window that is typed may begin with a bin that is nearly all out of it, and empty.
func TestTimeline_AimsAtTheFullestBin(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(bursting))
	d.do(t, "first")
	d.Aim(days("2022-02-01", "2022-07-01"), true)
	if c := d.Chart(); c.Bins[c.Cursor].Start < midnight("2022-04-25") || c.Bins[c.Cursor].End > midnight("2022-06-05") {
		t.Errorf("the cursor is on %v", utc(c.Bins[c.Cursor].Start))
	}
}

// What is in the bins of hours is only known once it was counted, and a part of a bin may be empty.
func TestZoom_CursorIsOnNoEmptyBin(t *testing.T) {
	filled := func(d driver) bool {
		c := d.Chart()
		return c.Bins[c.Cursor].Count > 0
	}
	d := open(everyDay())
	if d.enter("2022-05-02", "2022-05-09"); d.Zoom().Unit().Unit != timebin.Hour || !filled(d) {
		t.Errorf("of hours, the cursor is on %v", utc(d.Zoom().Cursor))
	}
	d.do(t, "first")
	if d.Run(nil); d.Chart().Cursor != 0 {
		t.Errorf("a cursor that was moved is on %d", d.Chart().Cursor)
	}
	a := everyDay()
	d = open(a).finding(a.found(func(i int, _ time.Time) bool { return i%50 == 0 }))
	d.do(t, "first", "next-filled-bin", "next-filled-bin")
	for range 5 {
		if d.do(t, "zoom-in"); !filled(d) {
			t.Errorf("of %v by %v, the cursor is on %v", d.Zoom().Span, d.Zoom().Unit(), utc(d.Zoom().Cursor))
		}
	}
}

// A zoom places the cursor once: another query leaves it where it is, also on an empty bin.
func TestZoom_CursorStaysWithAnotherQuery(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(func(i int, _ time.Time) bool { return i%50 == 0 }))
	d.do(t, "first", "next-filled-bin", "zoom-in", "zoom-in")
	before := d.Zoom().Cursor
	d.in.Stale = true // the other query is typed
	d.Run(nil)
	d.finding(a.found(func(i int, _ time.Time) bool { return i%50 == 25 }))
	if d.Zoom().Cursor != before {
		t.Errorf("the cursor went from %v to %v", utc(before), utc(d.Zoom().Cursor))
	}
}

func TestZoom_NotIntoAnEmptyBin(t *testing.T) {
	a := everyDay()
	d := open(a).finding(a.found(func(i int, _ time.Time) bool { return i < 40 }))
	if posted := d.do(t, "last", "look-into"); !slices.Equal(posted, []any{ui.Notify("Nothing in this bin")}) || !d.Zoom().IsAll() {
		t.Errorf("posted %v, in view is %v", posted, d.Zoom().Span)
	}
}

func TestRail_PointsBeyondTheWindow(t *testing.T) {
	d := open(everyDay())
	d.enter("2022-01-01", "2023-01-01")
	for at, want := range map[string]string{"2021-05-01": "└─‹◆─", "2024-05-01": "──◆›", "2022-05-14": "──◆──"} {
		read := midnight(at)
		d.in.Read = &read
		d.Run(nil)
		d.MustShow(t, want)
		if inside := at[:4] == "2022"; inside == strings.ContainsAny(d.Text(), "‹›") {
			t.Errorf("of %s:\n%s", at, d.Text())
		}
	}
}

func TestBring_ShowsTheTimeInAWindowAsWide(t *testing.T) {
	d := open(everyDay())
	d.enter("2022-01-01", "2022-03-01")
	width := d.Zoom().Width()
	d.Bring(midnight("2024-05-14"))
	if z := d.Zoom(); !z.Holds(midnight("2024-05-14")) || z.Width() != width || z.Cursor != midnight("2024-05-14") {
		t.Errorf("in view is %v to %v", utc(z.From), utc(z.To))
	}
	if posted := d.Posted(); !slices.Equal(posted, []any{WindowChanged{}}) {
		t.Errorf("posted %v", posted)
	}
	d.Bring(midnight("2024-05-15"))
	if posted := d.Posted(); !slices.Equal(posted, []any{ui.Notify("In view already")}) {
		t.Errorf("posted %v", posted)
	}
}

func TestOverview_ShowsTheWindowInTheArchive(t *testing.T) {
	d := open(everyDay())
	d.SetSize(80, 8)
	if d.Run(nil); strings.Contains(d.Text(), "▕") {
		t.Errorf("all is in view, and there is an overview:\n%s", d.Text())
	}
	for window, want := range map[[2]string][2]int{ // the columns of its marks
		{"2022-01-01", "2023-01-01"}: {32, 48},
		{"2020-01-01", "2021-01-01"}: {6, 21},
		{"2024-01-01", "2025-01-01"}: {59, 74},
	} {
		d.enter(window[0], window[1])
		line := []rune(uitest.Text(d.View()[:1]))
		got := [2]int{slices.Index(line, '▕'), slices.Index(line, '▏')}
		if got != want || string(line[:4]) != "2020" || string(line[76:]) != "2024" {
			t.Errorf("of %v the marks are at %v, not %v:\n%s", window, got, want, string(line))
		}
		bars := 0
		for _, bar := range histogram.Glyphs(d.UI.Theme).Levels {
			bars += strings.Count(string(line), bar)
		}
		if bars != d.overview().columns() {
			t.Errorf("of %v the marks hide bars:\n%s", window, string(line))
		}
		uitest.MustFill(t, d.View(), 80, 8)
	}
	d.SetSize(80, 7)
	if d.Run(nil); strings.Contains(d.Text(), "▕") {
		t.Errorf("without room for it, there is an overview:\n%s", d.Text())
	}
}

func TestOverview_ClickAndDragMoveTheWindow(t *testing.T) {
	d := open(everyDay())
	d.SetSize(130, 12)
	d.enter("2022-01-01", "2022-03-01")
	width := d.Zoom().Width()
	for _, c := range []struct {
		move func(x int)
		at   string
	}{
		{func(x int) { d.Click(x, 0) }, "2020-06-01"},
		{d.Drag, "2023-06-01"},
		{d.Drag, "2021-01-01"},
	} {
		c.move(histogram.Left + d.overview().column(midnight(c.at)))
		if z := d.Zoom(); !z.Holds(midnight(c.at)) || z.Width() != width {
			t.Errorf("in view is %v to %v, not %s", utc(z.From), utc(z.To), c.at)
		}
		if posted := d.Posted(); !slices.Equal(posted, []any{WindowChanged{Step: true}}) {
			t.Errorf("posted %v", posted)
		}
	}
	d.Release()
	if d.Drag(40); len(d.Posted()) > 0 {
		t.Error("after the release, the window moves on")
	}
}
