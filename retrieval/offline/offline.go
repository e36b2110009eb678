// Package offline is the retriever that refuses rather than guesses. It answers from the archive alone, only while
// this process is verifiably cut off from the network, and only after the decision to answer has been recorded.
//
// A query goes through it like this:
//
//	found, err := r.Search(ctx, query, offline.SearchOptions{})   // hits, by vector and recency
//	best := offline.Rerank(found.Hits, r.now(), level)            // the four most relevant ones
//	answer, err := r.Answer(ctx, best, query, …)                  // quoted or generated, with citations
//
// The rules are:
//
//   - Before every Search and Answer the block holds, the archive is open and the keywords are valid. Afterwards,
//     before anything is returned, the audit line is on disk. If any of these fails, the result is a Revert with
//     its reason and nothing else.
//   - Every score can be traced to its parts: see Hit and Parts.
//   - An answer says nothing that the hits do not say. Without a model it consists of quotations; with one it
//     passes the filter that removes citations of anything that was not read. Without hits it is NoAnswer.
//   - Earlier conclusions of the user appear next to an answer. They are read, never written, and are not evidence.
//   - No text of a query or a chunk gets into the audit, an error or a log.
package offline

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"lens/internal/audit"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval"
)

// Level is how careful the retriever is.
type Level string

// From the least to the most careful: what each requires in addition to the one before.
const (
	Standard Level = "standard" // a guard suffices where the system cannot block the network
	Strict   Level = "strict"   // a block, or nothing
	Paranoid Level = "paranoid" // one process per query (SingleQuery), no recency, quotations only
)

// Levels lists all levels.
func Levels() []Level { return []Level{Standard, Strict, Paranoid} }

// DefaultK is how many hits a Search returns, and MaxK how many at most.
const (
	DefaultK = 8
	MaxK     = 100
)

// Searcher is the part of the engine that the retriever uses.
type Searcher interface {
	CheckEmbedded(ctx context.Context) error
	Shortlist(ctx context.Context, query string, synonyms []string) ([]retrieval.Candidate, error)
	Hydrate(ctx context.Context, ids []uuid.UUID) ([]retrieval.Turn, error)
}

// Recorder records decisions: audit.Log does.
type Recorder interface {
	Append(d audit.Decision) (seq uint64, err error)
}

// Options says what a Retriever works with. Archive and Audit are required.
type Options struct {
	Archive     func(ctx context.Context) (Searcher, error) // called for every query: it may be locked
	Audit       Recorder
	Verify      func() (sandbox.Evidence, error) // nil: sandbox.Verify
	Keywords    *Keywords                        // nil: no synonyms
	Writer      Writer                           // nil: answers are quotations
	Conclusions ConclusionReader                 // nil: there are no conclusions
	SingleQuery bool                             // this process serves one query only
	Now         func() time.Time                 // nil: the clock
}

// Retriever answers queries. It is safe for concurrent use.
type Retriever struct{ opts Options }

// New returns a retriever that has opened nothing yet.
func New(opts Options) *Retriever {
	if opts.Verify == nil {
		opts.Verify = sandbox.Verify
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Retriever{opts}
}

// Decision says how network isolation was verified, and where that is recorded.
type Decision struct {
	QID       string            `json:"qid"`
	Level     Level             `json:"security"`
	Mechanism sandbox.Mechanism `json:"mechanism"`
	Probes    int               `json:"probes"`
	Seq       uint64            `json:"audit_seq"`
}

// auditedQuery is one query on its way through the checks.
type auditedQuery struct {
	qid   string // "": a new one
	level Level
	k     int
}

// decide runs do between the checks and the audit record. do returns how many hits it found.
func (r *Retriever) decide(
	ctx context.Context, a auditedQuery, do func(Searcher, Synonyms) (hits int, err error),
) (Decision, error) {
	d := Decision{QID: cmp.Or(a.qid, newQID()), Level: a.level, Mechanism: sandbox.None}
	if !a.level.isValid() {
		return d, invalid("use standard, strict or paranoid", "unknown security level")
	}
	if !isQID(d.QID) { // it is recorded, and a text of the client's might reveal the query
		return d, invalid("use the qid that a search returned, or omit it", "invalid qid")
	}
	hits, err := r.attempt(ctx, &d, do)
	var reverted *Revert
	switch reverted = revertOf(ctx, err); {
	case err != nil && reverted == nil:
		return d, err
	case reverted != nil:
		hits = 0
	}
	line := audit.Decision{
		Act: audit.Proceed, QID: d.QID, Mode: string(d.Level), Mechanism: string(d.Mechanism), Probes: d.Probes,
		K: a.k, Hits: hits,
	}
	if reverted != nil {
		line.Act, line.Reason = audit.Revert, string(reverted.Reason)
	}
	seq, failed := r.opts.Audit.Append(line)
	d.Seq = seq
	switch {
	case reverted != nil:
		return d, reverted
	case failed != nil:
		return d, &Revert{Reason: AuditUnavailable, Err: failed}
	}
	return d, nil
}

// attempt runs do if all checks pass.
func (r *Retriever) attempt(
	ctx context.Context, d *Decision, do func(Searcher, Synonyms) (hits int, err error),
) (int, error) {
	e, err := r.opts.Verify()
	d.Mechanism, d.Probes = e.Mechanism, e.Probes
	switch {
	case err != nil:
		return 0, err
	case d.Level != Standard && e.Mechanism != sandbox.Seccomp:
		return 0, &Revert{Reason: NetworkBlockUnsupported}
	case d.Level == Paranoid && !r.opts.SingleQuery:
		return 0, &Revert{Reason: NetworkBlockFailed, Err: errNotSingleQuery}
	}
	searcher, err := r.opts.Archive(ctx)
	if err != nil {
		return 0, err
	}
	synonyms, err := r.opts.Keywords.Current() // may be encrypted with the archive
	if err != nil && errs.CodeOf(err) != errs.Locked {
		err = &Revert{Reason: InvalidConfig, Err: err}
	}
	if err != nil {
		return 0, err
	}
	return do(searcher, synonyms)
}

func (l Level) isValid() bool { return l == Standard || l == Strict || l == Paranoid }

// newQID names a query in the audit. It is random, so nothing of the query is in it.
func newQID() string {
	id := make([]byte, 8)
	rand.Read(id)
	return hex.EncodeToString(id)
}

func isQID(text string) bool {
	id, err := hex.DecodeString(text)
	return err == nil && len(id) == 8
}
