package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/tui/chat"
	"lens/tui/lock"
	"lens/tui/state"
	"lens/tui/timeline"
)

// errLocked is the error of an engine over a locked archive.
var errLocked = &errs.Error{Code: errs.Locked, Message: "the archive is locked"}

// fakeVault unlocks with 1234.
type fakeVault struct {
	open  bool
	tries []string
	stuck error // of Lock
}

func (v *fakeVault) Unlock(_ context.Context, pin string) error {
	v.tries = append(v.tries, pin)
	if pin != "1234" {
		return errors.New("that is not the PIN, and whoever tries too many that are not has to wait longer and longer after each of them")
	}
	v.open = true
	return nil
}

func (v *fakeVault) Lock() error {
	v.open = false
	return v.stuck
}

// sealed saves sessions while a vault is open.
type sealed struct {
	keeper
	vault *fakeVault
}

func (s *sealed) Load() (Session, bool) {
	session, ok := s.keeper.Load()
	return session, ok && s.vault.open
}

func (s *sealed) Save(session Session) error {
	if !s.vault.open {
		return nil
	}
	return s.keeper.Save(session)
}

// guarded returns an explorer with a vault.
func guarded(v *fakeVault, opts Options) *driver {
	e := newFake(300)
	e.notice = "All texts about prunes were read."
	e.before = func(context.Context, string) error {
		if !v.open {
			return errLocked
		}
		return nil
	}
	opts.Lock.Vault, opts.Sessions = v, &sealed{vault: v}
	opts.Archive = &fakeArchive{open: func(context.Context) (Engine, error) {
		if !v.open {
			return nil, errLocked
		}
		return e, nil
	}}
	return drive(opts, 100, 30)
}

func TestLock_AsksForThePIN(t *testing.T) {
	v := &fakeVault{}
	d := guarded(v, Options{})
	d.mustShow(t, "Lens is locked", "PIN")
	d.keys("9 9 enter")
	d.mustShow(t, "that is not the PIN", "after each of them")
	d.keys("1 2 3 4")
	d.mustShow(t, "PIN ••••")
	d.mustNotShow(t, "1234")
	d.keys("enter")
	d.mustNotShow(t, "locked")
	d.search("cancel").mustShow(t, "Matches", "▌ ●")
	if !slices.Equal(v.tries, []string{"99", "1234"}) {
		t.Errorf("tried %q", v.tries)
	}
}

func TestLock_HidesEverythingUntilUnlocked(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{}).search("cancel").keys("2 j j")
	before := d.screen()
	d.keys(":")
	for _, r := range "lock" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.keys("enter")
	d.mustShow(t, "Lens is locked")
	d.mustNotShow(t, "cancel an", "Rust", "Matches", "/ cancel")
	if v.open {
		t.Error("the vault is open")
	}
	d.send(tea.PasteMsg{Content: "1234\n"})
	d.keys("enter")
	d.footer.Say("")
	if d.screen() != before {
		t.Errorf("another screen came back:\n%s\nbefore:\n%s", d.screen(), before)
	}
}

// Locking drops all that the explorer knows of the archive, and all that was asked about it.
func TestLock_ForgetsTheArchive(t *testing.T) {
	v := &fakeVault{open: true}
	d := conversing(v, investigation(newFake(600)))
	if d.search("lentlis").keys("1 0"); d.finder.Suggestion() != "lentils" {
		t.Fatalf("suggested is %q", d.finder.Suggestion())
	}
	d.search("lentils").keys("1 g n enter p enter 2 j j space b") // a pinned query, a mark
	for _, r := range "My secret place" {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	d.keys("enter 3 n I esc 5 j A esc E esc").search("apple -frost title:garden").keys("2 x")
	words := []string{"texts about prunes", "lentil", "Kitchen", "apple", "Garden", "frost", "secret place", "Rust", "drop the future", "did it begin"}
	held := stringsIn(reflect.ValueOf(d.model).Elem())
	for _, word := range words {
		if !slices.ContainsFunc(held, func(s string) bool { return strings.Contains(s, word) }) {
			t.Errorf("an open explorer does not hold %q, so the test proves nothing about it", word)
		}
	}
	dropped := weak.Make(d.workspace)
	gone := partsOf(d.workspace)
	d.enqueue(d.lock())
	d.work()
	d.mustShow(t, "Lens is locked")
	runtime.GC()
	if dropped.Value() != nil {
		t.Error("something still points to the workspace")
	}
	for name, isGone := range gone {
		if !isGone() {
			t.Errorf("something still points to %s", name)
		}
	}
	held = stringsIn(reflect.ValueOf(d.model).Elem())
	for _, word := range words {
		if at := slices.IndexFunc(held, func(s string) bool { return strings.Contains(s, word) }); at >= 0 {
			t.Errorf("a locked explorer holds %q", held[at])
		}
	}
}

// How charts are drawn tells nothing of the archive.
func TestLock_KeepsTheLookOfTheChart(t *testing.T) {
	d := guarded(&fakeVault{open: true}, Options{}).search("cancel").keys("1 C %")
	look := d.timeline.Look()
	d.enqueue(d.lock())
	d.work()
	if got := d.timeline.Look(); got != look || got == (timeline.Look{}) {
		t.Errorf("%v became %v", look, got)
	}
}

// A comparison returns after a lock; another run begins without one.
func TestLock_PinnedQueriesReturn(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{}).search("lentils").keys("1 p enter").search("apple")
	d.enqueue(d.lock())
	d.work()
	if len(d.finder.Pins().All()) != 0 {
		t.Error("locked, queries are pinned")
	}
	saved := d.opts.Sessions
	d.keys("1 2 3 4 enter")
	if len(d.finder.Pins().All()) != 1 {
		t.Errorf("%d queries are pinned", len(d.finder.Pins().All()))
	}
	again := explore(newFake(300), 100, 30)
	kept, _ := saved.Load()
	if again.applySession(kept, true); len(kept.Pinned) != 1 || len(again.finder.Pins().All()) != 0 {
		t.Errorf("%d queries are saved, in another run %d are pinned", len(kept.Pinned), len(again.finder.Pins().All()))
	}
}

// What an earlier run has pinned does not return, also where nothing of this one was saved before a lock.
func TestLock_PinnedQueriesOfAnEarlierRun(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{})
	testenv.Must(t, d.opts.Sessions.Save(Session{At: -1, Pinned: []state.Search{{Text: "lentils"}}}))
	v.open = false // by another process
	d.shut()
	d.keys("1 2 3 4 enter")
	if pins := d.finder.Pins().All(); d.locked.IsShown() || len(pins) > 0 {
		t.Errorf("unlocked: %t, %v are pinned", !d.locked.IsShown(), pins)
	}
}

// partsOf returns, for each part of a workspace, whether it has been collected. A closure may hold one, which reflection
// does not see.
func partsOf(w *workspace) map[string]func() bool {
	return map[string]func() bool{
		"bar":       collected(w.bar),
		"finder":    collected(w.finder),
		"results":   collected(w.results),
		"reader":    collected(w.reader),
		"timeline":  collected(w.timeline),
		"details":   collected(w.details),
		"exporter":  collected(w.exporter),
		"archive":   collected(w.archive),
		"keeper":    collected(w.keeper),
		"bookmarks": collected(w.bookmarks),
		"footer":    collected(w.footer),
		"errors":    collected(w.errors),
	}
}

func collected[T any](part *T) func() bool {
	pointer := weak.Make(part)
	return func() bool { return pointer.Value() == nil }
}

// given are the types of what the host of the explorer gives.
var given = []reflect.Type{
	reflect.TypeFor[Options](), reflect.TypeFor[Engine](), reflect.TypeFor[Chat](), reflect.TypeFor[chat.Investigator](),
	reflect.TypeFor[chat.Sessions](), reflect.TypeFor[Sessions](),
}

// stringsIn returns all strings that can be reached from v, but through functions and what the host of the explorer
// gave.
func stringsIn(v reflect.Value) []string {
	var all []string
	seen := map[uintptr]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			all = append(all, v.String())
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.Pointer()] {
				seen[v.Pointer()] = true
				walk(v.Elem())
			}
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); !slices.Contains(given, f.Type) {
					walk(v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
				all = append(all, string(v.Bytes()))
				return
			}
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(key)
				walk(v.MapIndex(key))
			}
		}
	}
	walk(v)
	return all
}

// guardedChats can load and save chats only while the vault is open.
type guardedChats struct {
	vault *fakeVault
	*investigator
}

func (g guardedChats) List(ctx context.Context, page agent.SessionPage) ([]agent.SessionSummary, error) {
	if !g.vault.open {
		return nil, errLocked
	}
	return g.investigator.List(ctx, page)
}

func (g guardedChats) Session(ctx context.Context, id string) (agent.Session, error) {
	if !g.vault.open {
		return agent.Session{}, errLocked
	}
	return g.investigator.Session(ctx, id)
}

func (g guardedChats) Save(ctx context.Context, s agent.Session) error {
	if !g.vault.open {
		return errLocked
	}
	return g.investigator.Save(ctx, s)
}

func (g guardedChats) Change(ctx context.Context, id string, how func(*agent.Session)) (agent.Session, error) {
	if !g.vault.open {
		return agent.Session{}, errLocked
	}
	return g.investigator.Change(ctx, id, how)
}

// A query that is typed before the session is loaded again stays, and costs no bookmark.
func TestLock_TypingBeforeTheSessionIsLoaded(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{}).search("lentils").keys("2 b enter")
	d.enqueue(d.lock())
	d.work()
	d.keys("1 2 3 4")
	d.hold = true
	d.keys("enter")
	unlock := d.held[0]
	d.held = nil
	d.send(unlock()) // unlocked, and the session is not loaded yet
	d.keys("/ a p p l e")
	d.release()
	d.mustShow(t, "/ apple")
	if len(d.bookmarks.All()) != 1 {
		t.Errorf("bookmarks are %v", d.bookmarks.All())
	}
	if saved, _ := d.opts.Sessions.Load(); len(saved.Bookmarks) != 1 {
		t.Errorf("saved are %v", saved.Bookmarks)
	}
}

// conversing returns a guarded explorer whose chat has one answer.
func conversing(v *fakeVault, i *investigator) *driver {
	chats := i.chat()
	chats.Sessions = guardedChats{v, i}
	return guarded(v, Options{Chat: chats}).asks("when did it begin?")
}

// mustTell asserts that the chat is shown.
func mustTell(t *testing.T, d *driver) {
	t.Helper()
	if last := d.chat.Last(); last == nil || last.Question != "when did it begin?" || !strings.Contains(last.Answer(), "drop the future") {
		t.Errorf("the conversation ends with %v", last)
	}
	d.mustShow(t, "[2] 5 Apr 2024", "Garden")
}

func TestLock_DropsTheChatAndReloadsIt(t *testing.T) {
	v, i := &fakeVault{open: true}, investigation(newFake(600))
	d := conversing(v, i)
	mustTell(t, d)
	d.send(d.lock()())
	d.mustShow(t, "Lens is locked")
	if d.chat.Last() != nil || d.chat.Remark() != "gpt-4o" || v.open {
		t.Errorf("the chat %q is still in memory", d.chat.Remark())
	}
	mustTell(t, d.keys("1 2 3 4 enter"))
	if d.keys("p"); len(i.Kept) != 1 {
		t.Errorf("it became another chat: %d are kept", len(i.Kept))
	}
}

func TestLock_UnsavedChatSurvives(t *testing.T) {
	v, i := &fakeVault{open: true}, investigation(newFake(600))
	i.Wont = errors.New("the disk is full")
	d := conversing(v, i)
	d.send(d.lock()())
	mustTell(t, d.keys("1 2 3 4 enter"))
}

func TestLock_SavesAnInterruptedAnswerFirst(t *testing.T) {
	v, i := &fakeVault{open: true}, investigation(newFake(600))
	d := conversing(v, i)
	d.hold = true
	d.asks("and then?")
	d.hold, d.held = false, nil
	d.enqueue(d.lock())
	d.work()
	if d.chat.Last() != nil || v.open {
		t.Errorf("the chat is still in memory, open %v", v.open)
	}
	for _, kept := range i.Kept {
		if n := len(kept.Exchanges); n != 2 || len(i.Kept) != 1 {
			t.Errorf("%d conversations are kept, one with %d exchanges", len(i.Kept), n)
		}
	}
	d.keys("1 2 3 4 enter").mustShow(t, "and then?", "stopped (r asks again)")
}

func TestLock_ReportsAChatThatCannotBeReloaded(t *testing.T) {
	v, i := &fakeVault{open: true}, investigation(newFake(600))
	d := conversing(v, i)
	d.send(d.lock()())
	i.Lost = errors.New("the page is torn")
	d.keys("1 2 3 4 enter").mustShow(t, "Couldn't reload the chat", "the page is torn")
}

func TestLock_LockedEngineShowsTheLockScreen(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{}).search("cancel")
	v.open = false // by another process
	d.keys("2 x").mustShow(t, "Lens is locked")
	d.keys("1 2 3 4 enter").mustShow(t, "/ cancel ", "Matches") // as it was saved last
}

func TestLock_ByAnotherProcess(t *testing.T) {
	d := guarded(&fakeVault{open: true}, Options{})
	for range 2 {
		d.ui.Post(lock.Locked{})
		d.send(nil)
		d.mustShow(t, "Lens is locked")
	}
	d.keys("1 2 3 4 enter")
	d.mustNotShow(t, "Lens is locked")
}

func TestLock_AfterIdleTime(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{Lock: Lock{After: time.Nanosecond}}) // the clock advances a second with every call
	d.mustShow(t, "Lens is locked")
	if v.open {
		t.Error("the PIN is still in memory")
	}
}

func TestLock_WaitsForJobsAndAnswers(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{})
	end := d.jobs.Start(Work{Name: "importing", Do: func(context.Context, func(done, total int64)) (string, error) {
		return "imported", nil
	}})
	d.hold = true
	d.ui.Post(lock.Idle{})
	d.send(nil)
	if d.locked.IsShown() {
		t.Error("it locked during an import")
	}
	d.send(end())
	d.ui.Post(lock.Idle{})
	if d.send(nil); !d.locked.IsShown() {
		t.Error("it did not lock afterwards")
	}
}

func TestLock_OnSuspend(t *testing.T) {
	v := &fakeVault{open: true}
	d := guarded(v, Options{})
	d.keys("ctrl+z")
	d.mustShow(t, "Lens is locked")
}

func TestLock_FailureIsReported(t *testing.T) {
	v := &fakeVault{open: true, stuck: errors.New("the keyring does not answer")}
	d := guarded(v, Options{})
	d.send(d.lock()())
	d.mustShow(t, "Lens is locked", "the keyring does")
}

func TestScreens_Lock(t *testing.T) {
	for _, size := range sizes {
		d := guarded(&fakeVault{}, Options{})
		d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		d.mustFill(t)
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) { golden.RequireEqual(t, d.screen()) })
		if size.h > leastHeight && !strings.Contains(d.screen(), "Lens is locked") {
			t.Errorf("%v:\n%s", size, d.screen())
		}
	}
}

func TestLock_NeedsAVault(t *testing.T) {
	explore(newFake(10), 100, 30).keys(": l o c k").mustShow(t, "No such command")
}

func TestBadges_LimitShowsUntilItEnds(t *testing.T) {
	e, writing := newFake(10), true
	archive := over(e)
	d := newDriver(Options{Archive: archive})
	archive.limit = func(context.Context) (string, string) {
		d.hold = writing // the next check
		if writing {
			return "read-only", "read-only: `lens import` (process 7) is writing to the archive"
		}
		return "", ""
	}
	d.start(120, 44)
	d.mustShow(t, "read-only · ", "process 7")
	d.keys("5").mustShow(t, "limits          read-only")
	d.mustNotShow(t, "process 7")
	writing = false
	e.turns = newFake(20).turns
	d.release()
	d.mustShow(t, "Writable again", "20 turns")
	d.mustNotShow(t, "read-only")
}

// An export that a lock overtakes neither copies a text of the archive nor shows one.
func TestLock_ExportsEndThere(t *testing.T) {
	write := writing(func(_ context.Context, w io.Writer, _ string, _ []uuid.UUID) error {
		_, err := io.WriteString(w, "a secret")
		return err
	})
	ssh := Terminal{Environ: []string{"TERM=xterm-256color", "SSH_TTY=/dev/pts/9"}}
	for _, keys := range []string{"|", "y t", "Y q u e s t i o n enter"} {
		d := guarded(&fakeVault{open: true}, Options{Export: write, Terminal: ssh}).search("cancel").keys("2")
		d.hold = true
		late := d.keys(keys).held
		d.hold, d.held = false, nil
		d.enqueue(d.lock())
		d.work()
		d.mustShow(t, "Lens is locked")
		began := false
		for _, cmd := range late {
			if msg := cmd(); msg != nil && strings.HasPrefix(fmt.Sprintf("%T", msg), "external.") {
				began = true
				_, next := d.Update(msg)
				for _, msg := range all(next) {
					t.Errorf("%s goes on with %T", keys, msg)
				}
			}
		}
		if !began {
			t.Errorf("%s does nothing, so the test proves nothing", keys)
		}
	}
}

// all returns what a command and those that it batches return.
func all(cmd tea.Cmd) (msgs []tea.Msg) {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			msgs = append(msgs, all(cmd)...)
		}
	default:
		msgs = append(msgs, msg)
	}
	return msgs
}

func TestLock_AtTheStartKeepsTheQuery(t *testing.T) {
	d := guarded(&fakeVault{}, Options{Settings: Settings{Query: "lentils"}})
	d.mustShow(t, "Lens is locked")
	d.keys("1 2 3 4 enter")
	d.mustShow(t, "/ lentils ", "Matches")
	d.search("apple").enqueue(d.lock())
	d.work()
	d.keys("1 2 3 4 enter")
	d.mustShow(t, "/ apple ")
}
