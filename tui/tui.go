// Package tui is the explorer, a terminal program for moving through time in an archive: a query, its histogram, the
// matches in view, the turn under the cursor, and a chat whose agent uses the same controls.
//
// The rules are:
//
//   - There is one Bubble Tea model, which routes messages. Components own their state and know nothing of each other.
//     Views are pure.
//   - Only commands call the engine and the agent: those of components, and commands.go. Update and View never block.
//   - Requests follow from the state after each message (chase.go). Superseded ones are canceled, and their late
//     results dropped.
//   - Every text from outside is cleaned before it enters the model, in sink.go or by the component that asked for it.
//   - The first frame is drawn before the archive is opened.
package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/external"
	"lens/tui/jobs"
	"lens/tui/lock"
	"lens/tui/reader"
)

// Engine is the part of retrieval.Engine that the explorer uses. See there for the contracts.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Browse(ctx context.Context, q query.Query, opts retrieval.BrowseOptions) (*retrieval.BrowseResult, error)
	Suggest(ctx context.Context, text string) (string, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
	Overview(ctx context.Context) (*retrieval.Overview, error)
	Models(ctx context.Context) ([]string, error)
	Tags(ctx context.Context) ([]string, error)
	CompleteTitle(ctx context.Context, begun string, limit int) ([]string, error)
}

// Archive is what is explored.
type Archive interface {
	// Open opens the archive. It is called after the first frame and must honor ctx. The caller closes what it opened
	// after Run has returned; Run waits for everything that it started.
	Open(ctx context.Context) (Engine, error)

	// Opening describes what Open is doing if that takes long, else returns "".
	Opening() string

	// Limit returns a badge for what limits changes to the opened archive ("read-only") and the reason, "" for no limit.
	// It is called again until there is no limit.
	Limit(ctx context.Context) (badge, why string)
}

// Options configures the explorer. Only Archive is required.
type Options struct {
	Archive Archive

	// Explain returns a message for the user and a hint, which may be empty. nil: the text of the error.
	Explain func(err error) (message, hint string)

	// MeaningHint says how to enable search by meaning when this share of the turns is embedded; "" if nothing is missing.
	MeaningHint func(embeddedShare float64) string

	Export external.Writer // writes turns; nil: they cannot be copied or saved

	Storage reader.Storage // has the data of turns that Engine.Turn cannot read; nil: it cannot be shown

	// Jobs change the archive in the background; nil: unavailable. After each, the archive is read again, and opened if
	// it did not exist before. Upkeep runs by itself.
	Jobs jobs.Archive

	// Sessions saves the state for the next run; nil: it is not saved.
	Sessions Sessions

	// Chat is the chat model. The zero value means there is none.
	Chat Chat

	// Search is the offline retriever; nil: there is none.
	Search OfflineSearch

	// Vault locks and unlocks the archive; nil: it is not encrypted. LockAfter is the idle time until it is locked, 0
	// for never. Locked receives a value whenever the archive was locked, by any process; it may be nil.
	Vault     lock.Vault
	LockAfter time.Duration
	Locked    <-chan struct{}

	Offline bool // nothing outside this machine is contacted; shown as a badge

	Keys map[string][]string // keys for commands, see keymap.remap

	Zone  *time.Location // the local time zone; nil: time.Local
	Place string         // the location of the archive, for display
	Query string         // the initial query
	Log   string         // the path of the log, for display; "": none
	TopK  int            // matches a query, 1..1000; 0: 400
	Theme string         // dark, light, mono, ascii; "": chosen from terminal and environment
	FPS   int            // frames a second, at most 120; 0: 120

	Input   io.Reader // nil: the terminal
	Output  io.Writer // nil: the terminal
	Environ []string  // nil: os.Environ()

	program []tea.ProgramOption // for tests, whose terminal has no size
	pace    *pace               // for tests; nil: defaultPace
}

// defaultTopK is the default of Options.TopK.
const defaultTopK = 400

// defaultFPS is the default of Options.FPS. A key waits for the next frame: 4 ms on average.
const defaultFPS = 120

// patience is how long Run waits at exit for commands that ignore cancellation.
const patience = 2 * time.Second

// Run shows the explorer until the user quits. Errors: one that wraps ctx's when ctx ends, unavailable for a
// terminal that cannot show it, invalid for Options.Keys.
func Run(ctx context.Context, opts Options) error {
	if opts.Environ == nil {
		opts.Environ = os.Environ()
	}
	env := tea.EnvMsg(opts.Environ)
	if env.Getenv("TERM") == "dumb" {
		return &errs.Error{
			Code: errs.Unavailable, Op: "tui: run", Message: "this terminal cannot show the explorer",
			Hint: "use lens --plain",
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, opts)
	keys := binder{m}.keymap()
	if err := keys.remap(opts.Keys); err != nil {
		return &errs.Error{
			Code: errs.Invalid, Op: "tui: run",
			Message: "cannot read keys.yaml: " + strings.ReplaceAll(err.Error(), "\n", "; "),
			Hint:    "fix keys.yaml in the configuration folder, or delete it",
		}
	}
	_, err := tea.NewProgram(m, programOptions(ctx, opts, env)...).Run()
	cancel()
	m.ui.Tasks.End(patience)
	err = errors.Join(err, m.chat.End())
	if m.keepsSession() {
		err = errors.Join(err, opts.Sessions.Save(m.session()))
	}
	if err != nil {
		return fmt.Errorf("cannot run the explorer: %w", err)
	}
	return nil
}

func programOptions(ctx context.Context, opts Options, env tea.EnvMsg) []tea.ProgramOption {
	// The caller handles signals and ends ctx. Bubble Tea's own handler would then wait for a loop that has already ended.
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithEnvironment(opts.Environ),
		tea.WithFPS(cmp.Or(opts.FPS, defaultFPS)),
		tea.WithoutSignalHandler(),
	}
	if opts.Input != nil {
		options = append(options, tea.WithInput(opts.Input))
	}
	if opts.Output != nil {
		options = append(options, tea.WithOutput(opts.Output))
	}
	if env.Getenv("NO_COLOR") != "" { // Bubble Tea honors only values that strconv.ParseBool accepts
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return append(options, opts.program...)
}
