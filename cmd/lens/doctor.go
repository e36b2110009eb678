package main

import (
	"slices"

	"lens/cmd/internal/doctor"

	"github.com/spf13/cobra"
)

func (s *session) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the setup and suggest what to do next",
		Long: unwrap(`Checks everything that can be set up, changes nothing, and suggests what to do next.

With --offline, it also cuts itself off from the network, tries every known way out, and shows that each is refused.`),
		Example: `  lens doctor
  lens doctor --offline`,
		Args: none,
		RunE: s.doctor,
	}
}

func (s *session) doctor(cmd *cobra.Command, _ []string) error {
	var checks []doctor.Check
	if l, err := s.open(cmd); err != nil {
		checks = []doctor.Check{doctor.Failed("configuration", err)}
	} else {
		l.OnSecret(s.fileSecret) // a diagnosis asks no questions
		checks = l.Doctor.Diagnose(cmd.Context())
	}
	healthy := !slices.ContainsFunc(checks, func(c doctor.Check) bool { return c.Status == doctor.Fail })
	if s.globals.json {
		if err := s.out.json(map[string]any{"ok": healthy, "checks": checks}); err != nil {
			return err
		}
	} else {
		s.showChecks(checks)
	}
	if !healthy {
		return &refusal{code: failed, message: "some checks failed", hint: "see the lines marked fail"}
	}
	return cmd.Context().Err()
}

func (s *session) showChecks(checks []doctor.Check) {
	for _, c := range checks {
		mark := string(c.Status)
		switch c.Status {
		case doctor.Warn:
			mark = s.out.warn(mark)
		case doctor.Fail:
			mark = s.out.alarm(mark)
		}
		s.out.printf("%s%s  %-15s  %s\n", mark, "    "[len(c.Status):], c.Name, s.out.line(c.Message, 1000))
		if c.Hint != "" {
			s.out.printf("%23s%s %s\n", "", s.out.sign("→", "->"), s.out.line(c.Hint, 1000))
		}
	}
}
