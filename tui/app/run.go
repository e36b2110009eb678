// Package app is the explorer, a terminal program for moving through time in an archive: a query, its histogram, the
// matches in view, the turn under the cursor, and a chat whose agent uses the same controls.
//
// The rules are:
//
//   - There is one Bubble Tea model, which routes messages. Components own their state and know nothing of each other.
//     Views are pure.
//   - Only commands call the engine and the agent: those of components. Update and View never block.
//   - Requests follow from the state after each message (settle.go). Superseded ones are canceled, and their late
//     results dropped.
//   - Every text from outside is cleaned by the component that asked for it, before it is kept.
//   - The first frame is drawn before the archive is opened.
package app

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
	"lens/tui/archive"
	"lens/tui/conversations"
	"lens/tui/external"
	"lens/tui/home"
	"lens/tui/lock"
	"lens/tui/reader"
	"lens/tui/ui"
)

// Engine is the part of retrieval.Engine that the explorer uses. See there for the contracts.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Browse(ctx context.Context, q query.Query, opts retrieval.BrowseOptions) (*retrieval.BrowseResult, error)
	Suggest(ctx context.Context, text string) (string, error)
	reader.Source
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
	Overview(ctx context.Context) (*retrieval.Overview, error)
	Sources(ctx context.Context) ([]string, error)
	Kinds(ctx context.Context) ([]string, error)
	Models(ctx context.Context) ([]string, error)
	Tags(ctx context.Context) ([]string, error)
	TopicNames(ctx context.Context) ([]string, error)
	CompleteTitle(ctx context.Context, begun string, limit int) ([]string, error)
	home.Source
	conversations.Source
}

// Archive is what is explored.
type Archive = archive.Opener[Engine]

// Options configures the explorer. Only Archive is required.
type Options struct {
	Archive Archive
	Storage reader.Storage  // the data of turns that Engine.Turn cannot read; nil: it cannot be shown
	Export  external.Writer // nil: turns cannot be copied or saved

	// Jobs change the archive in the background; nil: unavailable. After each, the archive is read again, and opened if
	// it did not exist before. Upkeep runs by itself.
	Jobs Jobs

	// Look looks for chats on this machine, to offer them while the archive is empty; nil: nothing is looked for.
	Look func(context.Context) ([]Found, error)

	// Servers describes the model servers of this machine that are not used yet, while the archive is empty; nil: none
	// is looked for.
	Servers func(context.Context) []string

	// Topics makes the topics of the archive, unless they are known; nil: those that are kept with it are shown.
	Topics func(context.Context) error

	Sessions Sessions      // saves the state for the next run; nil: it is not saved
	Chat     Chat          // the chat model; the zero value means there is none
	Search   OfflineSearch // the offline retriever; nil: there is none

	// Explain returns a message for the user and a hint, which may be empty. nil: the text of the error.
	Explain func(err error) (message, hint string)

	// MeaningHint says how to enable search by meaning when this share of the turns is embedded; "" if nothing is
	// missing. It may be nil.
	MeaningHint func(embeddedShare float64) string

	Lock     Lock
	Offline  bool // nothing outside this machine is contacted; shown as a badge
	Paranoid bool // no other program is handed an address either
	Paths    Paths
	Settings Settings
	Terminal Terminal

	tests tests
}

// Lock says how the archive is locked. The zero value is for one that is not encrypted.
type Lock = lock.Options

// Paths are shown, not opened.
type Paths struct {
	Archive string
	Log     string // "": none
}

// Settings are what the user has chosen.
type Settings struct {
	Query string              // the initial query
	Home  bool                // begin at home, unless there is a query or a saved session
	Theme string              // dark, light, mono, ascii; "": chosen from terminal and environment
	FPS   int                 // frames a second, at most 120; 0: 120
	Zone  *time.Location      // the local time zone; nil: time.Local
	Keys  map[string][]string // keys for commands, see keymap.remap
}

// Terminal is where the explorer is shown. The zero value is that of the process.
type Terminal struct {
	Input   io.Reader
	Output  io.Writer
	Environ []string
}

// tests are what tests set.
type tests struct {
	program []tea.ProgramOption // their terminal has no size
	pace    *pace               // nil: defaultPace
}

// topK is the number of matches of a query.
const topK = 400

// defaultFPS is the default of Settings.FPS. A key waits for the next frame: 4 ms on average.
const defaultFPS = 120

// patience is how long Run waits at exit for commands that ignore cancellation.
const patience = 2 * time.Second

// Run shows the explorer until the user quits. Errors: one that wraps ctx's when ctx ends, unavailable for a
// terminal that cannot show it, invalid for Settings.Keys.
func Run(ctx context.Context, opts Options) error {
	if opts.Terminal.Environ == nil {
		opts.Terminal.Environ = os.Environ()
	}
	env := tea.EnvMsg(opts.Terminal.Environ)
	if env.Getenv("TERM") == "dumb" {
		return &errs.Error{
			Code: errs.Unavailable, Op: "tui: run", Message: "this terminal cannot show the explorer",
			Hint: "use lens --plain",
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(ctx, opts)
	keys := m.keymap()
	if _, err := keys.remap(opts.Settings.Keys); err != nil {
		return &errs.Error{
			Code: errs.Invalid, Op: "tui: run",
			Message: "cannot read keys.yaml: " + strings.ReplaceAll(err.Error(), "\n", "; "),
			Hint:    "fix keys.yaml in the configuration folder, or delete it",
		}
	}
	_, err := tea.NewProgram(m, programOptions(ctx, opts, env)...).Run()
	cancel()
	m.ui.Tasks.End(patience)
	err = errors.Join(err, unsaved(m.ui, "the chat", m.chat.End()))
	if m.keeps() {
		err = errors.Join(err, unsaved(m.ui, "the session", m.keeper.Saving(m.session(m.look()))()))
	}
	if err != nil {
		return fmt.Errorf("cannot run the explorer: %w", err)
	}
	return nil
}

// unsaved explains that something could not be saved at the end. The error has no cause: Explain may have logged it.
// A chat or a history that lens forget deleted meanwhile is not missed.
func unsaved(c *ui.Context, what string, err error) error {
	if err == nil || errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	message, hint := c.Explained(err)
	return &errs.Error{Code: errs.CodeOf(err), Op: "tui: end", Message: "cannot save " + what + ": " + message, Hint: hint}
}

func programOptions(ctx context.Context, opts Options, env tea.EnvMsg) []tea.ProgramOption {
	// The caller handles signals and ends ctx. Bubble Tea's own handler would then wait for a loop that has already ended.
	options := []tea.ProgramOption{
		tea.WithContext(ctx),
		tea.WithEnvironment(opts.Terminal.Environ),
		tea.WithFPS(cmp.Or(opts.Settings.FPS, defaultFPS)),
		tea.WithoutSignalHandler(),
	}
	if opts.Terminal.Input != nil {
		options = append(options, tea.WithInput(opts.Terminal.Input))
	}
	if opts.Terminal.Output != nil {
		options = append(options, tea.WithOutput(opts.Terminal.Output))
	}
	if env.Getenv("NO_COLOR") != "" { // Bubble Tea honors only values that strconv.ParseBool accepts
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return append(options, opts.tests.program...)
}
