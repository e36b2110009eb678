package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	offlineservice "lens/cmd/internal/offline"
	"lens/internal/cleantext"
)

func newKeywordsCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keywords",
		Short: "Show or set the synonyms of lens search",
		Long: unwrap(`Prints keywords.yaml: a search for the word on the left also finds the words on the right.

The file is in the configuration folder, where you can edit it, or next to the archive, encrypted with it. lens pin set
moves it there, because it reveals what you search for. If there are both, the one in the configuration folder is used.
Changes apply to the next search.`),
		Example: `  lens keywords > keywords.yaml
  lens keywords set keywords.yaml`,
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return runKeywords(cmd, env) },
	}
	var replace bool
	set := &cobra.Command{
		Use:     "set FILE",
		Short:   "Store FILE with the archive, encrypted if the archive is; - is standard input",
		Example: "  lens keywords set keywords.yaml",
		Args:    oneFile,
		RunE:    func(cmd *cobra.Command, args []string) error { return runKeywordsSet(cmd, env, args) },
	}
	take := &cobra.Command{
		Use:     "take",
		Short:   "Move keywords.yaml from the configuration folder into the encrypted archive",
		Example: "  lens keywords take",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runKeywordsTake(cmd, env, replace) },
	}
	take.Flags().BoolVar(&replace, "replace", false, "overwrite other synonyms in the archive")
	cmd.AddCommand(set, take)
	return cmd
}

func runKeywords(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	text, err := a.Offline.Keywords.Read()
	switch {
	case err != nil:
		return err
	case len(text) == 0 && !env.JSON:
		return notFound("run lens keywords set FILE to set some", "there are no synonyms")
	}
	return env.Print(map[string]string{"keywords": string(text)}, func() {
		env.Out.printf("%s", cleantext.Text(string(text)))
	})
}

// maxKeywords is how many bytes of a file are read: more than a valid file has.
const maxKeywords = 1 << 20

func runKeywordsSet(cmd *cobra.Command, env *Env, args []string) error {
	from := io.Reader(env.Prompt.answers)
	if args[0] == "-" && env.PIN.file() == "-" {
		return usage("use a file for one of them", "the PIN and the synonyms cannot both come from standard input")
	}
	if args[0] != "-" {
		file, err := os.Open(args[0])
		if err != nil {
			return failure("check its name and permissions", "cannot read %s: %s", args[0], cause(err))
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, maxKeywords))
	if err != nil {
		return failure("check its permissions", "cannot read %s: %s", args[0], cause(err))
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Offline.Keywords.Save(text); err != nil {
		return err
	}
	if len(text) == 0 {
		return env.PrintLine(keptKeywords{}, args[0]+" is empty: removed the synonyms from the archive.")
	}
	return env.PrintLine(keptKeywords{Kept: true}, "Stored the synonyms with the archive.")
}

func runKeywordsTake(cmd *cobra.Command, env *Env, replace bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Keys.MustBeEncrypted(); err != nil {
		return err
	}
	in, err := a.Offline.Keywords.TakeIn(replace)
	if err == nil && !in.Taken {
		return notFound("run lens keywords to see the archive's", "there is no keywords.yaml in the configuration folder")
	}
	if err != nil {
		return err
	}
	return env.PrintLine(keptKeywords{true, in.Left}, describeTaken(in))
}

// describeTaken says where the text of keywords.yaml is now.
func describeTaken(in offlineservice.TakenIn) string {
	if len(in.Left) == 0 {
		return "keywords.yaml is now encrypted with the archive and no longer in the configuration folder; " +
			"use lens keywords to show or set it."
	}
	return "keywords.yaml is now encrypted with the archive; use lens keywords to show or set it. " +
		"An unencrypted copy of this or an earlier version is still in " +
		strings.Join(in.Left, " and ") + ": delete it yourself."
}

// keptKeywords reports where synonyms are now, as --json prints it.
type keptKeywords struct {
	Kept bool     `json:"kept"`
	Left []string `json:"left,omitempty"` // files with an unencrypted copy
}
