package main

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/retrieval"
)

func (s *session) turnCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "turn ID",
		Short:   "Read one turn in full",
		Long:    "Prints one turn in full. ID may be a prefix, as long as it is unique.",
		Example: "  lens turn 3f2ab81c",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return nil
			}
			return usage("run lens peek QUERY to list IDs", "lens turn takes one ID")
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.turn(cmd, args[0]) },
	}
}

func (s *session) turn(cmd *cobra.Command, prefix string) error {
	_, engine, err := s.engine(cmd, retrieval.Auto)
	if err != nil {
		return err
	}
	t, err := engine.Turn(cmd.Context(), prefix)
	if err != nil {
		return err
	}
	if s.globals.json {
		return s.out.json(t)
	}
	s.showTurn(t)
	return nil
}

// showTurn prints a turn for people: who said what, then the IDs of the turn, its conversation and its neighbors.
func (s *session) showTurn(t *retrieval.Turn) {
	o := s.out
	o.println(o.bold(cleantext.Line(t.Title)))
	o.println(o.faint(strings.Join(facts(t), o.sign(" · ", ", "))))
	if t.Chunk == nil {
		s.showVoice("You", t.User)
		s.showVoice("Assistant", t.Assistant)
	} else {
		s.showChunk(t)
	}
	if t.Summary != "" {
		s.showVoice("Summary", t.Summary)
	}
	o.println()
	for _, id := range []struct {
		name string
		id   *uuid.UUID
	}{
		{"turn", &t.TurnID},
		{"conversation", &t.Conversation},
		{"before", t.Prev},
		{"after", t.Next},
	} {
		if id.id != nil {
			o.println(o.faint(fmt.Sprintf("%-12s  %s", id.name, id.id)))
		}
	}
}

// showChunk prints a chunk of a document: its place in the file, its metadata and its text.
func (s *session) showChunk(t *retrieval.Turn) {
	c := t.Chunk
	for _, line := range []string{cleantext.Line(c.Path) + pages(c.Pages), cleantext.Line(string(c.Meta))} {
		if line != "" {
			s.out.println(s.out.faint(line))
		}
	}
	if t.User != "" {
		s.out.println()
		s.out.println(s.out.bold(cleantext.Line(t.User)))
	}
	s.out.println()
	s.out.println(strings.TrimRight(cleantext.Text(t.Assistant), "\n"))
}

func (s *session) showVoice(who, text string) {
	s.out.println()
	s.out.println(s.out.bold(who))
	if text == "" {
		s.out.println(s.out.faint("(no text)"))
		return
	}
	s.out.println(strings.TrimRight(cleantext.Text(text), "\n"))
}

func facts(t *retrieval.Turn) []string {
	when := "undated"
	if t.Time != nil {
		when = moment(*t.Time)
		if t.TimeSource != "message" {
			when += " (time of the " + t.TimeSource + ")"
		}
	}
	all := []string{when, t.Source}
	if t.Model != "" {
		all = append(all, cleantext.Line(t.Model))
	}
	if t.OnPath {
		all = append(all, fmt.Sprintf("turn %s of %s", grouped(t.Position+1), grouped(t.Turns)))
	} else {
		all = append(all, "on a branch")
	}
	return all
}
