package conversations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/dialog"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

// shelf lists conversations.
type shelf struct {
	all   []retrieval.ListedConversation
	wrong error
	asked int
}

func (s *shelf) Conversations(context.Context) ([]retrieval.ListedConversation, error) {
	s.asked++
	return s.all, s.wrong
}

func id(n byte) uuid.UUID { return uuid.UUID{15: n} }

func books() *shelf {
	listed := func(n byte, title, source, topic, date string) retrieval.ListedConversation {
		c := retrieval.ListedConversation{
			ID: id(n), FirstTurn: id(100 + n), Title: title, Source: source, Topic: topic, Turns: int(n),
		}
		if at, err := time.Parse(time.DateOnly, date); err == nil {
			c.First, c.Last = &at, &at
		}
		return c
	}
	return &shelf{all: []retrieval.ListedConversation{
		listed(1, "Pruning\x1b[2J the apple tree", "chatgpt", "Garden", "2026-03-09"),
		listed(2, "Async Rust", "claude", "Rust", "2026-03-01"),
		listed(3, "Error handling in Rust", "chatgpt", "Rust", "2025-12-24"),
		listed(4, "", "claude", "", ""),
	}}
}

// driver drives the dialog, as the app does.
type driver struct {
	*Conversations
	*uitest.Driver
	s     *shelf
	stack *dialog.Stack
}

// Update, View and Requests are those of the component and its dialog together.
type both struct {
	*Conversations
	stack *dialog.Stack
}

func (b both) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(b.Conversations.Update(msg), b.stack.Update(msg))
}
func (b both) View() []string { return b.stack.View() }

// closed returns a driver whose dialog is not open yet.
func closed(s *shelf) driver {
	c := uitest.Context(theme.Mono)
	of := New(c)
	of.SetSource(s)
	d := driver{of, nil, s, &dialog.Stack{}}
	d.Driver = uitest.Drive(c, both{of, d.stack})
	d.stack.SetSize(100, 14)
	d.Hear = func(posted any) {
		if msg, ok := posted.(dialog.Open); ok {
			d.stack.Open(msg.Dialog)
		}
	}
	return d
}

func open(s *shelf, at uuid.UUID, titles ...retrieval.TitleMatch) driver {
	d := closed(s)
	d.Open(at, titles, len(titles))
	d.Run(nil)
	return d
}

// listed returns the first letters of the rows, the one under the cursor in brackets.
func (d driver) listed() string {
	var rows []string
	for i, r := range d.open.rows.Rows() {
		row := fmt.Sprint(r.ID[15])
		if i == d.open.rows.Cursor() {
			row = "[" + row + "]"
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, " ")
}

func (d driver) opened() (turns []uuid.UUID) {
	for _, msg := range d.Posted() {
		if msg, ok := msg.(ui.OpenTurn); ok {
			turns = append(turns, msg.ID)
		}
	}
	return turns
}

func TestConversations_Orders(t *testing.T) {
	d := open(books(), uuid.Nil)
	d.MustShow(t, "4 of 4", "March 2026", "Pruning␛[2J the apple tree", "December 2025", "undated", "untitled", "24 Dec 2025",
		"chatgpt         1 turn")
	for _, want := range []struct {
		list  string
		shows []string
	}{
		{"[1] 2 3 4", []string{"▸date"}},
		{"2 3 [1] 4", []string{"▸topic", "Rust", "Garden", "no topic"}},
		{"[1] 3 2 4", []string{"▸source", "chatgpt", "claude"}},
		{"", []string{"▸starred", "None is starred"}},
		{"[1] 2 3 4", []string{"▸date"}},
	} {
		if got := d.listed(); got != want.list {
			t.Errorf("listed are %q, want %q", got, want.list)
		}
		d.MustShow(t, want.shows...).Press("tab")
	}
}

func TestConversations_Filter(t *testing.T) {
	d := open(books(), id(3))
	if got := d.listed(); got != "1 2 [3] 4" {
		t.Errorf("the cursor: %q", got)
	}
	if d.Press("R u"); d.listed() != "[2] 3" {
		t.Errorf("with ru: %q", d.listed())
	}
	if d.Press("space h a n"); d.listed() != "[3]" {
		t.Errorf("with ru han: %q", d.listed())
	}
	if d.Press("x").MustShow(t, "0 of 4", "No title has these words"); d.listed() != "" {
		t.Errorf("with ru hanx: %q", d.listed())
	}
	if d.Press("enter"); len(d.opened()) > 0 || !d.stack.IsOpen() {
		t.Error("enter on nothing opens something")
	}
	d.Press("backspace enter")
	if got := d.opened(); !slices.Equal(got, []uuid.UUID{id(103)}) || d.stack.IsOpen() {
		t.Errorf("opened %v", got)
	}
}

func TestConversations_TitlesFirst(t *testing.T) {
	d := open(books(), id(1), retrieval.TitleMatch{Conversation: id(3)})
	if got := d.listed(); got != "[3] 1 2 4" {
		t.Errorf("listed are %q", got)
	}
	if strings.Contains(d.MustShow(t, titled).Text(), "type a word") {
		t.Error("all of them are listed")
	}
	d.Press("esc")
	d.Open(uuid.Nil, []retrieval.TitleMatch{{Conversation: id(3)}, {Conversation: id(4)}}, 12)
	d.Run(nil)
	d.MustShow(t, titled+" · 2 of 12 · type a word for all that have it")
}

func TestConversations_Stars(t *testing.T) {
	d := open(books(), id(2))
	d.Press("* down *").MustShow(t, "★ Async Rust")
	if want := []Star{{id(2), id(102)}, {id(3), id(103)}}; !slices.Equal(d.Stars(), want) || d.Changes() != 2 {
		t.Errorf("starred are %v", d.Stars())
	}
	d.Press("tab tab tab")
	if got := d.listed(); got != "2 [3]" {
		t.Errorf("listed are %q", got)
	}
	d.Press("z q").MustShow(t, "No starred title has these words").Press("backspace backspace")
	if d.Press("down *"); d.listed() != "[2]" {
		t.Errorf("without the last: %q", d.listed())
	}
	d.SetStars([]Star{{id(1), id(101)}})
	if d.Press("tab").MustShow(t, "★ Pruning"); len(d.Stars()) != 1 {
		t.Errorf("starred are %v", d.Stars())
	}
}

func TestConversations_FailureAndReload(t *testing.T) {
	s := books()
	s.wrong = errors.New("the disk is gone")
	d := open(s, uuid.Nil)
	d.MustShow(t, "the disk is gone")
	s.wrong = nil
	d.Retry()
	d.Run(nil).MustShow(t, "Async Rust")
	if d.Press("esc"); d.stack.IsOpen() {
		t.Error("esc does not close it")
	}
	d.Reload()
	if d.Run(nil); s.asked != 2 {
		t.Errorf("asked %d times while it is closed", s.asked)
	}
	d.Open(id(2), nil, 0)
	if d.Run(nil); s.asked != 3 || d.listed() != "1 [2] 3 4" {
		t.Errorf("asked %d times, listed are %q", s.asked, d.listed())
	}
}

func TestConversations_CanceledUntilOpenedOrRetried(t *testing.T) {
	for name, again := range map[string]func(driver){
		"opened":  func(d driver) { d.Open(uuid.Nil, nil, 0) },
		"retried": func(d driver) { d.Retry() },
	} {
		t.Run(name, func(t *testing.T) {
			d := closed(books())
			d.Open(uuid.Nil, nil, 0)
			d.Requests()
			if !d.Stop() {
				t.Error("nothing is asked for")
			}
			if d.Run(nil).MustShow(t, "reading the conversations"); d.s.asked != 0 {
				t.Errorf("asked %d times after it was canceled", d.s.asked)
			}
			again(d)
			if d.Run(nil).MustShow(t, "Async Rust"); d.s.asked != 1 {
				t.Errorf("asked %d times", d.s.asked)
			}
		})
	}
}

func TestConversations_ClickAndEverySize(t *testing.T) {
	d := open(books(), uuid.Nil)
	for y, line := range d.stack.View() {
		if strings.Contains(line, "Async Rust") {
			d.Send(tea.MouseClickMsg{X: 10, Y: y + d.stack.Place().Y})
			break
		}
	}
	if got := d.opened(); !slices.Equal(got, []uuid.UUID{id(102)}) {
		t.Errorf("a click opens %v", got)
	}
	d = open(books(), uuid.Nil)
	for _, width := range []int{40, 60, 80, 100, 120, 200} {
		for _, height := range []int{8, 24, 60} {
			d.stack.SetSize(width, height)
			uitest.MustFill(t, d.stack.View(), width, height-2)
		}
	}
}

// BenchmarkConversations_Key types a letter in a list of 10,000 conversations, and draws it.
func BenchmarkConversations_Key(b *testing.B) {
	s := &shelf{}
	for i := range 10_000 {
		at := time.Unix(int64(1_700_000_000-i*3600), 0)
		s.all = append(s.all, retrieval.ListedConversation{ID: uuid.New(), Title: fmt.Sprintf("Title %d of a chat", i), Source: "chatgpt", Last: &at})
	}
	d := open(s, uuid.Nil)
	for b.Loop() {
		d.Press("7 backspace")
		d.stack.View()
	}
}

func TestConversations_NamesTheSectionAbove(t *testing.T) {
	s := &shelf{}
	for i := range 30 {
		at := time.Date(2026, 3, 30-i, 0, 0, 0, 0, time.UTC)
		s.all = append(s.all, retrieval.ListedConversation{ID: id(byte(i)), Title: "A chat", Last: &at})
	}
	d := open(s, uuid.Nil)
	d.MustShow(t, "─ Conversations ─").Press("pgdown pgdown pgdown").MustShow(t, "Conversations · March 2026")
}
