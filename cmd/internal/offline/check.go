package offline

import (
	"context"
	"fmt"

	"lens/cmd/internal/doctor"
	"lens/internal/sandbox"
)

// Checks is a probe that tries to open connections from this process, and reports which were refused. Call
// network.CutOff first.
func (s *Service) Checks(ctx context.Context) []doctor.Check {
	checks := []doctor.Check{checkBlock()}
	for _, a := range sandbox.SelfTest(ctx) {
		c := doctor.Check{Name: a.Method, Status: doctor.OK, Message: "refused"}
		switch {
		case a.Refused:
		case sandbox.Active() == sandbox.Seccomp:
			c.Status, c.Message, c.Hint = doctor.Fail, "not refused", "do not rely on --offline on this machine, and report this"
		default:
			c.Status, c.Message = doctor.Warn, "not blocked on this system"
		}
		checks = append(checks, c)
	}
	return append(checks, s.Audit.check(ctx))
}

func checkBlock() doctor.Check {
	c := doctor.Check{Name: "block", Status: doctor.OK}
	e, err := sandbox.Verify()
	switch {
	case err != nil:
		return doctor.Failed("block", err)
	case e.Mechanism == sandbox.Guard:
		c.Status, c.Hint = doctor.Warn, "do not use lens search --security strict here; it needs a block"
		c.Message = "guard: Lens connects to this machine only, but the system does not enforce that"
	default:
		c.Message = fmt.Sprintf("%s refused %d kinds of socket, %s", e.Mechanism, e.Probes, openSockets(e.Sockets))
	}
	return c
}

func openSockets(n int) string {
	switch n {
	case 0:
		return "no sockets open"
	case 1:
		return "1 socket open, harmless"
	}
	return fmt.Sprintf("%d sockets open, all harmless", n)
}

func (a *Audit) check(ctx context.Context) doctor.Check {
	r, err := a.Verify(ctx)
	switch {
	case err != nil:
		return doctor.Failed("audit", err)
	case !r.Intact():
		return doctor.Check{
			Name: "audit", Status: doctor.Fail, Message: "the audit log was changed: " + r.Fault,
			Hint: "run lens audit verify to see where",
		}
	}
	c := doctor.Check{Name: "audit", Status: doctor.OK, Message: fmt.Sprintf("%d log lines, none changed", r.Lines)}
	if r.Lines == 1 {
		c.Message = "1 log line, not changed"
	}
	if r.Unseen != "" {
		c.Status, c.Hint = doctor.Warn, "run lens audit verify with the PIN to compare them with the archive"
		c.Message += "; not compared with the archive: " + r.Unseen
	}
	return c
}
