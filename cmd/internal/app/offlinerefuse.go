package app

import (
	"context"

	"lens/cmd/internal/network"
	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// CutOffToSearch is CutOff for a process that answers a query. If the process cannot be cut off, it must not answer,
// and the refusal is recorded. Errors: *offline.Revert, and those of Search for an unknown level.
func (l *App) CutOffToSearch(ctx context.Context, level offline.Level) error {
	_, failed := network.CutOff(l.cfg)
	if failed == nil {
		return nil
	}
	verify := func() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.None}, failed }
	refusing := offline.New(offline.Options{Audit: l.Audit(), Verify: verify})
	_, err := refusing.Search(ctx, "", offline.SearchOptions{Level: level})
	return err
}
