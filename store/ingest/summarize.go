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

// summaryType is the content type of the message that holds a summary made by Lens: Summary holds the summary, Model
// and Time tell which model made it and when. Its Seq is 0, so that a summary imported later wins.
const summaryType = store.LensSummary

// summaryNamespace is the UUIDv5 namespace of summary messages. Their ids derive from the turn's, so a turn has at most
// one.
var summaryNamespace = uuid.MustParse("6c656e73-0000-5000-8000-73756d6d6172") // "lens", "summar" in ASCII

// ErrNoSummary is wrapped by a Summarizer's error when the model answered, but with no usable summary for this turn.
var ErrNoSummary = errors.New("no summary")

// Summarizer summarizes a question and its answer in a few sentences.
type Summarizer interface {
	Summarize(ctx context.Context, user, assistant string) (string, error)
	Name() string // of the model, stored with the summary
}

// SummarizeOptions selects the turns to summarize, of the whole archive. The zero value is usable.
type SummarizeOptions struct {
	Longer   int            // a turn is long if its reply has more characters than this; 0: 4,000
	Limit    int            // turns in this run; 0: all
	AtOnce   int            // requests in flight at the same time; 0: 4
	Progress func(Progress) // nil: never
}

// long reports whether t is a turn with a long reply and no summary. Chunks never are: they are cut to be read as they
// are.
func (o SummarizeOptions) long(t *store.Turn) bool {
	if t.Summary != "" || !t.Embeddable || t.Source.Chunked() {
		return false
	}
	return utf8.RuneCountInString(t.AssistantText) > cmp.Or(o.Longer, 4000)
}

// SummarizeReport says what a run did.
type SummarizeReport struct {
	Summarized int
	Failed     []FailedTurn // the next run tries them again
	Pending    int          // long turns that still have no summary
}

// Unsummarized calls each for every long turn without a summary, in order of time, and returns how many there are.
func Unsummarized(
	ctx context.Context, st store.Reader, opts SummarizeOptions, each func(*store.Turn),
) (n int, err error) {
	for t, err := range st.EachTurn(ctx, store.Filter{}) {
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

// Summarize gives a summary to every long turn that has none, and deletes the vectors that were made without it, so
// that Embed replaces them. It resumes where an earlier run stopped. When the model fails for a turn, only that turn
// fails; but when the model cannot be reached before any turn has succeeded, the run fails. The report is never nil.
func Summarize(ctx context.Context, st store.Store, model Summarizer, opts SummarizeOptions) (*SummarizeReport, error) {
	r := &summarizeRun{
		st:     st,
		model:  model,
		report: new(SummarizeReport),
		meter:  meter{report: opts.Progress, started: time.Now()},
	}
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

// summarizeRun is a run of Summarize.
type summarizeRun struct {
	st    store.Store
	model Summarizer

	mu     sync.Mutex // guards what follows; held while a turn is written
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
		kept, err := r.write(context.WithoutCancel(ctx), &turns[0], chat.Tidy(summary)) // the summary has been paid for
		if err != nil {
			return err
		}
		r.report.Summarized += boolToInt(kept)
	}
	r.meter.now.Done++
	r.meter.now.Turns = r.report.Summarized
	r.meter.tick()
	return nil
}

// write stores a summary, unless the turn has changed since it was read.
func (r *summarizeRun) write(ctx context.Context, t *store.Turn, summary string) (kept bool, err error) {
	err = r.st.Update(ctx, func(tx store.Tx) error {
		states, err := tx.TurnStates(ctx, []uuid.UUID{t.Conversation})
		if kept = err == nil && states[t.ID].Hash == t.Hash; !kept {
			return err
		}
		id := uuid.NewSHA1(summaryNamespace, t.ID[:])
		note := store.Message{
			ID: id, SourceID: id.String(), Role: store.Assistant, ContentType: summaryType,
			Summary: summary, Model: r.model.Name(), Time: time.Now().UTC().Truncate(time.Microsecond),
			Visible: true, OnPath: t.OnPath, Turn: t.ID, Raw: []byte("{}"),
		}
		if err := tx.PutMessages(ctx, t.Conversation, []store.Message{note}); err != nil {
			return err
		}
		return tx.DeleteVectors(ctx, []uuid.UUID{t.ID})
	})
	return kept, err
}
