package tui

import (
	"testing"
)

func TestSizes_FocusedChat(t *testing.T) {
	e, k := newFake(100), &keeper{}
	opts := Options{Archive: over(e), Sessions: k}
	d := drive(opts, 120, 40).keys("c esc")
	if d.focus != paneChat {
		t.Fatalf("pane %d has the keys", d.focus)
	}
	before := d.layout()
	d.keys("+ +")
	after := d.layout()
	if after.chat.h <= before.chat.h || after.chart.h != before.chart.h || after.chat.h+after.turn.h != before.chat.h+before.turn.h {
		t.Errorf("chat, turn and chart are %d, %d, %d high; before: %d, %d, %d", after.chat.h, after.turn.h, after.chart.h, before.chat.h, before.turn.h, before.chart.h)
	}
	d.mustFill(t)
	if k.last().Sizes.Chat != 2 {
		t.Errorf("kept is %+v", k.last().Sizes)
	}
	d.keys("+ + + + + + + +").mustShow(t, "No more room")
	if l := d.layout(); l.turn.h < 5 {
		t.Errorf("the turn has %d lines", l.turn.h)
	}
	if again := drive(opts, 120, 40).keys("c esc"); again.layout().chat != d.layout().chat {
		t.Errorf("another run has a chat of %v, not %v", again.layout().chat, d.layout().chat)
	}
	d.keys("tab -")
	if l := d.layout(); l.chart.h >= after.chart.h {
		t.Errorf("elsewhere - does not lower the chart")
	}
}

func TestSizes_ChatInATabAgainstTheList(t *testing.T) {
	d := explore(newFake(100), 80, 30).keys("c esc")
	before := d.layout().chat.h
	d.keys("+ +")
	if d.layout().chat.h <= before {
		t.Errorf("the chat has %d lines, before %d", d.layout().chat.h, before)
	}
	d.mustFill(t)
}
