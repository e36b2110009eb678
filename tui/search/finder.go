package search

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/lru"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Engine is what finds turns. See retrieval.Engine for the contracts.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Browse(ctx context.Context, q query.Query, opts retrieval.BrowseOptions) (*retrieval.BrowseResult, error)
	Suggest(ctx context.Context, text string) (string, error)
}

// Options configures a Finder.
type Options struct {
	TopK   int           // matches a query, 1..1000
	Typing time.Duration // before a search, for the next letter
	Aside  time.Duration // before a search, for the frame that shows the key press
	Shown  time.Duration // before it is said that the rest of a result is read
}

// cached is how many results and suggestions are kept.
const cached = 32

// Finder asks the engine for what is wanted, and keeps the results. It shows at once what it knows: the result, else
// the nearest one, else the previous one.
type Finder struct {
	ui     *ui.Context
	opts   Options
	engine Engine // nil: not open yet

	wanted  Wanted
	found   Result // what is shown; may answer an older query
	results lru.Cache[Key, Result]
	failure ui.Failure
	noticed bool // the last whole result had a notice

	peek   async.Latest[Key]
	rest   async.Latest[Key]     // the whole result, after a partial one or one that lists the best matches only
	beyond async.Latest[Key]     // all time, beside a window
	more   async.Latest[moreKey] // the next turns, once the cursor is near the end of the list

	spelling spelling
	pins     Pins
}

// NewFinder returns a finder that has found nothing.
func NewFinder(c *ui.Context, opts Options) *Finder {
	f := &Finder{ui: c, opts: opts, results: lru.Cache[Key, Result]{Limit: cached}, spelling: newSpelling()}
	f.pins.finder = f
	return f
}

// SetEngine gives it the opened archive.
func (f *Finder) SetEngine(engine Engine) { f.engine = engine }

// Wanted is what the screen needs.
type Wanted struct {
	Key              // the query, and the window to search
	Words  string    // of the query, to suggest another spelling
	View   zoom.Span // the part of the window that is in view
	All    bool      // the whole archive is in view
	Bin    string    // the bins in view, whose peaks the search explains; see query.Query
	Typing bool      // the query is being typed, so that a search waits for the next letter
}

// everywhere returns the same search of all time.
func (w Wanted) everywhere() Key {
	key := w.Key
	key.Window = zoom.Span{}
	return key
}

// Want changes what is wanted, and shows what is known of it.
func (f *Finder) Want(w Wanted) {
	f.wanted = w
	if f.engine == nil {
		return
	}
	if known, ok := f.results.Get(w.Key); ok {
		f.failure = ui.Failure{}
		f.peek.Forget()
		f.show(known)
		return
	}
	f.rest.Forget()
	f.show(f.nearest())
}

func (f *Finder) show(r Result) {
	f.found = r
	if f.IsComplete() {
		f.noticed = f.Notice() != ""
	}
}

// nearest returns the known result of the same query in the smallest window around the view, else what is shown.
func (f *Finder) nearest() Result {
	best, view := f.found, f.wanted.View
	for _, known := range slices.Backward(f.results.Values()) {
		if known.Search != f.wanted.Search || !covers(known.Window, view) {
			continue
		}
		if best.Search != f.wanted.Search || !covers(best.Window, view) || covers(best.Window, known.Window) {
			best = known
		}
	}
	return best
}

// covers is Span.Covers for windows: the zero window is all time.
func covers(window, inner zoom.Span) bool {
	return window == zoom.Span{} || inner != zoom.Span{} && window.Covers(inner)
}

// keep caches a result and drops those from when fewer turns were embedded, which would be different now.
func (f *Finder) keep(r Result) {
	if r.Peek != nil {
		f.results.Drop(func(known Result) bool {
			if known.Peek == nil {
				return false
			}
			embedded := known.Peek.Coverage.Embedded
			return 0 < embedded && embedded < r.Peek.Coverage.Embedded
		})
	}
	f.results.Put(r.Key, r)
}

// Found returns the result to show.
func (f *Finder) Found() Result { return f.found }

// Failure returns why the latest search failed, the zero value if it did not.
func (f *Finder) Failure() ui.Failure { return f.failure }

// IsStale reports whether the result answers an older query.
func (f *Finder) IsStale() bool { return f.found.Peek != nil && f.found.Search != f.wanted.Search }

// IsCurrent reports whether the result answers what is wanted, in part at least.
func (f *Finder) IsCurrent() bool { return f.found.Peek != nil && f.found.Key == f.wanted.Key }

// IsFinal reports whether the result will not be replaced by one that finds more: all texts that decide were read, or
// reading the rest has failed or was canceled.
func (f *Finder) IsFinal() bool { return !f.found.IsPartial() || f.isRestOver() }

// IsListed reports whether the result will list no more matches: it is final, and lists all that were counted or as
// many as it does while one types, or listing the others has failed or was canceled.
func (f *Finder) IsListed() bool {
	return f.IsFinal() && (!f.found.isShort() || f.wanted.Typing || f.isRestOver())
}

// isRestOver reports whether the rest of the result was requested and is no longer awaited.
func (f *Finder) isRestOver() bool { return f.rest.Key() == f.found.Key && !f.rest.IsBusy() }

// IsComplete reports whether the result is the final one of what is wanted.
func (f *Finder) IsComplete() bool { return f.IsCurrent() && f.IsFinal() }

// IsReadingRest reports whether the rest of a partial result is requested.
func (f *Finder) IsReadingRest() bool { return f.rest.IsBusy() && f.found.IsPartial() }

// IsListingAll reports whether the matches beyond the best ones of a result are requested.
func (f *Finder) IsListingAll() bool { return f.rest.IsBusy() && !f.found.IsPartial() }

// IsListingMore reports whether the next turns of a list without a query are requested.
func (f *Finder) IsListingMore() bool { return f.more.IsBusy() }

// IsBusy reports whether the wanted result is requested.
func (f *Finder) IsBusy() bool { return f.peek.IsBusy() }

// Waiting returns how long the visible request has taken, 0 for none.
func (f *Finder) Waiting() time.Duration {
	now := f.ui.Now()
	return max(f.peek.Waiting(now), f.rest.Waiting(now), f.more.Waiting(now))
}

// Stop cancels all requests and reports whether there was one.
func (f *Finder) Stop() (stopped bool) {
	for _, r := range f.inProgress() {
		stopped = r.Stop() || stopped
	}
	return stopped
}

// request is an async.Latest of any key.
type request interface {
	Stop() bool
	Forget()
}

// inProgress returns all requests that may be in progress.
func (f *Finder) inProgress() []request {
	all := []request{&f.peek, &f.rest, &f.beyond, &f.more, &f.spelling.asked}
	for i := range f.pins.asked {
		all = append(all, &f.pins.asked[i])
	}
	return all
}

// Retry repeats what has failed or was canceled.
func (f *Finder) Retry() {
	f.failure = ui.Failure{}
	for _, r := range f.inProgress() {
		r.Forget()
	}
}

// Reload drops all results, so that they are requested again. What is shown stays until then.
func (f *Finder) Reload() {
	f.Retry()
	f.results.Clear()
	f.spelling.known.Clear()
}

// Elsewhere returns how many matches all time has, and whether these are only the least; false while that is unknown.
func (f *Finder) Elsewhere() (n int, more, known bool) {
	all, ok := f.results.Get(f.wanted.everywhere())
	if !ok {
		return 0, false, false
	}
	n = all.Peek.Histogram.Total
	if n == 0 {
		return 0, false, !all.IsPartial()
	}
	return n, all.Peek.Coverage.Truncated || all.IsPartial(), true
}

// Best returns how many of the best matches of all time are in the window of the result that is shown, and how many
// those are; false where all time has no others, or that is unknown.
func (f *Finder) Best() (n, of int, known bool) {
	if f.found.Window == (zoom.Span{}) || !f.IsCurrent() {
		return 0, 0, false
	}
	all, ok := f.results.Get(f.wanted.everywhere())
	if !ok || !all.Peek.Coverage.Truncated || all.IsPartial() {
		return 0, 0, false
	}
	return len(f.found.Window.Of(all.Peek.Times)), all.Peek.Histogram.Total, true
}

// Holding returns how many turns of all time have all words of the query, 0 while that is unknown.
func (f *Finder) Holding() int {
	all, ok := f.results.Get(f.wanted.everywhere())
	if !ok || all.Peek.Occurrences == nil || all.IsPartial() {
		return 0
	}
	return all.Peek.Occurrences.Total
}

// byWordsOnly begins the sentence of a notice that says why a search fell back on words.
const byWordsOnly = "By words only"

// Notice returns what the search could not do as asked, except searching by meaning; "" for nothing. That the archive
// hardly speaks of the query is said where the matches are, and so is what its language leaves out.
func (f *Finder) Notice() string {
	if f.found.Peek == nil {
		return ""
	}
	if !f.IsFinal() {
		return f.restNotice()
	}
	notice := f.found.Peek.Notice
	if strings.HasPrefix(notice, byWordsOnly) {
		_, notice, _ = strings.Cut(notice, ". ")
	}
	notice, _ = strings.CutSuffix(notice, f.found.Peek.HardlySpeaks())
	notice, _ = strings.CutSuffix(strings.TrimSpace(notice), f.found.Peek.Language)
	return strings.TrimSpace(notice)
}

// restNotice says that the rest is read. A line that was not there before waits until that takes long, since it would
// move the panes.
func (f *Finder) restNotice() string {
	if !f.noticed && f.rest.Waiting(f.ui.Now()) < max(time.Nanosecond, f.opts.Shown) {
		return ""
	}
	return "Reading the rest" + f.ui.Theme.Glyphs.Ellipsis
}

// FellBack returns why the search by meaning fell back on words, "" if it did not or that is not known.
func (f *Finder) FellBack() string {
	if p := f.found.Peek; p != nil && strings.HasPrefix(p.Notice, byWordsOnly) {
		return p.Notice
	}
	return ""
}

// Conversation returns the conversation of a match, uuid.Nil if the turn is not among the results.
func (f *Finder) Conversation(turn uuid.UUID) uuid.UUID {
	if match, _ := f.Match(turn); match != nil {
		return match.Conversation
	}
	return uuid.Nil
}

// Match returns a match and its rank from 1, nil if the turn is not among the results.
func (f *Finder) Match(turn uuid.UUID) (match *retrieval.Match, rank int) {
	if f.found.Peek == nil {
		return nil, 0
	}
	for i := range f.found.Peek.Matches {
		if match := &f.found.Peek.Matches[i]; match.TurnID == turn {
			return match, i + 1
		}
	}
	return nil, 0
}

// Title returns the title of a conversation that is among the results, "" for any other.
func (f *Finder) Title(conversation uuid.UUID) string {
	if f.found.Peek == nil {
		return ""
	}
	for i := range f.found.Peek.Matches {
		if match := &f.found.Peek.Matches[i]; match.Conversation == conversation {
			return match.Title
		}
	}
	return ""
}

// Dates returns the dates near which turns rank higher, as the query of the latest results has them; "" for none.
func (f *Finder) Dates() string {
	if f.found.Peek == nil || f.found.Peek.Dates == nil {
		return ""
	}
	return f.found.Peek.Dates.Text
}

// Titles returns the titles of the latest results, those on the screen first.
func (f *Finder) Titles() []string {
	var all []string
	known := map[string]bool{"": true}
	add := func(title string) {
		if key := strings.ToLower(title); !known[key] {
			known[key] = true
			all = append(all, title)
		}
	}
	for _, found := range append([]Result{f.found}, f.results.Values()...) {
		if found.Peek == nil {
			continue
		}
		for _, t := range found.Peek.Titles {
			add(t.Title)
		}
		for i := range found.Peek.Matches {
			add(found.Peek.Matches[i].Title)
		}
	}
	return all
}

// Requests asks for what is wanted and not known. listed is how many matches are in view. Without a query, at least
// turns are listed, if there are as many.
func (f *Finder) Requests(listed, turns int) tea.Cmd {
	if f.engine == nil {
		return nil
	}
	return tea.Batch(
		f.requestWanted(),
		f.requestRest(),
		f.requestBeyond(listed),
		f.requestMore(turns),
		f.pins.requests(),
		f.requestSpelling(listed),
	)
}

func (f *Finder) requestWanted() tea.Cmd {
	key := f.wanted.Key
	if _, ok := f.results.Get(key); ok {
		return nil
	}
	ctx, number, ok := f.peek.Ask(f.ui.Ctx, key, f.ui.Now())
	if !ok {
		return nil
	}
	f.failure = ui.Failure{}
	deliver := func(r Result, err error) tea.Msg { return foundMsg{number, r, err} }
	return f.find(ctx, key, true, f.listsMore(), f.pause(), deliver)
}

// listsMore reports whether more than the best matches of the wanted search show. The next result lists as many at
// once, since the cursor may be on one of them.
func (f *Finder) listsMore() bool {
	return f.found.Search == f.wanted.Search && f.found.IsSomething() && f.found.Peek != nil &&
		len(f.found.Peek.Matches) > query.MaxSnippets
}

// pause returns how long a search waits for what may supersede it.
func (f *Finder) pause() time.Duration {
	switch {
	case f.wanted.Typing:
		return f.opts.Typing
	case f.found.Peek != nil: // older results show meanwhile
		return f.opts.Aside
	}
	return 0
}

// requestRest searches again for a result that is shown: for a partial one now in all texts, and for one that lists the
// best matches, after typing, for all that were counted.
func (f *Finder) requestRest() tea.Cmd {
	known, ok := f.results.Get(f.wanted.Key)
	if !ok || !known.IsPartial() && (f.wanted.Typing || !known.isShort()) {
		f.rest.Forget()
		return nil
	}
	ctx, number, ok := f.rest.Ask(f.ui.Ctx, known.Key, f.ui.Now())
	if !ok {
		return nil
	}
	deliver := func(r Result, err error) tea.Msg { return restMsg{number, r, err} }
	return f.find(ctx, known.Key, false, true, f.pause(), deliver)
}

// requestBeyond searches all time beside a window: for how many matches that has and, while one types or without a
// query, only where the window has no match, or none with a word of the query.
func (f *Finder) requestBeyond(listed int) tea.Cmd {
	key := f.wanted.everywhere()
	known, ok := f.results.Get(key)
	counts := !f.wanted.Typing && key.IsSomething()
	if f.found.Key == key || !f.IsComplete() || !counts && listed > 0 && !f.found.Peek.OnlyNear() ||
		ok && !known.IsPartial() {
		f.beyond.Forget()
		return nil
	}
	ctx, number, ok := f.beyond.Ask(f.ui.Ctx, key, f.ui.Now())
	if !ok {
		return nil
	}
	deliver := func(r Result, err error) tea.Msg { return beyondMsg{number, r, err} }
	return f.find(ctx, key, false, false, f.opts.Typing, deliver)
}

// The results of searches, each with the number of its request.
type (
	foundMsg struct {
		number int
		result Result
		err    error
	}
	restMsg   foundMsg
	beyondMsg foundMsg // its errors are ignored
)

// Update takes the results of requests.
func (f *Finder) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foundMsg:
		switch {
		case !f.peek.Accept(msg.number):
		case msg.err != nil:
			f.failure = f.ui.Fail(msg.result.Doing(), msg.err)
		default:
			f.keep(msg.result)
		}
	case restMsg: // a result that cannot be completed stays
		switch {
		case !f.rest.Accept(msg.number):
		case msg.err != nil && !f.found.IsPartial():
			f.ui.Post(ui.Failed{Doing: "listing all matches", Said: "Couldn't list all matches", Err: msg.err})
		case msg.err != nil:
			f.ui.Post(ui.Failed{Doing: "reading the rest", Said: "Couldn't read the rest", Err: msg.err})
		default:
			f.keep(msg.result)
		}
	case beyondMsg:
		if f.beyond.Accept(msg.number) && msg.err == nil {
			f.keep(msg.result)
		}
	case moreMsg:
		switch {
		case !f.more.Accept(msg.number):
		case msg.err != nil:
			f.ui.Post(ui.Failed{Doing: "listing more turns", Said: "Couldn't list more turns", Err: msg.err})
		default:
			f.keep(msg.result)
		}
	case pinnedMsg:
		f.pins.handle(msg)
	case suggestedMsg:
		f.spelling.handle(msg)
	}
	return nil
}
