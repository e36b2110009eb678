// Package archive opens the archive that is explored, surveys it, and watches what limits changes to it.
package archive

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
)

// Engine is what surveys an archive. See retrieval.Engine for the contracts.
type Engine interface {
	Overview(ctx context.Context) (*retrieval.Overview, error)
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
}

// Opener is an archive that can be opened.
type Opener[E Engine] interface {
	// Open opens the archive. It is called after the first frame and must honor ctx. The caller closes what it opened
	// after the explorer has ended, which waits for everything that it started.
	Open(ctx context.Context) (E, error)

	// Opening describes what Open is doing if that takes long, else returns "".
	Opening() string

	// Warm makes the first search as fast as the second. It is called once after Open, when nothing urgent is left to do.
	Warm(ctx context.Context)

	// Limit returns a badge for what limits changes to the opened archive ("read-only") and the reason, "" for no limit.
	// It is called again until there is no limit.
	Limit(ctx context.Context) (badge, why string)
}

// Options configures an Archive.
type Options[E Engine] struct {
	Opener Opener[E]
	First  time.Duration // before Warm and before limits are checked, which gives urgent requests precedence
	Again  time.Duration // between checks of a limit
}

// Messages that an Archive posts.
type (
	// Opened has the engine of the opened archive.
	Opened[E Engine] struct{ Engine E }
	// Surveyed has the size of the archive, and its turns by day.
	Surveyed struct {
		Overview *retrieval.Overview
		Days     retrieval.Histogram
		Again    bool // it has been surveyed before, and had turns
	}
	// Changed says that somebody else may have changed the archive.
	Changed struct{}
)

// Archive opens an archive and surveys it.
type Archive[E Engine] struct {
	ui   *ui.Context
	opts Options[E]

	engine   E
	isOpen   bool
	missing  bool // there is none yet
	overview *retrieval.Overview
	looked   time.Time // for a model that has embedded turns meanwhile
	limit    string
	failure  ui.Failure

	opening  async.Latest[bool]
	survey   async.Latest[bool]
	checking async.Latest[bool] // what limits changes; Stop leaves it alone
}

// New returns an archive that is not open yet.
func New[E Engine](c *ui.Context, opts Options[E]) *Archive[E] { return &Archive[E]{ui: c, opts: opts} }

// IsOpen reports whether it is open.
func (a *Archive[E]) IsOpen() bool { return a.isOpen }

// IsEmpty reports whether it is known to be empty or missing.
func (a *Archive[E]) IsEmpty() bool {
	if !a.isOpen {
		return a.missing
	}
	return a.overview != nil && a.overview.Turns == 0
}

// Overview returns its size, nil if that is not known yet.
func (a *Archive[E]) Overview() *retrieval.Overview { return a.overview }

// Limit returns what limits changes: "read-only"; "" for nothing.
func (a *Archive[E]) Limit() string { return a.limit }

// Failure returns why it could not be opened or surveyed, the zero value if it could.
func (a *Archive[E]) Failure() ui.Failure { return a.failure }

// Opening describes what happens until it is open.
func (a *Archive[E]) Opening() string {
	if doing := ui.Line(a.opts.Opener.Opening()); doing != "" {
		return doing
	}
	return "opening the archive"
}

// Waiting returns how long opening or surveying has taken, 0 for neither.
func (a *Archive[E]) Waiting() time.Duration {
	now := a.ui.Now()
	return max(a.opening.Waiting(now), a.survey.Waiting(now))
}

// Stop cancels its requests and reports whether there was one.
func (a *Archive[E]) Stop() bool {
	opening, survey := a.opening.Stop(), a.survey.Stop()
	return opening || survey
}

// Retry repeats what has failed or was canceled.
func (a *Archive[E]) Retry() {
	a.failure = ui.Failure{}
	a.opening.Forget()
	if a.overview == nil {
		a.survey.Forget()
	}
}

// Reload surveys it again, or opens it if it did not exist.
func (a *Archive[E]) Reload() {
	a.failure, a.missing = ui.Failure{}, false
	a.opening.Forget()
	a.survey.Forget()
}

// LookForModel surveys it again if nothing was embedded: that may have been done meanwhile. It does so at most once in
// lookAgain, since a survey of a large archive takes what the first letters of a query need.
func (a *Archive[E]) LookForModel() {
	now := a.ui.Now()
	if a.overview != nil && a.overview.Model == "" && now.Sub(a.looked) >= lookAgain {
		a.looked = now
		a.survey.Forget()
	}
}

const lookAgain = 10 * time.Second

// openedMsg delivers the engine.
type openedMsg[E Engine] struct {
	number int
	engine E
	err    error
}

// surveyedMsg delivers a survey.
type surveyedMsg struct {
	number   int
	overview *retrieval.Overview
	days     *retrieval.Activity
	err      error
}

// limitMsg reports what limits changes; badge and why are empty when nothing does.
type limitMsg struct {
	number     int
	badge, why string
}

// Requests opens the archive, then surveys it.
func (a *Archive[E]) Requests() tea.Cmd {
	if !a.isOpen {
		ctx, number, ok := a.opening.Ask(a.ui.Ctx, true, a.ui.Now())
		if !ok {
			return nil
		}
		open := a.opts.Opener.Open
		return a.ui.Tasks.Command(func() tea.Msg {
			engine, err := open(ctx)
			if ctx.Err() != nil {
				return nil
			}
			return openedMsg[E]{number, engine, err}
		})
	}
	ctx, number, ok := a.survey.Ask(a.ui.Ctx, true, a.ui.Now())
	if !ok {
		return nil
	}
	engine := a.engine
	return a.ui.Tasks.Command(func() tea.Msg {
		overview, err := engine.Overview(ctx)
		var days *retrieval.Activity
		if err == nil {
			days, err = engine.Activity(ctx, query.Query{Bin: "day"})
		}
		if ctx.Err() != nil {
			return nil
		}
		return surveyedMsg{number, overview, days, err}
	})
}

// checkLimit checks for limits after a pause.
func (a *Archive[E]) checkLimit(pause time.Duration) tea.Cmd {
	a.checking.Forget()
	ctx, number, _ := a.checking.Ask(a.ui.Ctx, true, a.ui.Now())
	limit := a.opts.Opener.Limit
	return a.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		badge, why := limit(ctx)
		return limitMsg{number, badge, why}
	})
}

// Update takes the results of requests.
func (a *Archive[E]) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case openedMsg[E]:
		return a.handleOpened(msg)
	case surveyedMsg:
		a.handleSurveyed(msg)
	case limitMsg:
		return a.handleLimit(msg)
	}
	return nil
}

func (a *Archive[E]) handleOpened(msg openedMsg[E]) tea.Cmd {
	if !a.opening.Accept(msg.number) {
		return nil
	}
	if known, ok := errors.AsType[*errs.Error](msg.err); ok && known.Code == errs.NotFound {
		a.missing = true // not created yet, which is not an error
		return nil
	}
	if msg.err != nil {
		a.failure = a.ui.Fail("opening the archive", msg.err)
		return nil
	}
	a.engine, a.isOpen = msg.engine, true
	a.ui.Post(Opened[E]{msg.engine})
	return tea.Batch(a.checkLimit(a.opts.First), a.warm())
}

// warm makes the first search fast after a pause, unless the archive is locked meanwhile.
func (a *Archive[E]) warm() tea.Cmd {
	ctx, pause, warm := a.ui.Ctx, a.opts.First, a.opts.Opener.Warm
	return a.ui.Tasks.Command(func() tea.Msg {
		if async.Wait(ctx, pause) {
			warm(ctx)
		}
		return nil
	})
}

func (a *Archive[E]) handleSurveyed(msg surveyedMsg) {
	switch {
	case !a.survey.Accept(msg.number):
	case msg.err != nil:
		a.failure = a.ui.Fail("reading the archive", msg.err)
	default:
		again := a.overview != nil && a.overview.Turns > 0
		a.overview, a.failure = msg.overview, ui.Failure{}
		a.ui.Post(Surveyed{msg.overview, msg.days.Histogram, again})
	}
}

// handleLimit reports a new limit once and keeps checking until it is gone. By then somebody else may have changed the
// archive.
func (a *Archive[E]) handleLimit(msg limitMsg) tea.Cmd {
	if !a.checking.Accept(msg.number) {
		return nil
	}
	before := a.limit
	switch a.limit = ui.Line(msg.badge); {
	case a.limit == "" && before != "":
		a.ui.Post(ui.Notify("Writable again"))
		a.ui.Post(Changed{})
	case a.limit != "" && before == "":
		a.ui.Post(ui.Notify(ui.Line(msg.why)))
	}
	if a.limit == "" {
		return nil
	}
	return a.checkLimit(a.opts.Again)
}
