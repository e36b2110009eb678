package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

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
	set := &cobra.Command{
		Use: "set FILE", Short: "Keep the text of FILE beside the archive, encrypted where that is; - is the standard input", Example: "  lens keywords set keywords.yaml",
		Args: atLeastOne("a file"), RunE: s.setKeywords,
	}
	take := &cobra.Command{
		Use: "take", Short: "Move keywords.yaml from the configuration folder into the encrypted archive", Example: "  lens keywords take",
		Args: none, RunE: s.takeKeywords,
	}
	for _, verb := range []*cobra.Command{set, take} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
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
	return s.tellKeywords(true, "The synonyms are kept beside the archive, as private as that.")
}

func (s *session) takeKeywords(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if err := l.MustBeEncrypted(); err != nil {
		return err
	}
	taken, err := l.TakeInKeywords()
	if err == nil && !taken {
		return errNothing
	}
	if err != nil {
		return err
	}
	return s.tellKeywords(true, takenIn)
}

const takenIn = "keywords.yaml is encrypted with the archive now, and no longer in the configuration folder; lens keywords shows and sets it."

func (s *session) tellKeywords(kept bool, sentence string) error {
	if s.globals.json {
		return s.out.json(map[string]bool{"kept": kept})
	}
	s.out.println(sentence)
	return nil
}
