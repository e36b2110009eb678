// Package store is the contract between Lens and the database that holds an archive: the types that
// are stored, the reads and writes that every backend offers, and the errors that they return.
//
// The rules are:
//
//   - A backend stores and fetches. Package store/ingest alone decides what a re-import means, and package
//     retrieval alone decides the ranking. Two backends that pass store/storetest therefore give the same
//     answers, to the last digit.
//   - There is one writer at a time and any number of readers. A reader sees whole commits only.
//   - A turn's id never changes, so that a citation stays valid. Its Ord changes whenever its text does:
//     whatever was indexed under the old Ord is dead, and nothing has to look for it.
//   - Stored texts are valid UTF-8 without NUL. Ingest cleans them, and backends may rely on it.
package store

import (
	"context"
	"iter"

	"github.com/google/uuid"
)

// Store is one archive. All methods are safe for concurrent use. Every method honors ctx, also in the
// middle of a query, and then returns an error that wraps ctx.Err().
type Store interface {
	Reader
	KeptReader

	// Update runs fn in one write transaction. It commits when fn returns nil and rolls back otherwise. A
	// second writer, in this process or another, waits for a moment and then gets errs.Unavailable with a
	// message that names the present writer. fn must not keep tx.
	Update(ctx context.Context, fn func(tx Tx) error) error

	// Forgotten returns the forgotten conversations and turns, as of the latest commit.
	Forgotten(ctx context.Context) (Forgotten, error)

	// Optimize merges the keyword segments that many small writes leave behind and renews the planner's
	// statistics. Call it after an import. It never changes the result of a read.
	Optimize(ctx context.Context) error

	// Close releases everything. A closed Store returns errs.Unavailable.
	Close() error
}

// Reader is the read side of an archive.
type Reader interface {
	EmbeddedReader
	AnswerReader
	VersionReader
	ImportReader

	// Catalog returns the small columns of all turns, in time order, as of the latest commit. It is nearly
	// free while the archive has not changed. The result is shared and must not be modified.
	Catalog(ctx context.Context) (*Catalog, error)

	// Postings returns one list per term, in the order of terms; a term that does not occur has an empty
	// list. Lists may hold dead Ords (see Catalog.Row).
	Postings(ctx context.Context, terms []string) ([]Postings, error)

	// Nearest returns up to k turns that match f and have a vector in the active generation, by descending
	// inner product with the unit vector query; ties by ascending Ord. It returns fewer than k only if f
	// matches fewer. Similarities are computed with Dot from the stored halves and decide the order of the
	// result, so they are equal on every backend.
	//
	// The result is exact if f matches at most ExactWindow turns. Above that, a backend may miss some of
	// the nearest turns: from 1,024 dimensions on, where the signs of the vectors select the candidates,
	// the mean recall is at least 0.999; with a Postgres HNSW index, used for more than 10,000 turns that
	// are at least a tenth of the archive, it is about 0.985. In all other cases the result is exact.
	//
	// Errors: errs.DimensionMismatch if len(query) is not the generation's dim, errs.Invalid if query is not
	// of unit length (see CheckQuery), errs.NotFound if no generation is active.
	Nearest(ctx context.Context, query []float32, f Filter, k int) ([]Neighbor, error)

	// Similarities returns Dot(query, vector) for each of ords, NaN for a turn without a vector. Errors:
	// as Nearest.
	Similarities(ctx context.Context, query []float32, ords []Ord) ([]float64, error)

	// Turns returns the turns of ids in the order of ids. errs.NotFound if one of them does not exist.
	Turns(ctx context.Context, ids []uuid.UUID) ([]Turn, error)

	// FindTurns returns up to limit ids that begin with prefix (lower-case hex digits and hyphens), in ascending order.
	FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error)

	// EachTurn yields the turns that match f in time order (ties by turn id, undated turns last). It holds
	// few of them in memory.
	EachTurn(ctx context.Context, f Filter) iter.Seq2[Turn, error]

	// Conversations returns the conversations of ids, without messages and turns, in the order of ids.
	// errs.NotFound if one of them does not exist.
	Conversations(ctx context.Context, ids []uuid.UUID) ([]Conversation, error)

	// ConversationIDs returns the ids of all conversations from source ("": any source), in ascending
	// order. It includes conversations without turns, which no catalog shows.
	ConversationIDs(ctx context.Context, source Source) ([]uuid.UUID, error)

	// DocumentIDs returns the conversations of source Documents whose path is under, or lies in the folder
	// under, by ascending path; all of them if under is "". Paths use slashes.
	DocumentIDs(ctx context.Context, under string) ([]uuid.UUID, error)

	// Models returns the models that answered turns, as Slugs.
	Models(ctx context.Context) ([]string, error)

	// Tags returns the tags of documents and chunks, each once, in ascending order.
	Tags(ctx context.Context) ([]string, error)

	// Messages returns all messages of a conversation, every branch, in Seq order, including Raw. An
	// unknown conversation has none.
	Messages(ctx context.Context, conversation uuid.UUID) ([]Message, error)

	// Generations returns all embedding generations, the active one first, then by ID.
	Generations(ctx context.Context) ([]Generation, error)

	// Pending returns up to limit embeddable turns that match f and have no vector in generation gen, with
	// Ord > after, by ascending Ord. If gen is 0, every embeddable turn is pending.
	Pending(ctx context.Context, gen GenerationID, f Filter, after Ord, limit int) ([]Turn, error)

	// CountPending returns the number of turns that Pending would return without a limit.
	CountPending(ctx context.Context, gen GenerationID, f Filter) (int, error)
}

// AnswerReader finds the answers to one user message.
type AnswerReader interface {
	// Answers returns the answers to a user message of a conversation by Position: the one that was chosen first, if that
	// is on the active path. An unknown one has none.
	Answers(ctx context.Context, conversation, userMessage uuid.UUID) ([]Answer, error)

	// FindAnswer returns the turn whose answer has this AnswerID, although its own id is another: it was chosen after it
	// had not been. It reads all turns off the path. errs.NotFound if there is none.
	FindAnswer(ctx context.Context, id uuid.UUID) (turn uuid.UUID, err error)
}

// VersionReader reads the versions of conversations, and finds what derives from them.
type VersionReader interface {
	// MessageOwners returns the conversation of each of those ids that are stored.
	MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error)

	// Versions returns what Tx.PutVersions stored for a conversation, nil if nothing.
	Versions(ctx context.Context, conversation uuid.UUID) ([]byte, error)

	// VersionedIDs returns the conversations for which Versions returns something, in ascending order.
	VersionedIDs(ctx context.Context) ([]uuid.UUID, error)

	// DerivedIDs returns the conversations of documents whose Origin is one of conversations, in ascending order.
	DerivedIDs(ctx context.Context, conversations []uuid.UUID) ([]uuid.UUID, error)
}

// States is what a re-import asks in its transaction.
type States interface {
	// ConversationStates returns the states of those of ids that are stored.
	ConversationStates(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]ConversationState, error)

	// MessageStates returns the stored messages of the given conversations, by message id.
	MessageStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]MessageState, error)

	// MessageOwners returns the conversation of each of those ids that are stored.
	MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error)

	// DerivedIDs returns the same as that of HistoryReader.
	DerivedIDs(ctx context.Context, conversations []uuid.UUID) ([]uuid.UUID, error)

	// TurnStates returns the stored turns of the given conversations, by turn id.
	TurnStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]TurnState, error)
}

// Tx is one write transaction. Its reads see its own writes. Bulk arguments may be large; a backend
// writes them in bulk.
type Tx interface {
	States
	ImportedWriter
	KeptWriter

	// PutConversations inserts or replaces conversation rows with their Documents, without messages and
	// turns.
	PutConversations(ctx context.Context, conversations []Conversation) error

	// PutMessages inserts or replaces messages by id.
	PutMessages(ctx context.Context, conversation uuid.UUID, messages []Message) error

	// PutVersions stores, for a stored conversation, the versions of it that were imported, in an encoding that only
	// ingest knows. It replaces the former ones; nil removes them.
	PutVersions(ctx context.Context, conversation uuid.UUID, versions []byte) error

	// ReserveOrds returns the first of n consecutive ordinals that this archive has never used.
	ReserveOrds(ctx context.Context, n int) (Ord, error)

	// PutTurns inserts or replaces turns by id, under the Ord that each carries, with their Chunks. Texts
	// are not stored with a turn: they are the texts of its messages.
	PutTurns(ctx context.Context, turns []Turn) error

	// AddTerms adds one keyword segment: terms[i] are the terms of the turn ords[i]. len(ords) ==
	// len(terms).
	AddTerms(ctx context.Context, ords []Ord, terms []Terms) error

	// PutGeneration returns the generation with g's provider, model, dim, recipe and prefixes. It inserts a new one
	// as inactive. g.ID and g.Active are ignored.
	PutGeneration(ctx context.Context, g Generation) (Generation, error)

	// Activate makes gen the only active generation.
	Activate(ctx context.Context, gen GenerationID) error

	// PutVectors inserts or replaces vectors of generation gen, scales each to unit length, and stores the texts that
	// are known. A text leaves with the last vector that was made of it, whatever removes that one. Vectors of
	// turns that no longer exist (forgotten while they were being embedded) are dropped. Errors:
	// errs.DimensionMismatch for a wrong length, errs.Invalid for a vector that is zero or not finite,
	// errs.NotFound for an unknown generation.
	PutVectors(ctx context.Context, gen GenerationID, vectors []Vector) error

	// DeleteVectors removes the vectors of the given turns from every generation.
	DeleteVectors(ctx context.Context, turns []uuid.UUID) error

	// PutEmbeddedTexts adds the texts of stored vectors. It changes no known text, and drops what no vector was made
	// of: its turn may have been forgotten meanwhile.
	PutEmbeddedTexts(ctx context.Context, texts []EmbeddedText) error

	// PutImportRun records an import.
	PutImportRun(ctx context.Context, r ImportRun) error

	// Forget removes conversations with their messages, turns, vectors and embedded texts. It returns the number of
	// removed turns.
	Forget(ctx context.Context, conversations []uuid.UUID) (turns int, err error)

	// ForgetTurns removes turns with their vectors, and messages. It leaves their conversations, whose other
	// messages must not have a removed one as Parent. Unknown ids do nothing.
	ForgetTurns(ctx context.Context, turns, messages []uuid.UUID) error

	// Remove removes turns with their vectors, and messages, as ForgetTurns does, but need not erase their words and
	// bytes at once: another version or another conversation has the texts.
	Remove(ctx context.Context, turns, messages []uuid.UUID) error

	// PutForgotten replaces what Forgotten returns. It drops what is known of imported files, but no roots, and raises
	// the epoch.
	PutForgotten(ctx context.Context, f Forgotten) error

	// ForgetEverything empties the archive, and raises the epoch. Nothing is Forgotten then.
	ForgetEverything(ctx context.Context) error
}
