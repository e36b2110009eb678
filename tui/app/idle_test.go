package app

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Memory is returned once for each pause, which begins again with each message, but only after somebody did something.
func TestIdler_WaitsForAPause(t *testing.T) {
	var i idler
	now := time.Unix(0, 0)
	after := func(msg tea.Msg, passed time.Duration) tea.Cmd {
		now = now.Add(passed)
		return i.after(t.Context(), msg, now, 2*time.Millisecond)
	}
	waits := func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		_, ok := cmd().(idleMsg)
		return ok
	}
	if !waits(after(tea.KeyPressMsg{}, 0)) || after(tea.KeyPressMsg{}, time.Millisecond) != nil {
		t.Error("it does not wait for one pause")
	}
	if !waits(after(idleMsg{}, time.Millisecond)) {
		t.Error("the pause is not that since the last key")
	}
	if cmd := after(idleMsg{}, time.Millisecond); cmd == nil || cmd() != nil {
		t.Error("after the pause nothing is done")
	}
	if after(tickMsg{}, time.Hour) != nil {
		t.Error("it waits again without a key")
	}
	if !waits(after(tea.KeyPressMsg{}, time.Hour)) {
		t.Error("it does not wait for the next pause")
	}
	if i.after(t.Context(), tea.KeyPressMsg{}, now, 0) != nil {
		t.Error("without a pause it waits")
	}
}

func TestIdler_BeginsWithAKey(t *testing.T) {
	d := explore(newFake(12), 80, 24)
	d.pace.idle, d.hold = time.Hour, true
	if d.send(tickMsg{}); d.idler.waits {
		t.Error("it waits without a key")
	}
	if d.send(tea.KeyPressMsg{Code: 'j', Text: "j"}); !d.idler.waits {
		t.Error("it does not wait after a key")
	}
}
