package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/audit"
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
		Long: `Follows the record from its first line to its last. Each line is bound to the one before by a key, and the last one is also kept in another file, so that a cut end is noticed. Key and file lie beside the record, not encrypted, since a locked archive must be recorded too: whoever may write there can put an older record back with them.

It ends with 0 when the record is whole, 1 when it was changed, and 2 when it cannot be checked.`,
		Example: "  lens audit verify",
		Args:    none,
		RunE:    s.auditVerify,
	}
	s.aside(verify)
	cmd.AddCommand(verify)
	return cmd
}

func (s *session) auditVerify(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	r, err := l.Audit().Verify()
	if err != nil {
		told, hint := s.explain(err)
		return &refusal{code: wrongUsage, message: told, hint: hint}
	}
	if s.globals.json {
		err = s.out.json(struct {
			OK bool `json:"ok"`
			audit.Report
		}{r.Intact(), r})
	} else {
		s.showAudit(r)
	}
	if err == nil && !r.Intact() {
		err = &refusal{
			code: failed, message: fmt.Sprintf("line %d of the record: %s", max(r.FaultyAt, 1), r.Fault),
			hint: "keep " + l.AuditPath() + " and what lies beside it for whoever looks into it; once they are moved away, a new record begins",
		}
	}
	return err
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
