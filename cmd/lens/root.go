package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
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
	env := newEnv(args)
	err := execute(ctx, env, args)
	if closing := env.close(); err == nil {
		err = closing
	}
	return env.Report.end(ctx, err)
}

// execute runs the verb. A panic becomes an error, so that it is logged and not shown.
func execute(ctx context.Context, env *Env, args []string) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = newPanic(fault)
		}
	}()
	root := newRootCmd(env)
	failure := withhold(root)
	if env.Report.stdout == aDocument {
		printVersionAsJSON(root)
	}
	root.SetArgs(args)
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	silent := func(io.Writer, fang.Styles, error) {} // the reporter prints errors, once everything is closed
	err = fang.Execute(ctx, root, fang.WithVersion(version), fang.WithErrorHandler(silent), fang.WithoutManpage())
	return errors.Join(err, *failure)
}

// withhold makes all verbs leave their error in the result instead of returning it. Given an error, fang first asks the
// terminal for its background color and waits seconds for a terminal that does not answer; an error message should not
// wait for that. A verb that does not set Args takes none.
func withhold(root *cobra.Command) *error {
	failure := new(error)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		*failure = wrongFlag(cmd, err)
		return nil
	})
	var wrap func(*cobra.Command)
	wrap = func(cmd *cobra.Command) {
		for _, below := range cmd.Commands() {
			wrap(below)
		}
		if cmd.IsAdditionalHelpTopicCommand() {
			return
		}
		check, run := cmd.Args, cmd.RunE
		if check == nil {
			check = noArgs
		}
		cmd.Args = cobra.ArbitraryArgs
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if *failure = check(cmd, args); *failure == nil {
				*failure = run(cmd, args)
			}
			return nil
		}
	}
	wrap(root)
	return failure
}

const long = `Lens imports your ChatGPT, Claude or Gemini export and lets you search it: by words, by meaning, and by
date.

Without a command, it opens the explorer. Everything stays on this machine unless you set up an embedding server and
agree to use it. lens model installs an embedding model on this machine.`

func newRootCmd(env *Env) *cobra.Command {
	var flags explorerFlags
	root := &cobra.Command{
		Use:   "lens",
		Short: "Explore your chats by meaning and time",
		Long:  unwrap(long),
		Example: `  lens demo
  lens import ~/Downloads/export.zip
  lens peek sourdough --since 2024-01`,
		Args: unknownVerb,
		RunE: func(cmd *cobra.Command, _ []string) error { return runExplorer(cmd, env, flags) },

		PersistentPreRun:           env.begin,
		SuggestionsMinimumDistance: 2,
	}
	env.addFlags(root)
	flags.addTo(root)
	addVerbs(root, "find", "Find",
		newAskCmd(env),
		newPeekCmd(env),
		newSearchCmd(env),
		newRetrieveCmd(env),
		newActivityCmd(env),
		newCompareCmd(env),
		newTopicsCmd(env),
		newAboutCmd(env),
		newTurnCmd(env),
	)
	addVerbs(root, "keep", "Import, embed and export",
		newImportCmd(env),
		newRefreshCmd(env),
		newSourcesCmd(env),
		newEmbedCmd(env),
		newSummarizeCmd(env),
		newExportCmd(env),
		newForgetCmd(env),
	)
	addVerbs(root, "care", "Set up and maintain",
		newDemoCmd(env),
		newModelCmd(env),
		newPINCmd(env),
		newLockCmd(env),
		newUnlockCmd(env),
		newKeywordsCmd(env),
		newBackupCmd(env),
		newRestoreCmd(env),
		newCopyCmd(env),
		newAuditCmd(env),
		newDoctorCmd(env),
		newVersionCmd(env),
	)
	addVerbs(root, "face", "For other programs",
		newServeCmd(env),
		newMCPCmd(env),
		newShardCmd(env),
	)
	root.AddCommand(newOfflineQueryCmd(env), newManCmd(env))
	addVerbs(root, "topic", "Help topics", newSearchingTopic(env), newKeysTopic(env))
	addHelp(root)
	return root
}

// addVerbs adds verbs to a group of the help text.
func addVerbs(root *cobra.Command, id, title string, verbs ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, verb := range verbs {
		verb.GroupID = id
		root.AddCommand(verb)
	}
}

// addHelp adds cobra's help verb, which by itself answers an unknown verb with the list of all verbs, and completes
// verbs only.
func addHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // cobra has just added it
	}
	help.Args = cobra.ArbitraryArgs
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if found, _, _ := root.Find(args); found == root && len(args) > 0 {
			return unknownVerb(root, args)
		}
		help.Run(cmd, args)
		return nil
	}
	verbs := help.ValidArgsFunction
	help.ValidArgsFunction = func(
		cmd *cobra.Command, args []string, typed string,
	) ([]cobra.Completion, cobra.ShellCompDirective) {
		all, directive := verbs(cmd, args, typed)
		for _, topic := range root.Commands() {
			if len(args) == 0 && topic.IsAdditionalHelpTopicCommand() && strings.HasPrefix(topic.Name(), typed) {
				all = append(all, cobra.CompletionWithDesc(topic.Name(), topic.Short))
			}
		}
		return all, directive
	}
}

// unknownVerb rejects an unknown verb and suggests a similar one.
func unknownVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "run lens --help"
	if near := cmd.Root().SuggestionsFor(args[0]); len(near) > 0 {
		hint = "did you mean lens " + mostSimilar(intended(cmd.Root(), near, args[0]), args[0]) + "?"
	}
	return usage(hint, "lens has no command %q", args[0])
}

// intended returns those of the verbs near that name the typed word in SuggestFor, or all of near if none does.
func intended(root *cobra.Command, near []string, typed string) []string {
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

// mostSimilar returns the name that shares the longest prefix with the typed word: people mistype the end of a word.
func mostSimilar(names []string, typed string) string {
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
