package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/cleantext"
)

func (s *session) keywordsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keywords",
		Short: "Show the synonyms of lens search, or keep them with the archive",
		Long: `Prints keywords.yaml: whoever searches for the word on the left also finds what is on the right.

It lies in the configuration folder, where any editor changes it, or beside the archive, encrypted with it: lens pin set moves it there, since it tells what you look for. That in the configuration folder goes first. Changes count from the next search on.`,
		Example: `  lens keywords > keywords.yaml
  lens keywords set keywords.yaml`,
		Args: noSubverb,
		RunE: s.showKeywords,
	}
	var replace bool
	set := &cobra.Command{
		Use: "set FILE", Short: "Keep the text of FILE beside the archive, encrypted where that is; - is the standard input", Example: "  lens keywords set keywords.yaml",
		Args: oneFile, RunE: s.setKeywords,
	}
	take := &cobra.Command{
		Use: "take", Short: "Move keywords.yaml from the configuration folder into the encrypted archive", Example: "  lens keywords take",
		Args: none, RunE: func(cmd *cobra.Command, _ []string) error { return s.takeKeywords(cmd, replace) },
	}
	take.Flags().BoolVar(&replace, "replace", false, "also where the archive has other synonyms already, which are lost")
	for _, verb := range []*cobra.Command{set, take} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("say which one counts", "lens %s takes one file, not %d", cmd.Name(), len(args))
	}
	return atLeastOne("a file")(cmd, args)
}

func (s *session) showKeywords(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	text, err := l.Keywords()
	switch {
	case err != nil:
		return err
	case s.globals.json:
		return s.out.json(map[string]string{"keywords": string(text)})
	case len(text) == 0:
		return errNothing
	}
	s.out.printf("%s", cleantext.Text(string(text)))
	return nil
}

// mostKeywords is how much of a file is read: more than may stand in one.
const mostKeywords = 1 << 20

func (s *session) setKeywords(cmd *cobra.Command, args []string) error {
	from := io.Reader(s.answers)
	if args[0] == "-" && s.pinFile() == "-" {
		return usage("name a file for one of them", "the PIN and the synonyms cannot both come from the standard input")
	}
	if args[0] != "-" {
		file, err := os.Open(args[0])
		if err != nil {
			return &refusal{code: failed, message: args[0] + " cannot be read: " + cause(err), hint: "look at its name and its permissions"}
		}
		defer file.Close()
		from = file
	}
	text, err := io.ReadAll(io.LimitReader(from, mostKeywords))
	if err != nil {
		return &refusal{code: failed, message: args[0] + " cannot be read: " + cause(err), hint: "look at its permissions"}
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if err := l.KeepKeywords(text); err != nil {
		return err
	}
	if len(text) == 0 {
		return s.tellKeywords(keptKeywords{}, args[0]+" is empty: the archive keeps no synonyms any more.")
	}
	return s.tellKeywords(keptKeywords{Kept: true}, "The synonyms are kept beside the archive, as private as that.")
}

func (s *session) takeKeywords(cmd *cobra.Command, replace bool) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if err := l.MustBeEncrypted(); err != nil {
		return err
	}
	in, err := l.TakeInKeywords(replace)
	if err == nil && !in.Taken {
		return errNothing
	}
	if err != nil {
		return err
	}
	return s.tellKeywords(keptKeywords{true, in.Left}, takenIn(in))
}

// takenIn says where the text of keywords.yaml is now.
func takenIn(in boot.TakenIn) string {
	if len(in.Left) == 0 {
		return "keywords.yaml is encrypted with the archive now, and no longer in the configuration folder; lens keywords shows and sets it."
	}
	return "keywords.yaml is encrypted with the archive now; lens keywords shows and sets it. Not encrypted, its text or one of before is still in " +
		strings.Join(in.Left, " and ") + ": remove that yourself."
}

// keptKeywords is what became of synonyms, as --json prints it.
type keptKeywords struct {
	Kept bool     `json:"kept"`
	Left []string `json:"left,omitempty"` // where they can be read all the same
}

func (s *session) tellKeywords(kept keptKeywords, sentence string) error {
	if s.globals.json {
		return s.out.json(kept)
	}
	s.out.println(sentence)
	return nil
}
