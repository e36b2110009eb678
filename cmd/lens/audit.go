package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/audit"
	"lens/internal/boot"
)

func (s *session) auditCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "The record of the offline retriever's decisions",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Check that no line of the record was changed, taken out or put in",
		Long: `Follows the record from its first line to its last. Each line is bound to the one before by a key, and the last one is also kept beside the record and, in SQLite, in the archive, so that a cut end is noticed. Key and record are not encrypted, since a locked archive must be recorded too; what the archive remembers is encrypted with it. Whoever puts back an older archive, with the record of that time, is not noticed.

It ends with 0 when the record is whole, 1 when it was changed, and 2 when it cannot be checked, also where the archive stays locked.`,
		Example: "  lens audit verify",
		Args:    none,
		RunE:    s.auditVerify,
	}
	renew := &cobra.Command{
		Use:     "renew",
		Short:   "Set the record aside and begin a new one",
		Long:    `Moves the record with its key into a folder beside it, has the archive forget where it ended, and begins a new one with a line that says so. For a record that was changed, or that stayed behind when the archive was moved: until then no search of the offline retriever is answered. An encrypted archive must be opened for it.`,
		Example: "  lens audit renew",
		Args:    none,
		RunE:    s.auditRenew,
	}
	for _, verb := range []*cobra.Command{verify, renew} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

func (s *session) auditVerify(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	r, err := l.VerifyAudit(cmd.Context())
	if err != nil {
		told, hint := s.explain(err)
		return &refusal{code: wrongUsage, message: told, hint: hint}
	}
	if s.globals.json {
		err = s.out.json(struct {
			OK bool `json:"ok"`
			boot.AuditReport
		}{r.Intact() && r.Unseen == "", r})
	} else {
		s.showAudit(r.Report)
	}
	switch {
	case err != nil:
		return err
	case !r.Intact():
		return &refusal{
			code: failed, message: fmt.Sprintf("line %d of the record: %s", max(r.FaultyAt, 1), r.Fault),
			hint: "lens audit renew sets it aside, for whoever looks into it, and begins a new one",
		}
	case r.Unseen != "":
		return &refusal{
			code: wrongUsage, message: "whether the end of the record is missing, only the archive can tell: " + r.Unseen,
			hint: "run lens audit verify with the PIN, or --pin-file",
		}
	}
	return nil
}

func (s *session) auditRenew(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	folder, err := l.RenewAudit(cmd.Context())
	if err != nil {
		return err
	}
	if s.globals.json {
		return s.out.json(map[string]string{"set_aside": folder})
	}
	s.out.println("The record so far is in " + s.out.line(folder, 1000) + "; a new one is begun.")
	return nil
}

func (s *session) showAudit(r audit.Report) {
	switch {
	case r.Lines == 0 && r.Intact():
		s.out.println("nothing was recorded yet")
	default:
		s.out.printf("%s intact, %d of them reverts; the last of %s\n", count(int(r.Lines), "line"), r.Reverts, r.Last)
	}
	if r.Torn {
		s.out.println("a crash left a piece of a line at the end; it never counted, and the next decision replaces it")
	}
}
