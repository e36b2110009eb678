package store

import (
	"context"

	"github.com/google/uuid"
)

// Dumper is implemented by a backend whose whole archive can be read as of one commit. Both backends are one. What it
// does not pass on is derived (the keyword index) or belongs to one machine (the head of the audit log).
type Dumper interface {
	// Dump passes everything that the archive holds to the functions of to, in an order in which a Tx can write it.
	// Writers go on meanwhile. It ends with the first error of a function.
	Dump(ctx context.Context, to Dump) error
}

// Dump receives an archive.
type Dump struct {
	Generation   func(Generation) error // by ascending ID, all of them first
	Conversation func(Conversation) error
	Versions     func(conversation uuid.UUID, body []byte) error // of those that have versions, after the conversation
	Vectors      func(GenerationID, []Vector) error              // Stored, and without Text
	Texts        func([]EmbeddedText) error                      // after the vectors
	Run          func(ImportRun) error                           // the oldest first
	Forgotten    func(Forgotten) error
	Imported     func(Imported) error // after Forgotten; if there is any file
}
