package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"

	"lens/internal/sandbox"
)

// run runs the command line and returns its exit code. The first Ctrl+C asks for a clean stop, the second ends the
// process.
func run(args []string) int {
	if code, played := sandbox.RunHelper(); played {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop)
	if slices.Contains(args, "--no-color") || slices.Contains(args, "--plain") {
		_ = os.Setenv("NO_COLOR", "1") // help is printed before flags are looked at
	}
	s := newSession(args)
	return s.finish(ctx, s.execute(ctx, args))
}

// execute runs the verb. A panic becomes an error, so that it is logged and not shown.
func (s *session) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = newPanic(fault)
		}
	}()
	root := s.root()
	root.SetArgs(args)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err = fang.Execute(ctx, root, fang.WithVersion(version), fang.WithErrorHandler(silent))
	return errors.Join(err, s.failure)
}

// aside makes a verb leave its error in the session. Given an error, fang first asks the terminal for its background
// color and waits seconds for a terminal that does not answer; an error message should not wait for that.
func (s *session) aside(verb *cobra.Command) {
	check, run := verb.Args, verb.RunE
	verb.Args = cobra.ArbitraryArgs
	verb.RunE = func(cmd *cobra.Command, args []string) error {
		if s.failure = check(cmd, args); s.failure == nil {
			s.failure = run(cmd, args)
		}
		return nil
	}
}

const long = `Lens imports your ChatGPT, Claude or Gemini export and lets you search it: by words, by meaning, and by
date.

Without a command, it opens the explorer. Everything stays on this machine unless you set up an embedding server and
agree to use it. lens model installs an embedding model on this machine.`

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "lens",
		Short: "Explore your chats by meaning and time",
		Long:  unwrap(long),
		Example: `  lens demo
  lens import ~/Downloads/export.zip
  lens peek sourdough --since 2024-01`,
		Args: s.noVerb,
		RunE: s.explore,

		PersistentPreRun:           s.dress,
		SuggestionsMinimumDistance: 2,
	}
	s.addGlobals(root)
	s.explorer.addTo(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		s.failure = wrongFlag(cmd, err)
		return nil
	})
	s.aside(root)
	root.AddGroup(
		&cobra.Group{ID: "find", Title: "Find"},
		&cobra.Group{ID: "keep", Title: "Import, embed and export"},
		&cobra.Group{ID: "care", Title: "Set up and maintain"},
		&cobra.Group{ID: "face", Title: "For other programs"},
	)
	for group, verbs := range map[string][]*cobra.Command{
		"find": {
			s.askCommand(), s.peekCommand(), s.searchCommand(), s.retrieveCommand(),
			s.activityCommand(), s.compareCommand(), s.turnCommand(),
		},
		"keep": {s.importCommand(), s.embedCommand(), s.summarizeCommand(), s.exportCommand(), s.forgetCommand()},
		"care": {
			s.demoCommand(), s.modelCommand(), s.pinCommand(), s.lockCommand(), s.unlockCommand(),
			s.keywordsCommand(), s.auditCommand(), s.doctorCommand(),
		},
		"face": {s.serveCommand(), s.mcpCommand(), s.shardCommand()},
	} {
		for _, verb := range verbs {
			verb.GroupID = group
			s.aside(verb)
			root.AddCommand(verb)
		}
	}
	offline := s.offlineQueryCommand()
	s.aside(offline)
	root.AddCommand(offline)
	s.addHelp(root)
	return root
}

// addHelp adds cobra's help verb, which by itself answers an unknown verb with the list of all verbs.
func (s *session) addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just added it
	}
	show := help.Run
	help.Run = func(cmd *cobra.Command, args []string) {
		if found, _, _ := root.Find(args); found == root {
			if s.failure = s.noVerb(root, args); s.failure != nil {
				return
			}
		}
		show(cmd, args)
	}
}

func (s *session) addGlobals(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("data", "", "data folder (default: lens/ in your XDG data folder)")
	flags.String("database", "", "Postgres archive to use instead of SQLite: a postgres://… URL")
	flags.Bool("offline", false, "connect to nothing but this machine")
	flags.Bool("no-color", false, "no colors")
	flags.BoolVar(&s.globals.plain, "plain", false, "plain ASCII lines; nothing moves")
	flags.StringVar(&s.globals.pinFile, "pin-file", "",
		"file whose first line is the PIN or passphrase of the archive; - is standard input")
	flags.String("log-level", "", "level of lens.log in the data folder: debug, info, warn or error")
	flags.BoolVar(&s.globals.json, "json", false, "print one JSON document and nothing else")
}

// noVerb rejects an unknown verb and suggests a similar one.
func (s *session) noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "run lens --help"
	if near := cmd.Root().SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean lens " + likest(meant(cmd.Root(), near, args[0]), args[0]) + "?"
	}
	return usage(hint, "lens has no command %q", args[0])
}

// meant returns those of the verbs near that name the typed word in SuggestFor, or all of near if none does.
func meant(root *cobra.Command, near []string, typed string) []string {
	var sure []string
	for _, verb := range root.Commands() {
		if slices.Contains(near, verb.Name()) && slices.Contains(verb.SuggestFor, typed) {
			sure = append(sure, verb.Name())
		}
	}
	if len(sure) > 0 {
		return sure
	}
	return near
}

// likest returns the name that shares the longest prefix with the typed word: people mistype the end of a word.
func likest(names []string, typed string) string {
	return slices.MaxFunc(names, func(a, b string) int {
		return cmp.Compare(commonPrefix(a, typed), commonPrefix(b, typed))
	})
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
