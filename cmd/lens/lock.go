package main

import "github.com/spf13/cobra"

func (s *session) lockCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "lock",
		Short:   "Lock the encrypted archive",
		Long:    "Undoes lens unlock, and locks open explorers and servers within seconds.",
		Example: "  lens lock",
		Args:    none,
		RunE:    s.lock,
	}
}

func (s *session) lock(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	kept, err := l.Drop()
	if err != nil {
		return err
	}
	if s.globals.json {
		return s.out.json(map[string]any{"locked": true, "was_unlocked": kept})
	}
	s.out.println("Locked.")
	return nil
}
