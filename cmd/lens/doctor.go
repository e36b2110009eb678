package main

import (
	"slices"

	"github.com/spf13/cobra"

	"lens/internal/boot"
)

func (s *session) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "What is set up, what is not, and what to do next",
		Long: `Looks at everything that can be set up, changes nothing, and says what to do next.

With --offline it also cuts itself off from the network, tries to get out all the same, in every way that is known, and shows what was refused.`,
		Example: `  lens doctor
  lens doctor --offline`,
		Args: none,
		RunE: s.doctor,
	}
}

func (s *session) doctor(cmd *cobra.Command, _ []string) error {
	var checks []boot.Check
	if l, err := s.open(cmd); err != nil {
		checks = []boot.Check{boot.Failed("configuration", err)}
	} else {
		l.OnSecret(s.fileSecret) // who is asked what is wrong asks nothing
		checks = l.Diagnose(cmd.Context())
		if l.Config().Offline {
			checks = append(checks, l.DiagnoseOffline(cmd.Context())...)
		}
	}
	healthy := !slices.ContainsFunc(checks, func(c boot.Check) bool { return c.Status == boot.Fail })
	if s.globals.json {
		if err := s.out.json(map[string]any{"ok": healthy, "checks": checks}); err != nil {
			return err
		}
	} else {
		s.showChecks(checks)
	}
	if !healthy {
		return &refusal{code: failed, message: "something needs mending", hint: "the lines marked fail say what, and how"}
	}
	return cmd.Context().Err()
}

func (s *session) showChecks(checks []boot.Check) {
	for _, c := range checks {
		mark := string(c.Status)
		switch c.Status {
		case boot.Warn:
			mark = s.out.warn(mark)
		case boot.Fail:
			mark = s.out.alarm(mark)
		}
		s.out.printf("%s%s  %-13s  %s\n", mark, "    "[len(c.Status):], c.Name, s.out.line(c.Message, 1000))
		if c.Hint != "" {
			s.out.printf("%21s%s %s\n", "", s.out.sign("→", "->"), s.out.line(c.Hint, 1000))
		}
	}
}
