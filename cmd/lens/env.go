package main

import (
	"os"
	"slices"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/retrieval"
	"lens/retrieval/query"
)

// effort is that of every verb. Only the lens of the tests sets it, in their TestMain: no flag, setting or environment
// variable reaches it.
var effort app.Effort

// Env is what every verb works with: where it reads and prints, the global flags, and the archive that they name.
type Env struct {
	Out, Err *screen
	Plain    bool // --plain
	JSON     bool // --json
	Prompt   *prompter
	PIN      *pinReader
	Report   *reporter
	Redact   *redactor
	apps     []*app.App // to be closed at the end
}

func newEnv(args []string) *Env {
	e := &Env{Out: newScreen(os.Stdout), Err: newScreen(os.Stderr), Redact: new(redactor)}
	e.Prompt = newPrompter(os.Stdin, e.Err)
	e.PIN = &pinReader{prompter: e.Prompt}
	e.Report = newReporter(args, e.Out, e.Err, e.Redact)
	return e
}

// addFlags adds the global flags to root.
func (e *Env) addFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("data", "", "data folder (default: lens/ in your XDG data folder)")
	flags.String("database", "", "Postgres archive to use instead of SQLite: a postgres://… URL")
	flags.Bool("offline", false, "connect to nothing but this machine")
	flags.Bool("no-color", false, "no colors")
	flags.BoolVar(&e.Plain, "plain", false, "plain ASCII lines; nothing moves")
	flags.StringVar(&e.PIN.flag, "pin-file", "",
		"file whose first line is the PIN or passphrase of the archive; - is standard input")
	flags.String("log-level", "", "level of lens.log in the data folder: debug, info, warn or error")
	flags.BoolVar(&e.JSON, "json", false, "print one JSON document and nothing else")
}

// begin applies the global flags. It runs before every verb.
func (e *Env) begin(verb *cobra.Command, _ []string) {
	e.Report.verb = verb.Name()
	for _, screen := range []*screen{e.Out, e.Err} {
		screen.ascii = screen.ascii || e.Plain
		screen.still = screen.still || e.Plain
	}
}

// installsModel annotates verbs that put a model in the data folder of --data.
const installsModel = "installs a model"

// Config loads the settings. Only flags that are given override the environment and the configuration files.
func (e *Env) Config(cmd *cobra.Command) (config.Config, error) {
	flags := map[string]string{}
	names := map[string]string{
		"data_dir":     "data",
		"database_url": "database",
		"log_level":    "log-level",
		"offline":      "offline",
	}
	for key, flag := range names {
		if given := cmd.Flags().Lookup(flag); given.Changed {
			flags[key] = given.Value.String()
		}
	}
	return config.Load(config.Options{Flags: flags, OwnModels: cmd.Annotations[installsModel] != ""})
}

// Open returns the app of the verb and, with --offline, cuts the process off from the network. The archive is not open
// yet.
func (e *Env) Open(cmd *cobra.Command) (*app.App, error) {
	a, err := e.OpenUncut(cmd)
	if err == nil {
		_, err = network.CutOff(a.Config())
	}
	return a, err
}

// OpenOffline is OpenUncut with --offline, whatever the configuration says.
func (e *Env) OpenOffline(cmd *cobra.Command) (*app.App, error) {
	if err := cmd.Flags().Set("offline", "true"); err != nil {
		return nil, err
	}
	return e.OpenUncut(cmd)
}

// OpenUncut is Open without the cut, for verbs that listen first or cut themselves off in another way.
func (e *Env) OpenUncut(cmd *cobra.Command) (*app.App, error) {
	cfg, err := e.Config(cmd)
	if err != nil {
		return nil, err
	}
	verb := ""
	if cmd.HasParent() {
		verb = cmd.Name()
	}
	a := app.NewWithEffort(cfg, verb, effort)
	a.Archive.StateWithout = stateWithout
	a.Archive.Notice = func(sentence string) { e.Err.println(sentence) }
	a.Keys.OnSecret(func() (string, error) { return e.PIN.read(cmd.Context()) })
	return e.Use(a), a.Folder.Settle() // before anything asks whether the archive is encrypted
}

// Engine returns the app of the verb and the engine of its archive, with everything that the queries look up. If mode
// needs vectors, it also returns an error if no model can be used.
func (e *Env) Engine(
	cmd *cobra.Command, mode query.Mode, queries ...query.Query,
) (*app.App, *retrieval.Engine, error) {
	a, err := e.Open(cmd)
	if err != nil {
		return nil, nil, err
	}
	engine, err := a.Archive.Engine(cmd.Context())
	if err == nil && (mode == query.Dense || mode == query.Hybrid) && !a.Models.HasFallback() {
		_, err = a.Models.Configured()
	}
	if err == nil {
		err = e.indexFacts(cmd.Context(), a, queries...)
	}
	if err == nil && slices.ContainsFunc(queries, func(q query.Query) bool { return !q.Filter.Topics.IsZero() }) {
		err = a.Archive.MakeTopics(cmd.Context())
	}
	return a, engine, err
}

// Use closes l at the end of the run. The log of the first one gets the errors of the run.
func (e *Env) Use(a *app.App) *app.App {
	if e.Report.app == nil {
		e.Report.app = a
	}
	e.apps = append(e.apps, a)
	return a
}

// Interactive reports whether the explorer can run: stdin and stdout are a terminal, and --plain is not given.
func (e *Env) Interactive() bool {
	return e.Out.terminal && term.IsTerminal(e.Prompt.in.Fd()) && !e.Plain
}

// Print prints a document with --json, once the run is over, and otherwise calls text, which prints it for people.
func (e *Env) Print(document any, text func()) error {
	if e.JSON {
		return e.Out.json(document)
	}
	text()
	return nil
}

// PrintLine is Print with a text of one line.
func (e *Env) PrintLine(document any, line string) error {
	return e.Print(document, func() { e.Out.println(line) })
}

// PrintFound is Print for the results of a search. It returns errNothing if there are none.
func (e *Env) PrintFound(results int, document any, text func()) error {
	err := e.Print(document, text)
	if err == nil && results == 0 {
		err = errNothing
	}
	return err
}

// autoBins returns how many bins of a chart fit the screen; with --json 0, the engine's default.
func (e *Env) autoBins() int {
	if e.JSON {
		return 0
	}
	return min(query.MaxAutoBins, e.Out.chart().Columns(query.MaxTopK))
}

// close closes every app. It returns the first error.
func (e *Env) close() (err error) {
	for _, a := range e.apps {
		if closing := a.Close(); err == nil {
			err = closing
		}
	}
	return err
}
