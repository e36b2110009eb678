// Package tui is the explorer: one screen on which time is something that one moves through. A query, its histogram, the matches in
// view, the turn under the cursor, and a chat whose agent moves the same controls.
//
// The rules are:
//
//   - There is one Bubble Tea model. Panes are plain structs whose views are pure; the root routes messages and owns all state.
//   - Only commands.go touches the engine, and chatcmd.go the agent. Nothing that can take long happens in Update or View.
//   - What is wanted is derived from the state after each message (chase.go); what is no longer wanted is cancelled, and its late
//     answer ignored.
//   - Every text from outside is cleaned in sink.go, where it enters the model.
//   - The first frame is painted before the archive is opened.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/google/uuid"

	"lens/retrieval"
)

// Engine is what the explorer asks; retrieval.Engine says what each method promises.
type Engine interface {
	Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error)
	Like(ctx context.Context, prefix string, opts retrieval.PeekOptions) (*retrieval.Peek, error)
	Browse(ctx context.Context, opts retrieval.BrowseOptions) (*retrieval.BrowseResult, error)
	Suggest(ctx context.Context, query string) (string, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error)
	Overview(ctx context.Context) (*retrieval.Overview, error)
}

// Options says what to explore and how. Open is required, the zero values of the others are usable.
type Options struct {
	// Open opens the archive. It is called once the first frame is on the screen, and honours ctx. Whoever passes it closes what it
	// opened, after Run has returned: Run waits for everything that it has started.
	Open func(ctx context.Context) (Engine, error)

	// Doing is what Open says it does that takes long, "" for nothing; nil: it says nothing.
	Doing func() string

	// Explain says what an error means to a person: one sentence, and the next step or "". nil: the error's own text.
	Explain func(err error) (message, hint string)

	// MeaningHint says what to do to search by meaning, when this share of the turns is embedded; "" when nothing is missing.
	MeaningHint func(embeddedShare float64) string

	// Write writes turns as markdown, clean enough for a terminal. nil: nothing can be copied or written.
	Write func(ctx context.Context, w io.Writer, turns []uuid.UUID) error

	// Stored returns what the archive holds of a turn that Engine.Turn cannot read, a JSON document a line. Of what could be read before
	// an error it returns both. conversation may be uuid.Nil. nil: nothing can be shown.
	Stored func(ctx context.Context, conversation, turn uuid.UUID) (string, error)

	// Import is the work of importing the export at a path, Embed that of giving every turn a vector with a built-in model; nil: it
	// cannot be done here. When either has ended the archive is looked at anew, by Open where it was not there before.
	Import func(path string) Work
	Embed  *Work

	// Session is what was kept of the run before; nil: nothing. Keep keeps one, now and then and at the end; nil: none is kept.
	Session *Session
	Keep    func(Session) error

	// Chat is the model that investigates; its zero value is none.
	Chat Chat

	// Search is the offline retriever; its zero value is none.
	Search OfflineSearch

	// Vault guards the archive, and LockAfter is how long nobody presses a key until it is locked, 0 for never; nil: it is not guarded.
	// Locked tells whenever it was locked by anybody; nil: it does not.
	Vault     Vault
	LockAfter time.Duration
	Locked    <-chan struct{}

	// Aside finds out what limits what can be done with the archive that Open has opened ("read only"), and why, "" for nothing. What is
	// limited is asked about again until it is not.
	Aside func(ctx context.Context) (badge, why string)

	Offline bool // nothing beyond this machine is asked; said in the first line

	Keys map[string][]string // other keys for commands, as a file of keys says it: see keymap.remap

	Zone    *time.Location // of the clock of this machine; nil: time.Local
	Archive string         // where the archive is, as shown to a person
	Query   string         // to begin with
	Log     string         // the path of the log, likewise; "": there is none
	TopK    int            // matches a query is counted by, 1..1000; 0: 400
	Theme   string         // dark, light, mono, ascii; "": what the terminal and the environment suggest
	FPS     int            // frames a second as long as things move, at most 120; 0: 60

	Input   io.Reader // nil: the terminal
	Output  io.Writer // nil: the terminal
	Environ []string  // nil: os.Environ()

	program []tea.ProgramOption // of tests, whose terminal has no size of its own
}

// defaultTopK is how many matches a histogram counts by default.
const defaultTopK = 400

// patience is how long Run waits, after the screen is restored, for commands that ignore that they were cancelled.
const patience = 2 * time.Second

// DumbTerminalError says that the terminal cannot show the explorer.
type DumbTerminalError struct{ Term string }

func (e *DumbTerminalError) Error() string {
	return fmt.Sprintf("terminal type %q cannot show the explorer; use lens --plain", e.Term)
}

// ErrorCode returns "unavailable".
func (e *DumbTerminalError) ErrorCode() string { return "unavailable" }

// KeysError says what is wrong with Options.Keys.
type KeysError struct{ Err error }

func (e *KeysError) Error() string { return "invalid keys: " + e.Err.Error() }
func (e *KeysError) Unwrap() error { return e.Err }

// Run shows the explorer until it is quit. It returns an error that wraps ctx's when ctx ended it, and *DumbTerminalError for a terminal that can do nothing.
func Run(ctx context.Context, opts Options) error {
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	env := tea.EnvMsg(opts.Environ)
	if env.Getenv("TERM") == "dumb" {
		return &DumbTerminalError{Term: "dumb"}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, opts)
	if err := m.keys.remap(opts.Keys); err != nil {
		return &KeysError{err}
	}
	m.beat.program = tea.NewProgram(m, programOptions(ctx, opts, env)...)
	_, err := m.beat.program.Run()
	cancel()
	m.crew.dismiss(patience)
	err = errors.Join(err, m.endTalk())
	if opts.Keep != nil && m.overview != nil {
		err = errors.Join(err, opts.Keep(m.session()))
	}
	if err != nil {
		return fmt.Errorf("cannot run the explorer: %w", err)
	}
	return nil
}

func programOptions(ctx context.Context, opts Options, env tea.EnvMsg) []tea.ProgramOption {
	// Signals are the caller's, who ends ctx: where both listen, Bubble Tea's handler waits for a loop that has ended already.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithEnvironment(opts.Environ), tea.WithFPS(opts.FPS), tea.WithoutSignalHandler()}
	if opts.Input != nil {
		options = append(options, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		options = append(options, tea.WithOutput(opts.Output))
	}
	if env.Getenv("NO_COLOR") != "" { // Bubble Tea takes only what strconv.ParseBool does
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return append(options, opts.program...)
}
