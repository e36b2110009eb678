package reader

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/ui"
)

// Commands returns what the reader can do while it has the focus.
func (r *Reader) Commands() []ui.Command {
	return append(r.page.Commands(),
		ui.Hinted("next-hit", "n", "hit", r.nextHit(1)).While(r.hasHits),
		ui.Hinted("previous-hit", "N", "hit", r.nextHit(-1)).While(r.hasHits),
		ui.Hinted("previous-turn", "[", "previous/next turn", r.step(-1, "First turn of the conversation")).Anywhere().
			Saying(r.turnSays),
		ui.Hinted("next-turn", "]", "previous/next turn", r.step(1, "Last turn of the conversation")).Anywhere().
			Saying(r.turnSays),
		ui.On("next-version", "!", "next version", r.nextVersion).Leading(),
		ui.Hinted("find", "ctrl+f", "find here", r.openFind),
		ui.Hinted("toggle-raw", "m", "raw", r.toggleRaw),
		ui.On("more-like-this", "x", "more like this", r.seekAlike),
		ui.On("previous-code", "{", "previous/next code", r.nextCode(-1)),
		ui.On("next-code", "}", "previous/next code", r.nextCode(1)),
	)
}

// Scroll moves by n lines, as far as there are any.
func (r *Reader) Scroll(n int) { r.page.Scroll(n) }

// CodeInView returns the index of the first block of code that begins in view or below, else of the last one.
func (r *Reader) CodeInView() int { return r.page.codeInView() }

func (r *Reader) nextHit(direction int) func() tea.Cmd {
	return func() tea.Cmd {
		if !r.page.next(r.page.text.Hits, direction) && !r.findBeyond(direction) {
			r.ui.Post(ui.Notify(r.noHit()))
		}
		return nil
	}
}

func (r *Reader) hasHits() bool { return len(r.page.text.Hits) > 0 || r.IsFinding() }

// turnSays says in short, as of hits, what the keys to the neighbors go to.
func (r *Reader) turnSays() string {
	if r.opened != nil && (r.path.neighbor(r.opened, -1) != nil || r.path.neighbor(r.opened, 1) != nil) {
		return "turn"
	}
	return ""
}

// noHit says why there is no further hit in the turn.
func (r *Reader) noHit() string {
	switch {
	case r.IsFinding():
		return r.noFound()
	case r.words.None():
		return "No words to find. Search first"
	case r.page.text.InRaw:
		return "Only the raw text has it (" + r.ui.Key("turn.toggle-raw") + " shows it)"
	case len(r.page.text.Hits) == 0:
		return "No hits in this turn"
	}
	return "No more hits in this turn"
}

func (r *Reader) nextCode(direction int) func() tea.Cmd {
	return func() tea.Cmd {
		if !r.page.next(r.page.text.Code, direction) {
			r.ui.Post(ui.Notify("No more code in this turn"))
		}
		return nil
	}
}

// step goes along the path.
func (r *Reader) step(by int, refusal string) func() tea.Cmd {
	return ui.Do(func() {
		if r.opened == nil {
			return
		}
		if to := r.path.neighbor(r.opened, by); to != nil {
			r.turnTo(*to)
			return
		}
		r.ui.Post(ui.Notify(refusal))
	})
}

// turnTo shows another turn of the conversation. The reader stays on its path if that has the turn.
func (r *Reader) turnTo(id uuid.UUID) {
	again := r.path.again
	r.Show(id, r.opened.Conversation)
	r.path.again = again
	r.ui.Post(Turned{id})
}

// Click goes to the turn of the rail, or to the version, that is clicked.
func (r *Reader) Click(x, y int) (decides bool) {
	if r.showsStored() || r.isUnreadable() || r.opened == nil {
		return false
	}
	c := divide(r.width)
	if c.hasRail(x) {
		if to := r.railView().turn(y); to != nil {
			r.turnTo(*to)
		}
		return false
	}
	to := versionAt(r.ui.Theme, r.sides(), r.readable(), c.prose, x-c.left, y)
	if to != uuid.Nil {
		r.turnTo(to)
	}
	return false
}

func (r *Reader) toggleRaw() tea.Cmd {
	if r.isUnreadable() {
		return r.toggleStored()
	}
	r.raw = !r.raw
	return nil
}

func (r *Reader) seekAlike() tea.Cmd {
	if r.wanted == uuid.Nil {
		r.ui.Post(ui.Notify("No turn selected"))
		return nil
	}
	r.ui.Post(ui.SeekAlike{ID: r.wanted})
	return nil
}
