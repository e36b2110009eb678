package state_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/dialog"
	"lens/tui/state"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// store keeps sessions in memory.
type store struct {
	saved []state.Session
	fails error
}

func (s *store) Load() (state.Session, bool) {
	if len(s.saved) == 0 {
		return state.Session{}, false
	}
	return s.saved[len(s.saved)-1], true
}

func (s *store) Save(session state.Session) error {
	if s.fails == nil {
		s.saved = append(s.saved, session)
	}
	return s.fails
}

// kept is a keeper of a number, as the session's position.
type kept struct {
	*state.Keeper[int]
	at      int
	settled bool
}

func (k *kept) View() []string { return nil }

func (k *kept) Requests() tea.Cmd {
	return k.Keeper.Requests(k.at, k.settled, func() state.Session { return state.Session{At: k.at} })
}

func keep(s state.Sessions) (*kept, *uitest.Driver) {
	c := uitest.Context(theme.Dark)
	k := &kept{Keeper: state.NewKeeper[int](c, s, 0)}
	return k, uitest.Drive(c, k)
}

func TestKeeper_SavesChanges(t *testing.T) {
	s := &store{}
	k, d := keep(s)
	k.at = 1
	d.Send(nil) // restoring goes on
	k.at, k.settled = 2, true
	if d.Send(nil, nil); len(s.saved) > 0 {
		t.Errorf("what was restored is saved: %v", s.saved)
	}
	k.at = 3
	if d.Send(nil, nil); len(s.saved) != 1 || s.saved[0].At != 3 {
		t.Errorf("saved are %v", s.saved)
	}
}

func TestKeeper_OnlyTheLatestIsSaved(t *testing.T) {
	s := &store{}
	k, d := keep(s)
	k.settled = true
	d.Send(nil)
	d.Hold = true
	for k.at = range 4 {
		d.Send(nil)
	}
	for _, cmd := range d.Held {
		if msg := cmd(); msg != nil {
			d.Send(msg)
		}
	}
	if len(s.saved) != 1 || s.saved[0].At != 3 {
		t.Errorf("saved are %v", s.saved)
	}
}

// An older save neither begins after a newer one nor overtakes it.
func TestKeeper_SavingAtOnceIsTheLast(t *testing.T) {
	s := &store{}
	k, d := keep(s)
	k.settled = true
	d.Send(nil)
	d.Hold = true
	k.at = 1
	d.Send(nil)
	save := k.Saving(state.Session{At: 2})
	later := d.Held[0]() // its pause is over
	if err := save(); err != nil || later != nil || len(s.saved) != 1 || s.saved[0].At != 2 {
		t.Errorf("saved are %v (%v)", s.saved, err)
	}
}

func TestKeeper_SavesWaitForEachOther(t *testing.T) {
	s := &slow{begun: make(chan struct{}), free: make(chan struct{})}
	k, d := keep(s)
	k.settled = true
	d.Send(nil)
	d.Hold = true
	k.at = 1
	d.Send(nil)
	var both sync.WaitGroup
	both.Go(func() { d.Held[0]() })
	<-s.begun
	save := k.Saving(state.Session{At: 2})
	both.Go(func() { _ = save() })
	close(s.free)
	both.Wait()
	if got, _ := s.Load(); len(s.saved) != 2 || got.At != 2 {
		t.Errorf("saved are %v", s.saved)
	}
}

// slow waits in its first save until it may go on.
type slow struct {
	store
	begun, free chan struct{}
}

func (s *slow) Save(session state.Session) error {
	if session.At == 1 {
		close(s.begun)
		<-s.free
		time.Sleep(5 * time.Millisecond) // a save that does not wait would be done by now
	}
	return s.store.Save(session)
}

func TestKeeper_FirstFailureIsReported(t *testing.T) {
	s := &store{fails: errors.New("the disk is full")}
	k, d := keep(s)
	k.settled = true
	for k.at = range 4 {
		d.Send(nil)
	}
	if posted := d.Posted(); len(posted) != 1 || posted[0].(ui.Failed).Err != s.fails {
		t.Errorf("posted are %v", posted)
	}
}

func TestKeeper_SavesNothingUntilItHasLoadedAgain(t *testing.T) {
	s := &store{saved: []state.Session{{At: 7}}}
	k, d := keep(s)
	k.settled = true
	d.Send(nil)
	d.Hold = true
	reload := k.Reload()
	k.at = 1
	if d.Send(nil); k.Keeps() || len(d.Held) > 0 {
		t.Error("it saves over what it is about to load")
	}
	d.Hold = false
	if d.Run(reload); !k.Keeps() || !slices.ContainsFunc(d.Posted(), func(msg any) bool {
		loaded, ok := msg.(state.Loaded)
		return ok && loaded.Session.At == 7
	}) {
		t.Error("the session is not loaded")
	}
}

// A lock makes another keeper, which gets what the one before has begun to load.
func TestKeeper_LoadsOfAnotherOneAreDropped(t *testing.T) {
	s := &store{saved: []state.Session{{At: 7}}}
	before, _ := keep(s)
	k, d := keep(s)
	late := before.Reload()()
	reload := k.Reload()
	if d.Send(late); k.Keeps() || len(d.Posted()) > 0 {
		t.Error("it takes what another one has loaded")
	}
	if d.Run(reload); !k.Keeps() || len(d.Posted()) != 1 {
		t.Error("the session is not loaded")
	}
}

func TestKeeper_WithoutSessions(t *testing.T) {
	k, d := keep(nil)
	k.settled = true
	for k.at = range 3 {
		d.Send(nil)
	}
	if _, ok := k.Load(); ok || k.Keeps() || k.Reload() != nil {
		t.Error("something is kept")
	}
}

// A session of a version before queries had a grammar: its words were literal.
func TestSession_OfAnEarlierVersion(t *testing.T) {
	const old = `{"places": [{"query": "title:x -y", "source": "claude", "keyword": true, "branches": true, "from": 0, "to": 0}],
		"bookmarks": [{"name": "b", "made": "2024-01-01T00:00:00Z", "query": "apple", "conversation": "c", "from": 1, "to": 2}]}`
	var s state.Session
	if err := json.Unmarshal([]byte(old), &s); err != nil {
		t.Fatal(err)
	}
	k, _ := keep(&store{saved: []state.Session{s}})
	got, _ := k.Load()
	place := got.Places[0]
	q, _, err := query.Parse(place.Text, uitest.Noon)
	if err != nil || q.Text != "title:x -y" || !slices.Equal(q.Filter.Sources.In, []string{"claude"}) || !q.Filter.Branches {
		t.Errorf("%q reads as %+v: %v", place.Text, q, err)
	}
	if place.Mode != query.Keyword || got.Bookmarks[0].Text != "apple conversation:c" {
		t.Errorf("the mode is %q, the bookmark %q", place.Mode, got.Bookmarks[0].Text)
	}
	if text, _ := json.Marshal(got); strings.Contains(string(text), `"keyword":true`) {
		t.Errorf("it is saved in the old way: %s", text)
	}
}

func TestSession_WithoutForgottenTurns(t *testing.T) {
	gone, there := uuid.New(), uuid.New()
	isGone := func(id uuid.UUID) bool { return id == gone }
	mark := func(name string, p state.Place) state.Bookmark { return state.Bookmark{Name: name, Place: p} }
	search := func(text, title string) state.Search { return state.Search{Text: text, Title: title} }
	s := state.Session{
		Places: []state.Place{{Search: search("what nobody should know", "")}}, At: 0,
		Pinned:  []state.Search{search("nor this", "")},
		Look:    state.Look{Theme: "dark"},
		Starred: []state.Star{{Conversation: "a", Turn: gone.String()}, {Conversation: "b", Turn: there.String()}},
		Bookmarks: []state.Bookmark{
			mark("selected", state.Place{Turn: gone.String()}),
			mark("open", state.Place{Turn: there.String(), Read: gone.String()}),
			mark("similar", state.Place{Search: state.Search{Like: gone.String()}}),
			mark("is my secret safe? · 2024", state.Place{Turn: there.String()}),
			mark("query", state.Place{Search: search(`title:"Is my secret safe?"`, ""), Turn: there.String()}),
			mark("title", state.Place{Search: search("", "Is my secret safe?")}),
			mark("another", state.Place{Search: search("apple", ""), Turn: there.String(), Read: there.String()}),
			mark("a time", state.Place{From: 1, To: 2}),
			mark("damaged", state.Place{Turn: "zz"}),
		},
	}
	got := s.Without(isGone, []string{"", "Is my secret safe?"})
	want := state.Session{Look: s.Look, Bookmarks: s.Bookmarks[6:], Starred: s.Starred[1:]}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got.IsEmpty() || s.IsEmpty() || !(state.Session{At: 3}).IsEmpty() {
		t.Error("what is empty?")
	}
}

func TestPlace_ViewInAChangedArchive(t *testing.T) {
	z := zoom.New(1_700_000_000, 1_710_000_000, 80)
	var p state.Place
	p.SetView(z.View, z.All)
	if p.From != 0 || p.To != 0 || p.View(z) != z.View {
		t.Errorf("all time is saved as %+v", p)
	}
	inner := z.Look(zoom.Span{From: 1_704_000_000, To: 1_705_000_000})
	p.SetView(inner.View, z.All)
	if p.View(z).Span != inner.Span {
		t.Errorf("%v comes back as %v", inner.Span, p.View(z).Span)
	}
	wild := state.Place{From: -5, To: 1 << 60, Bin: "17 fortnights", Cursor: 1 << 62}
	if v := wild.View(z); v.Span != z.All || !v.Holds(v.Cursor) {
		t.Errorf("a damaged place leads to %+v", v)
	}
}

func TestBookmarks_AddedVisitedDropped(t *testing.T) {
	c := uitest.Context(theme.Dark)
	b := state.NewBookmarks(c)
	var menu dialog.Dialog
	hear := func() (posted []any) {
		for _, msg := range c.Posted() {
			if open, ok := msg.(dialog.Open); ok {
				menu = open.Dialog
				continue
			}
			posted = append(posted, msg)
		}
		return posted
	}
	press := func(names string) {
		for _, key := range uitest.Keys(names) {
			if cmd, _ := menu.Update(key); cmd != nil {
				cmd()
			}
		}
	}
	b.Ask("here", state.Place{Search: state.Search{Text: "apple"}})
	hear()
	press("enter")
	if len(b.All()) != 1 || b.All()[0].Name != "here" || b.Changes() != 1 || !b.All()[0].Made.Equal(uitest.Noon) {
		t.Fatalf("bookmarks are %+v", b.All())
	}
	hear()
	b.Open()
	hear()
	press("enter")
	if posted := hear(); len(posted) != 1 || posted[0].(state.Visit).Place.Text != "apple" {
		t.Errorf("posted are %v", posted)
	}
	b.Open()
	hear()
	press("ctrl+x")
	if len(b.All()) != 0 || b.Changes() != 2 {
		t.Errorf("bookmarks are %+v", b.All())
	}
}
