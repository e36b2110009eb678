package boot

import (
	"context"

	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// CutOffToSearch is CutOff for a process that answers a query: that it cannot be cut off is a decision not to answer, and is recorded. Errors:
// *offline.Revert, and those of Search for a level that there is not.
func (l *Lens) CutOffToSearch(ctx context.Context, level offline.Level) error {
	_, failed := l.CutOff()
	if failed == nil {
		return nil
	}
	refusing := offline.New(offline.Options{
		Audit: l.Audit(), Verify: func() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.None}, failed },
	})
	_, err := refusing.Search(ctx, "", offline.SearchOptions{Level: level})
	return err
}
