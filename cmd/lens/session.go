package main

import (
	"bufio"
	"os"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
	"lens/retrieval"
)

// session is one run of the command line: its arguments and flags, its input and output, and every Lens that it opened.
type session struct {
	args    []string
	begun   time.Time
	globals struct {
		plain, json bool // configure reads the others, run reads --no-color
		pinFile     string
	}
	private  private
	explorer explorerFlags
	in       *os.File
	answers  *bufio.Reader // over in
	out, err *screen
	verb     string
	failure  error    // of the verb
	lens     *app.App // opened last
	opened   []*app.App
}

func newSession(args []string) *session {
	s := &session{args: args, begun: time.Now(), in: os.Stdin, verb: "lens"}
	s.answers = bufio.NewReader(s.in)
	s.out, s.err = newScreen(os.Stdout), newScreen(os.Stderr)
	return s
}

// configure loads the settings. Only flags that are given override the environment and the configuration files.
func (s *session) configure(cmd *cobra.Command) (config.Config, error) {
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
	return config.Load(config.Options{Flags: flags})
}

// open returns the Lens of the verb and, with --offline, cuts the process off from the network. The archive is not open
// yet.
func (s *session) open(cmd *cobra.Command) (*app.App, error) {
	l, err := s.prepare(cmd)
	if err == nil {
		_, err = network.CutOff(l.Config())
	}
	return l, err
}

// prepare is open without the cut, for verbs that must listen first.
func (s *session) prepare(cmd *cobra.Command) (*app.App, error) {
	cfg, err := s.configure(cmd)
	if err != nil {
		return nil, err
	}
	l := app.New(cfg, cmd.Name())
	l.OnNotice(func(sentence string) { s.err.println(sentence) })
	l.OnSecret(func() (string, error) { return s.secret(cmd.Context()) })
	return s.use(l), nil
}

// engine returns the Lens of the verb and the engine of its archive. If mode needs vectors, it also returns an error if
// no model can be used.
func (s *session) engine(cmd *cobra.Command, mode retrieval.Mode) (*app.App, *retrieval.Engine, error) {
	l, err := s.open(cmd)
	if err != nil {
		return nil, nil, err
	}
	engine, err := l.Engine(cmd.Context())
	if err == nil && (mode == retrieval.Dense || mode == retrieval.Hybrid) && !l.StandsIn() {
		_, err = l.EmbeddingModel()
	}
	return l, engine, err
}

// use makes l the session's, to be closed with it.
func (s *session) use(l *app.App) *app.App {
	s.lens, s.opened = l, append(s.opened, l)
	return l
}

// dress applies the flags to both screens. It runs before every verb.
func (s *session) dress(cmd *cobra.Command, _ []string) {
	s.verb = cmd.Name()
	for _, screen := range []*screen{s.out, s.err} {
		screen.ascii = screen.ascii || s.globals.plain
		screen.still = screen.still || s.globals.plain
	}
}

func (s *session) close() error {
	var failed error
	for _, l := range s.opened {
		if err := l.Close(); failed == nil {
			failed = err
		}
	}
	return failed
}
