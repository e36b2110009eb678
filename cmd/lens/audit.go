package main

import (
	"github.com/spf13/cobra"

	offlineservice "lens/cmd/internal/offline"
	"lens/internal/audit"
)

func newAuditCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Check or renew the audit log of lens search",
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	verify := &cobra.Command{
		Use:   "verify",
		Short: "Check that no line of the audit log was changed, removed or added",
		Long: unwrap(`Reads the audit log from its first line to its last. A key links each line to the one before it.
The last line is also stored in a file next to the log and, with SQLite, in the archive, so that a truncated log is
detected. The key and the log are not encrypted, because Lens also logs what happens while the archive is locked; the
copy in the archive is encrypted with it. Restoring an older archive together with its log goes undetected.

Exits with 0 if the log is intact, 1 if it was changed, and 2 if it cannot be checked, for instance because the archive
is locked.`),
		Example: "  lens audit verify",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runAuditVerify(cmd, env) },
	}
	renew := &cobra.Command{
		Use:   "renew",
		Short: "Set the audit log aside and start a new one",
		Long: unwrap(`Moves the audit log and its key to a folder next to it, deletes the copy of its last line from the
archive, and starts a new log with a line that says so. Use it when the log was changed, or was left behind when the
archive moved: until then lens search answers nothing. An encrypted archive must be unlocked for it.`),
		Example: "  lens audit renew",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runAuditRenew(cmd, env) },
	}
	cmd.AddCommand(verify, renew)
	return cmd
}

func runAuditVerify(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	r, err := a.Offline.Audit.Verify(cmd.Context())
	if err != nil {
		message, hint := env.Report.explain(err)
		return usage(hint, "%s", message)
	}
	err = env.Print(struct {
		OK bool `json:"ok"`
		offlineservice.AuditReport
	}{r.Intact() && r.Unseen == "", r}, func() { printAuditReport(env.Out, r.Report) })
	switch {
	case err != nil:
		return err
	case !r.Intact():
		return failure("run lens audit renew to set the log aside for inspection and start a new one",
			"line %d of the audit log: %s", max(r.FaultyAt, 1), r.Fault)
	case r.Unseen != "":
		return usage("run lens audit verify with the PIN, or use --pin-file",
			"cannot check the end of the audit log: %s", r.Unseen)
	}
	return nil
}

func runAuditRenew(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	folder, err := a.Offline.Audit.Renew(cmd.Context())
	if err != nil {
		return err
	}
	return env.PrintLine(map[string]string{"set_aside": folder},
		"Moved the audit log to "+env.Out.line(folder, 1000)+" and started a new one.")
}

func printAuditReport(out *screen, r audit.Report) {
	switch {
	case r.Lines == 0 && r.Intact():
		out.println("The audit log is empty.")
	default:
		out.printf("%s intact, %s, last written %s\n",
			count(int(r.Lines), "line"), count(int(r.Reverts), "refusal"), r.Last)
	}
	if r.Torn {
		out.println("A crash left an incomplete last line. It does not count, and the next decision overwrites it.")
	}
}
