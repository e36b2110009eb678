package main

import (
	"context"
	"errors"
	"strings"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
)

type forgetFlags struct {
	conversations []string
	turns         []string
	source        string
	everything    bool
	yes           bool
}

func newForgetCmd(env *Env) *cobra.Command {
	var f forgetFlags
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Delete conversations or single turns permanently",
		Long: unwrap(`Deletes conversations, single turns, a source or everything from the archive, including messages,
index entries and vectors, what their attachments and artifacts have of them, the chats that cite
them, the bookmarks that lead to them, and the explorer's history, whose questions may be about
them. Other bookmarks stay. Your export files are not touched. If you import them again, deleted
conversations and turns stay deleted, unless you use --restore-forgotten or have deleted everything.`),
		Example: `  lens forget --conversation 0b8f6e3c-…
  lens forget --turn 3f2ab81c
  lens forget --source claude
  lens forget --everything`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runForget(cmd, env, f) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.conversations, "conversation", nil, "delete the conversation with this ID (repeatable)")
	flags.StringSliceVar(&f.turns, "turn", nil, "delete the turn with this ID or unique prefix (repeatable)")
	flags.StringVar(&f.source, "source", "", "delete everything from this source: "+strings.Join(sourceNames(), ", "))
	flags.BoolVar(&f.everything, "everything", false, "delete the whole archive")
	flags.BoolVar(&f.yes, "yes", false, "delete without asking")
	return cmd
}

// read returns the options of the flags. It returns a usage error unless exactly one of the four is given.
func (f *forgetFlags) read() (archive.ForgetOptions, error) {
	given := 0
	for _, one := range []bool{len(f.conversations) > 0, len(f.turns) > 0, f.source != "", f.everything} {
		if one {
			given++
		}
	}
	if given != 1 {
		return archive.ForgetOptions{}, usage("run, for example, lens forget --source claude",
			"lens forget needs exactly one of --conversation, --turn, --source and --everything")
	}
	o := archive.ForgetOptions{Source: archive.Source(f.source), Everything: f.everything}
	if f.source != "" {
		if err := checkSource(f.source); err != nil {
			return o, err
		}
	}
	for _, text := range f.conversations {
		id, err := readID("--conversation", text)
		if err != nil {
			return o, err
		}
		o.Conversations = append(o.Conversations, id)
	}
	return o, nil
}

func runForget(cmd *cobra.Command, env *Env, f forgetFlags) error {
	opts, err := f.read()
	if err != nil {
		return err
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if opts.Turns, err = f.readTurns(cmd.Context(), a); err != nil {
		return err
	}
	opts.DryRun = true
	doomed, err := a.Archive.Forget(cmd.Context(), opts)
	if err != nil {
		return err
	}
	if doomed.Turns == 0 && doomed.Conversations == 0 && !opts.Everything {
		return errors.Join(errNothing, printForgotten(env, doomed))
	}
	if !f.yes {
		env.Err.printf("%s will be deleted permanently, including vectors. So will %s, and the explorer's history.\n",
			describeForgotten(doomed), dependent(opts))
		if err := env.Prompt.confirm(cmd.Context(), "Delete them?", failure("", "nothing was deleted")); err != nil {
			return err
		}
	}
	opts.DryRun = false
	if !env.JSON {
		env.Err.println("Deleting. For a large archive this can take a minute.")
	}
	report, err := a.Archive.Forget(cmd.Context(), opts)
	if err != nil {
		return err
	}
	return printForgotten(env, report)
}

// dependent names the saved chats and bookmarks that are deleted, too.
func dependent(opts archive.ForgetOptions) string {
	if opts.Everything {
		return "all saved chats and bookmarks"
	}
	return "the saved chats that cite or read them, the bookmarks that lead to them"
}

// readTurns returns the IDs of the turns of --turn, which may be prefixes.
func (f *forgetFlags) readTurns(ctx context.Context, a *app.App) ([]uuid.UUID, error) {
	if len(f.turns) == 0 {
		return nil, nil
	}
	engine, err := a.Archive.Engine(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]uuid.UUID, len(f.turns))
	for i, prefix := range f.turns {
		t, err := engine.Turn(ctx, prefix)
		if err != nil {
			return nil, err
		}
		ids[i] = t.TurnID
	}
	return ids, nil
}

func printForgotten(env *Env, r archive.ForgetReport) error {
	deleted := []string{}
	if r.Conversations > 0 || r.Turns > 0 {
		deleted = append(deleted, describeForgotten(r))
	}
	if r.Derived > 0 {
		deleted = append(deleted, count(r.Derived, "derived document"))
	}
	if r.Chats > 0 {
		deleted = append(deleted, count(r.Chats, "saved chat"))
	}
	if r.Bookmarks > 0 {
		deleted = append(deleted, count(r.Bookmarks, "bookmark"))
	}
	if len(deleted) == 0 {
		return env.PrintLine(r, "There is nothing to delete.")
	}
	return env.PrintLine(r, "Deleted "+strings.Join(deleted, ", ")+".")
}

func describeForgotten(r archive.ForgetReport) string {
	if r.Conversations == 0 {
		return count(r.Turns, "turn")
	}
	return count(r.Conversations, "conversation") + " with " + count(r.Turns, "turn")
}
