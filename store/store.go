// Package store is the contract between Lens and the place where an archive lives: the types that are kept, the reads
// and writes that every backend offers, and the errors it may answer with.
//
// The rules are:
//
//   - A backend stores and fetches. What a re-import means is decided once, in store/ingest; what ranks first is decided
//     once, in retrieval. So two backends that pass store/storetest answer alike, to the last digit.
//   - One writer at a time, any number of readers, and a reader sees whole commits only.
//   - A turn's id never changes (a citation must not go stale); its Ord does, whenever its text does, so that whatever was
//     indexed under the old Ord is dead without being hunted for.
//   - Texts that are stored are valid UTF-8 without NUL: ingest scrubs, backends may rely on it.
package store

import (
	"context"
	"iter"

	"github.com/google/uuid"
)

// Store is one archive. All methods are safe for concurrent use. Every method honours ctx, also in the middle of a query,
// and answers then with an error that wraps ctx.Err().
type Store interface {
	Reader

	// Update runs fn in one write transaction and commits when fn returns nil; otherwise nothing of it remains.
	// A second writer, in this process or another, waits for a moment and then gets CodeUnavailable with a message that says
	// who is writing. fn must not keep tx.
	Update(ctx context.Context, fn func(tx Tx) error) error

	// Optimize merges what many small writes left behind (keyword segments, planner statistics). It is called after an import
	// and never changes an answer.
	Optimize(ctx context.Context) error

	// Close releases everything. A closed Store answers CodeUnavailable.
	Close() error
}

// Reader is what can be asked of an archive.
type Reader interface {
	// Catalog returns the small columns of all turns, in time order, as of the latest commit. It costs next to nothing while the
	// archive has not changed. The result is shared and must not be modified.
	Catalog(ctx context.Context) (*Catalog, error)

	// Postings returns one list a term, in the order of terms; a term that does not occur has an empty list. Lists may hold
	// dead Ords (see Catalog.Row).
	Postings(ctx context.Context, terms []string) ([]Postings, error)

	// Nearest returns up to k turns with a vector in the active generation, of those that f lets through, by descending inner
	// product with the unit vector query; ties by ascending Ord. There are k of them unless f lets fewer through. Similarities are
	// computed with Dot from the stored halves, so that they are equal on every backend, and the order of what is returned is theirs.
	//
	// Where f lets up to ExactWindow turns through, they are the nearest. Among more, a backend may miss some of those: from 1,024
	// dimensions on, where the signs of vectors say which are compared, at least 0.999 of them are found on average; by an index of
	// Postgres's own, among more than 10,000 and a tenth of the archive, about 0.985. Otherwise none is missed.
	// CodeDimensionMismatch when len(query) is not the generation's dim, CodeInvalid when query is not of unit length (see
	// CheckQuery), CodeNotFound when no generation is active.
	Nearest(ctx context.Context, query []float32, f Filter, k int) ([]Neighbor, error)

	// Similarities returns Dot(query, vector) for each of ords, NaN where there is no vector. Errors as Nearest.
	Similarities(ctx context.Context, query []float32, ords []Ord) ([]float64, error)

	// Turns returns the turns of ids in the order of ids. CodeNotFound when one of them is not there.
	Turns(ctx context.Context, ids []uuid.UUID) ([]Turn, error)

	// FindTurns returns up to limit ids that begin with prefix (lower-case hex digits and hyphens), in ascending order.
	FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error)

	// EachTurn yields the turns that f lets through in time order (ties by turn id, undated last), holding few in memory.
	EachTurn(ctx context.Context, f Filter) iter.Seq2[Turn, error]

	// Conversations returns the conversations of ids, without messages and turns, in the order of ids. CodeNotFound when one of
	// them is not there.
	Conversations(ctx context.Context, ids []uuid.UUID) ([]Conversation, error)

	// ConversationIDs returns the ids of all conversations that came from source ("": from anywhere), in ascending order: also of
	// those without a turn, which no catalog shows.
	ConversationIDs(ctx context.Context, source Source) ([]uuid.UUID, error)

	// DocumentIDs returns the conversations of source Documents whose path is under, or lies in the folder under, by ascending path;
	// all of them when under is "". Paths have slashes.
	DocumentIDs(ctx context.Context, under string) ([]uuid.UUID, error)

	// Messages returns all messages of a conversation, every branch, in Seq order, Raw included. Empty when there is none.
	Messages(ctx context.Context, conversation uuid.UUID) ([]Message, error)

	// Generations returns all embedding generations, the active one first, then by ID.
	Generations(ctx context.Context) ([]Generation, error)

	// Pending returns up to limit embeddable turns that f lets through and that have no vector in generation gen (0: any
	// generation, all are pending), with Ord > after, by ascending Ord.
	Pending(ctx context.Context, gen GenerationID, f Filter, after Ord, limit int) ([]Turn, error)

	// CountPending returns how many turns Pending would yield in all.
	CountPending(ctx context.Context, gen GenerationID, f Filter) (int, error)

	// Runs returns the ingest runs, newest first.
	Runs(ctx context.Context, limit int) ([]Run, error)
}

// Tx is one write transaction. Its reads see its own writes. Bulk arguments may be large; a backend writes them in bulk.
type Tx interface {
	// ConversationStates returns what is known of those of ids that are stored.
	ConversationStates(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]ConversationState, error)

	// MessageStates returns the stored messages of the given conversations, by message id.
	MessageStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]MessageState, error)

	// MessageOwners returns, of those of ids that are stored, the conversation that each belongs to.
	MessageOwners(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]uuid.UUID, error)

	// TurnStates returns the stored turns of the given conversations, by turn id.
	TurnStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]TurnState, error)

	// PutConversations inserts or replaces conversation rows with their Documents (not their messages and turns).
	PutConversations(ctx context.Context, conversations []Conversation) error

	// PutMessages inserts or replaces messages by id.
	PutMessages(ctx context.Context, conversation uuid.UUID, messages []Message) error

	// ReserveOrds returns the first of n fresh ordinals, never handed out before in this archive.
	ReserveOrds(ctx context.Context, n int) (Ord, error)

	// PutTurns inserts or replaces turns by id, under the Ord that each carries, with their Chunks. Texts are not stored with a turn:
	// they are those of its messages.
	PutTurns(ctx context.Context, turns []Turn) error

	// AddTerms adds one keyword segment: for each of ords the terms of that turn's text. len(ords) == len(terms).
	AddTerms(ctx context.Context, ords []Ord, terms [][]TermCount) error

	// PutGeneration returns the generation with g's provider, model, dim and recipe, inserting it when new (inactive). g.ID and
	// g.Active are ignored.
	PutGeneration(ctx context.Context, g Generation) (Generation, error)

	// Activate makes gen the only active generation.
	Activate(ctx context.Context, gen GenerationID) error

	// PutVectors inserts or replaces vectors of generation gen. CodeDimensionMismatch for a wrong length, CodeInvalid for a
	// vector that is zero or not finite; a vector that is not of unit length is made so. CodeNotFound for an unknown generation;
	// vectors of turns that are not there (forgotten while they were being embedded) are dropped.
	PutVectors(ctx context.Context, gen GenerationID, vectors []Vector) error

	// DeleteVectors removes the vectors of the given turns in every generation.
	DeleteVectors(ctx context.Context, turns []uuid.UUID) error

	// PutRun records an ingest run.
	PutRun(ctx context.Context, r Run) error

	// Forget removes conversations with their messages, turns and vectors, and says how many turns went.
	Forget(ctx context.Context, conversations []uuid.UUID) (turns int, err error)

	// ForgetEverything empties the archive.
	ForgetEverything(ctx context.Context) error
}
