package app

import (
	"strings"
	"testing"
)

func TestSizes_FocusedChat(t *testing.T) {
	e, k := newFake(100), &keeper{}
	opts := Options{Archive: over(e), Sessions: k, Chat: (&investigator{}).chat()}
	d := drive(opts, 120, 40).keys("c esc")
	if d.focus != paneChat {
		t.Fatalf("pane %d has the keys", d.focus)
	}
	before := d.layout()
	d.do("higher", "higher")
	after := d.layout()
	if after.at[paneChat].h <= before.at[paneChat].h || after.at[paneTimeline].h != before.at[paneTimeline].h || after.at[paneChat].h+after.at[paneReader].h != before.at[paneChat].h+before.at[paneReader].h {
		t.Errorf("chat, turn and chart are %d, %d, %d high; before: %d, %d, %d", after.at[paneChat].h, after.at[paneReader].h, after.at[paneTimeline].h, before.at[paneChat].h, before.at[paneReader].h, before.at[paneTimeline].h)
	}
	d.mustFill(t)
	if k.last().Sizes.Chat != 2 {
		t.Errorf("kept is %+v", k.last().Sizes)
	}
	d.do("higher", "higher", "higher", "higher", "higher", "higher", "higher", "higher").mustShow(t, "No more room")
	if l := d.layout(); l.at[paneReader].h < 5 {
		t.Errorf("the turn has %d lines", l.at[paneReader].h)
	}
	if again := drive(opts, 120, 40).keys("c esc"); again.layout().at[paneChat] != d.layout().at[paneChat] {
		t.Errorf("another run has a chat of %v, not %v", again.layout().at[paneChat], d.layout().at[paneChat])
	}
	d.keys("tab").do("lower")
	if l := d.layout(); l.at[paneTimeline].h >= after.at[paneTimeline].h {
		t.Errorf("elsewhere lower does not lower the chart")
	}
}

func TestLayout_FocusedChatInATabTakesTheList(t *testing.T) {
	d := chatting(newFake(100), &investigator{}, 80, 30).keys("c esc")
	if l := d.layout(); l.at[paneChat] != l.body || !l.at[paneResults].isEmpty() {
		t.Errorf("the chat is at %v of %v, the list at %v", l.at[paneChat], l.body, l.at[paneResults])
	}
	d.mustFill(t)
	d.do("higher").mustShow(t, "No more room")
	if d.keys("tab tab"); d.focus != paneResults || d.layout().at[paneResults].isEmpty() {
		t.Errorf("pane %d has the focus, the list is at %v", d.focus, d.layout().at[paneResults])
	}
}

func TestLayout_FocusedChatHasRoomForItsAnswer(t *testing.T) {
	s := screen{width: 120, height: 40, focus: paneChat, chatAt: chatPlace{open: true}, chatLines: 18}
	column := s.layout().at[paneResults].h
	for needs, want := range map[int]int{15: 15, 18: column - 2, 400: column - 2} {
		s.chatLines = needs
		if got := s.layout().at[paneChat].h; got != want {
			t.Errorf("for %d lines it has %d of %d, want %d", needs, got, column, want)
		}
	}
	s.focus = paneReader
	if got := s.layout().at[paneChat].h; got > column*2/5 {
		t.Errorf("without the focus it has %d of %d lines", got, column)
	}
}

// What a turn leaves free is the chat's, as far as its answer needs it.
func TestLayout_ShortTurnLeavesRoomToTheChat(t *testing.T) {
	s := screen{width: 200, height: 60, focus: paneResults, chatAt: chatPlace{open: true}, chatLines: 20}
	column, share := s.layout().at[paneResults].h, s.layout().at[paneChat].h
	for turn, want := range map[int]int{0: share, 8: 20, column - 18: 18, column: share, 400: share} {
		s.turnLines = turn
		if got := s.layout().at[paneChat].h; got != want {
			t.Errorf("beside a turn of %d lines it has %d of %d, want %d", turn, got, column, want)
		}
	}
}

func TestLayout_FocusedChatIsLarger(t *testing.T) {
	s := screen{width: 120, height: 40, focus: paneResults, chatAt: chatPlace{open: true}}
	column := s.layout().at[paneResults].h
	if got := s.layout().at[paneChat].h; got < 7 || got > column*2/5 {
		t.Errorf("beside the list, it has %d of %d lines", got, column)
	}
	s.focus = paneQuestion
	if got := s.layout().at[paneChat].h; got < column*3/5-1 {
		t.Errorf("in focus, it has %d of %d lines", got, column)
	}
}

// A list of full size keeps the path of windows above it, and the chart its bins.
func TestLayout_HiddenChartKeepsItsBins(t *testing.T) {
	d := explore(newFake(1200), 120, 40).search("cancel").keys("1 g ; enter 2")
	head, unit := strings.Split(d.screen(), "\n")[1], d.timeline.Zoom().Unit()
	d.keys("z")
	d.mustFill(t)
	if got := strings.Split(d.screen(), "\n")[1]; got != head || d.timeline.Zoom().Unit() != unit {
		t.Errorf("above the list is %q, not %q", got, head)
	}
	if d.keys("enter"); d.timeline.Zoom().Unit() != unit {
		t.Errorf("above a turn of full size bins are of a %s", d.timeline.Zoom().Unit())
	}
}
