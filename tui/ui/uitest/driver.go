package uitest

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"lens/tui/ui"
)

// Component is what a Driver drives. If it also has Arrange or Requests, those are called after each message.
type Component interface {
	Update(msg tea.Msg) tea.Cmd
	View() []string
}

// Driver drives a component: commands run one after another, at once.
type Driver struct {
	UI   *ui.Context
	Hear func(posted any) // does what the app would with a posted message; nil: nothing
	Hold bool             // commands are kept in Held instead
	Held []tea.Cmd

	of     Component
	posted []any
}

// Drive returns a driver of a component that was made with c.
func Drive(c *ui.Context, of Component) *Driver { return &Driver{UI: c, of: of} }

// Send gives the component messages. Each time it does what follows.
func (d *Driver) Send(msgs ...tea.Msg) *Driver {
	for _, msg := range msgs {
		d.Run(d.of.Update(msg))
	}
	return d
}

// Press presses keys separated by spaces, see Keys.
func (d *Driver) Press(names string) *Driver {
	for _, pressed := range Keys(names) {
		d.Send(pressed)
	}
	return d
}

// Paste pastes a text.
func (d *Driver) Paste(text string) *Driver { return d.Send(tea.PasteMsg{Content: text}) }

// Do does what commands do, by their IDs.
func (d *Driver) Do(tb testing.TB, ids ...string) *Driver {
	tb.Helper()
	for _, id := range ids {
		d.Run(Do(tb, d.of.(interface{ Commands() []ui.Command }).Commands(), id))
	}
	return d
}

// Run runs a command, and what follows from it and from the state of the component, until none is left.
func (d *Driver) Run(cmd tea.Cmd) *Driver {
	for queue := []tea.Cmd{cmd, d.settle()}; len(queue) > 0; queue = queue[1:] {
		switch {
		case queue[0] == nil:
		case d.Hold:
			d.Held = append(d.Held, queue[0])
		default:
			switch msg := queue[0]().(type) {
			case nil:
			case tea.BatchMsg:
				queue = append(queue, msg...)
			default:
				queue = append(queue, d.of.Update(msg), d.settle())
			}
		}
	}
	return d
}

// settle does what the app does after each message, and returns what the component asks for.
func (d *Driver) settle() tea.Cmd {
	d.listen()
	if c, ok := d.of.(interface{ Arrange() }); ok {
		c.Arrange()
	}
	if c, ok := d.of.(interface{ Requests() tea.Cmd }); ok {
		return c.Requests()
	}
	return nil
}

// listen collects posted messages, also those that hearing them posts.
func (d *Driver) listen() {
	for posted := d.UI.Posted(); len(posted) > 0; posted = d.UI.Posted() {
		d.posted = append(d.posted, posted...)
		for _, msg := range posted {
			if d.Hear != nil {
				d.Hear(msg)
			}
		}
	}
}

// Posted returns the messages posted since the last call, in order.
func (d *Driver) Posted() []any {
	d.listen()
	posted := d.posted
	d.posted = nil
	return posted
}

// Text returns what a person reads of the component.
func (d *Driver) Text() string { return Text(d.of.View()) }

// MustShow checks that the component shows texts.
func (d *Driver) MustShow(tb testing.TB, wanted ...string) *Driver {
	tb.Helper()
	MustShow(tb, d.of.View(), wanted...)
	return d
}
