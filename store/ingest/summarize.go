package ingest

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/store"
	"lens/store/ingest/chat"
)

// summaryType is the content type of a summary that Lens had made: a message of the turn that says nothing itself. Its Summary is the summary,
// its Model and Time say who made it and when. Its Seq is 0, so that a summary that is imported later wins.
const summaryType = "lens_turn_summary"

// summaryNamespace is made of the turn's, so that a turn has one note at most.
var summaryNamespace = uuid.MustParse("6c656e73-0000-5000-8000-73756d6d6172") // "lens", "summar" in ASCII

// ErrNoSummary is what a Summarizer's error wraps when it was reached, and gave nothing for this one exchange that could be kept.
var ErrNoSummary = errors.New("no summary")

// Summarizer says an exchange in a few sentences.
type Summarizer interface {
	Summarize(ctx context.Context, user, assistant string) (string, error)
	Name() string // of the model, kept as provenance
}

// SummarizeOptions says what to sum up. The zero value is usable.
type SummarizeOptions struct {
	Filter   store.Filter
	Longer   int            // characters of a reply beyond which a turn is long; 0: 4,000
	Limit    int            // turns in this run; 0: all
	AtOnce   int            // 0: 4
	Progress func(Progress) // nil: never
}

// long reports whether t is an exchange whose reply is long. A chunk is cut to be read as it is.
func (o SummarizeOptions) long(t *store.Turn) bool {
	return t.Summary == "" && t.Embeddable && !t.Source.Chunked() && utf8.RuneCountInString(t.AssistantText) > cmp.Or(o.Longer, 4000)
}

// SummarizeReport says what a run did.
type SummarizeReport struct {
	Summarized int
	Failed     []FailedTurn // tried again by the next run
	Pending    int          // long turns that still have no summary
}

// Unsummarized calls each with every long turn that has no summary, in time order, and says how many there are.
func Unsummarized(ctx context.Context, st store.Reader, opts SummarizeOptions, each func(*store.Turn)) (n int, err error) {
	for t, err := range st.EachTurn(ctx, opts.Filter) {
		if err != nil {
			return n, err
		}
		if opts.long(&t) {
			n++
			each(&t)
		}
	}
	return n, nil
}

// Summarize gives a summary to every long turn that has none, and takes the vectors away that were made without it: Embed makes them anew.
// It goes on where an earlier run stopped. A turn that the model fails at fails alone. So does one for which it cannot be reached, unless nothing
// has succeeded yet. The report is never nil.
func Summarize(ctx context.Context, st store.Store, model Summarizer, opts SummarizeOptions) (*SummarizeReport, error) {
	r := &summarizeRun{st: st, model: model, report: new(SummarizeReport), meter: meter{report: opts.Progress, started: time.Now()}}
	var ids []uuid.UUID
	total, err := Unsummarized(ctx, st, opts, func(t *store.Turn) {
		if opts.Limit == 0 || len(ids) < opts.Limit {
			ids = append(ids, t.ID)
		}
	})
	if err != nil {
		return r.report, err
	}
	r.meter.now.Total = int64(len(ids))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(opts.AtOnce, 4))
	for _, id := range ids {
		if groupCtx.Err() != nil {
			break
		}
		group.Go(func() error { return r.summarize(groupCtx, id) })
	}
	err = cmp.Or(group.Wait(), ctx.Err())
	r.meter.done()
	r.report.Pending = total - r.report.Summarized
	return r.report, err
}

// summarizeRun is one run under way.
type summarizeRun struct {
	st    store.Store
	model Summarizer

	mu     sync.Mutex // held by the one turn that is being written
	report *SummarizeReport
	meter  meter
}

func (r *summarizeRun) summarize(ctx context.Context, id uuid.UUID) error {
	turns, err := r.st.Turns(ctx, []uuid.UUID{id})
	if err != nil {
		return err
	}
	summary, failure := r.model.Summarize(ctx, turns[0].UserText, turns[0].AssistantText)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case failure != nil && (ctx.Err() != nil || r.report.Summarized == 0 && !errors.Is(failure, ErrNoSummary)):
		return failure
	case failure != nil:
		r.report.Failed = append(r.report.Failed, FailedTurn{id, failure})
	default:
		kept, err := r.write(context.WithoutCancel(ctx), &turns[0], chat.Tidy(summary)) // it has been paid for
		if err != nil {
			return err
		}
		r.report.Summarized += toInt(kept)
	}
	r.meter.now.Done++
	r.meter.now.Turns = r.report.Summarized
	r.meter.tick()
	return nil
}

// write keeps a summary, unless the turn has changed meanwhile.
func (r *summarizeRun) write(ctx context.Context, t *store.Turn, summary string) (kept bool, err error) {
	err = r.st.Update(ctx, func(tx store.Tx) error {
		states, err := tx.TurnStates(ctx, []uuid.UUID{t.Conversation})
		if kept = err == nil && states[t.ID].Hash == t.Hash; !kept {
			return err
		}
		id := uuid.NewSHA1(summaryNamespace, t.ID[:])
		note := store.Message{
			ID: id, SourceID: id.String(), Role: store.Assistant, ContentType: summaryType, Summary: summary, Model: r.model.Name(),
			Time: time.Now().UTC().Truncate(time.Microsecond), Visible: true, OnPath: t.OnPath, Turn: t.ID, Raw: []byte("{}"),
		}
		if err := tx.PutMessages(ctx, t.Conversation, []store.Message{note}); err != nil {
			return err
		}
		return tx.DeleteVectors(ctx, []uuid.UUID{t.ID})
	})
	return kept, err
}

// retainSummary keeps a summary that Lens had made with its turn as long as that did not change; else it belongs to none. It reports whether m is one.
func (a storedVersion) retainSummary(m *store.Message, p *chat.Parsed) bool {
	if m.ContentType != summaryType {
		return false
	}
	for i := range p.Turns {
		if t := &p.Turns[i]; t.ID == m.Turn && t.Hash == a.turns[t.ID].Hash {
			m.Seq, m.Hash = 0, store.Hash{}
			return true
		}
	}
	return false
}
