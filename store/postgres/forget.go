package postgres

import (
	"context"

	"github.com/google/uuid"
)

// forgetQueries remove conversations without vectors, in an order that references allow.
var forgetQueries = []string{
	"ForgetTurns", "ForgetChunks", "ForgetDocuments", "ForgetMessages", "DropVersions", "ForgetConversations",
}

// forgetAllQueries empty the archive.
var forgetAllQueries = []string{
	"ForgetAllVectors", "ForgetAllEmbeddedTexts", "ForgetAllGenerations", "ForgetAllBlocks", "ForgetAllSegments",
	"ForgetAllTurns", "ForgetAllChunks", "ForgetAllDocuments", "ForgetAllMessages", "ForgetAllConversations",
	"ForgetAllImportRuns", "ForgetAllVersions", "ForgetAllImportedFiles", "RaiseImportedEpoch", "DropKept",
}

// Forget implements store.Tx. It also merges the keyword index into one segment without the removed
// turns.
func (t *tx) Forget(ctx context.Context, conversations []uuid.UUID) (turns int, err error) {
	if err := t.messages.flush(ctx); err != nil {
		return 0, err
	}
	if _, err := t.deleteVectors(ctx, "ForgetVectors", conversations); err != nil {
		return 0, err
	}
	for _, name := range forgetQueries {
		gone, err := t.run(ctx, name, conversations)
		if err != nil {
			return 0, err
		}
		if name == "ForgetTurns" {
			turns = int(gone)
		}
	}
	return turns, t.forgetWords(ctx)
}

// ForgetTurns implements store.Tx. It also merges the keyword index, as Forget does.
func (t *tx) ForgetTurns(ctx context.Context, turns, messages []uuid.UUID) error {
	if err := t.Remove(ctx, turns, messages); err != nil {
		return err
	}
	return t.forgetWords(ctx)
}

// Remove implements store.Tx.
func (t *tx) Remove(ctx context.Context, turns, messages []uuid.UUID) error {
	t.turns = t.turns || len(turns) > 0
	if err := t.messages.flush(ctx); err != nil {
		return err
	}
	if err := t.DeleteVectors(ctx, turns); err != nil {
		return err
	}
	if _, err := t.deleteVectors(ctx, "ForgetMessageVectors", messages); err != nil {
		return err
	}
	if _, err := t.run(ctx, "ForgetSingleTurns", turns); err != nil {
		return err
	}
	_, err := t.run(ctx, "ForgetSingleMessages", messages)
	return err
}

// forgetWords drops the words and vectors of turns that are gone from the indexes, and drops what is kept.
func (t *tx) forgetWords(ctx context.Context) error {
	t.turns, t.vectors, t.moved, t.wiped = true, true, true, true
	if _, err := t.run(ctx, "DropKept"); err != nil {
		return err
	}
	segments, err := t.segments(ctx)
	if err != nil || len(segments) == 0 {
		return err
	}
	return t.merge(ctx, segments)
}

// ForgetEverything implements store.Tx.
func (t *tx) ForgetEverything(ctx context.Context) error {
	if err := t.messages.flush(ctx); err != nil {
		return err
	}
	t.turns, t.vectors, t.moved, t.wiped = true, true, true, true
	for _, name := range forgetAllQueries {
		if _, err := t.run(ctx, name); err != nil {
			return err
		}
	}
	return t.dropForgotten(ctx)
}

// vacuum erases forgotten text from the tables. Rows that a reader still sees wait for the server's
// own vacuum, as does everything if this one fails; the change is committed in any case.
func (c *conn) vacuum(ctx context.Context) { _, _ = c.run(ctx, "Vacuum") }
