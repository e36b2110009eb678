// Package ingest is the write path: it brings exports into an archive, gives turns their vectors, and takes things out again.
//
// What a re-import means is decided here, once for all backends. The rules are:
//
//   - A conversation whose hash is the stored one costs one look-up. One that was updated before the stored one is an older export
//     of it, and changes nothing either.
//   - Otherwise what the files say wins: new messages and turns are added, changed ones replaced.
//   - Of two versions of a conversation, in one import or in two, the one updated later stays; at equal times the one with more
//     messages. An unknown time is before all others. If that decides nothing, what is imported now takes the place of what an earlier
//     import brought: it may tell a change that the service does not date. Of two versions in one import the one with the greater hash
//     stays, so that it never depends on which was read first. What once gave way is remembered, and does not come back: a second
//     import of the same files, or of older ones, changes nothing.
//   - What the files no longer have stays. Messages that stay leave the active path; turns that stay do too, keep their text, and
//     stand behind the others. Where the files now tell a message of such a turn otherwise (hidden, in another role, in another turn),
//     the turn keeps a copy of what it was.
//   - A turn whose text changed gets a fresh Ord, is indexed anew and loses its vectors. Any other change costs it neither.
//   - Of two conversations with a message of one id, the one that was stored first keeps it; the other's gets an id of its own.
//   - A document is what its file says now, whatever the times: see folder.go. What it no longer says stays like that of a chat.
//   - A batch of conversations is one transaction, and batches are cut by what the files hold alone. So an import that was killed
//     leaves whole conversations, and the next run adds the others.
package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"lens/store"
)

// Options shapes an import. The zero value is usable.
type Options struct {
	DryRun     bool           // count everything by reads alone, write nothing; the archive may then be nil
	Documents  bool           // read a folder as documents, though it holds an export too
	Tag        string         // client_tag of documents and records; "": that of a document is the first folder that it lies in
	VectorsOf  Model          // whose the vectors are that come with records; the zero Model: nobody knows, so they are left out
	BatchBytes int            // of conversations a transaction; 0: 48 MiB
	Progress   func(Progress) // called from one goroutine, ten times a second at most and once at the end; nil: never
}

// Import reads the exports, documents and records at paths (zip, folder, file) into st and says what it found. All paths are looked through before
// anything is written. A file that breaks off, or is no export after all, does not keep the others from being read: what was whole
// of it is imported, and the error says how far that is. The Receipt is never nil, and holds what was done until the error.
//
// In memory are at most inFlight bytes of parsed conversations, or one that is larger, and beside them as much JSON as chat.Stream reads
// ahead, or the next large one. So an import needs about 120 MB of memory however many conversations there are, and where they
// are larger than inFlight about twelve times the JSON of the largest.
func Import(ctx context.Context, st store.Store, paths []string, opts Options) (*Receipt, error) {
	in, err := openInputFiles(ctx, paths, opts)
	if err != nil {
		return newReceipt(), err
	}
	receipt, err := importFiles(ctx, st, in, opts)
	return receipt, errors.Join(err, in.Close())
}

func importFiles(ctx context.Context, st store.Store, in *inputFiles, opts Options) (*Receipt, error) {
	run := &run{started: time.Now(), receipt: newReceipt(), opts: opts, st: st}
	broken, err := run.importAll(ctx, in)
	run.receipt.Duration = time.Since(run.started).Milliseconds()
	if err == nil && !opts.DryRun {
		err = run.finish(ctx)
	}
	return run.receipt, cmp.Or(err, broken)
}

// run is one import under way. The receipt and the progress belong to the goroutine that writes.
type run struct {
	started time.Time
	receipt *Receipt
	opts    Options
	st      store.Store // nil in a dry run without an archive
}

// transactor takes the batches in.
type transactor interface {
	// transact runs fn in a transaction, with what writes a batch in it. Nothing of it stays when fn fails.
	transact(ctx context.Context, fn func(writeBatch) error) error
}

// writeBatch writes a batch and says what that changed.
type writeBatch func(*batch) (outcome, error)

func (r *run) transactor(k existing) transactor {
	if r.opts.DryRun {
		return newDryRun(k)
	}
	return &writer{st: r.st, read: readVersions{}, vectorsOf: r.opts.VectorsOf}
}

// importAll reads, analyzes and writes at the same time, each a batch ahead of the next. broken tells of files that could not be read
// to their end, which is no reason for the others to stop.
func (r *run) importAll(ctx context.Context, in *inputFiles) (broken, err error) {
	for _, f := range in.files {
		r.receipt.addFile(f.path, f.format)
	}
	r.receipt.MissingShards = append(r.receipt.MissingShards, in.missing...)
	known, err := newExisting(ctx, r.st)
	if err != nil {
		return nil, err
	}
	read, analyzed, room := make(chan *batch), make(chan *batch), semaphore.NewWeighted(inFlight)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(read)
		broken = in.batches(ctx, r.st, newPlan(r.opts.BatchBytes), room, read)
		return ctx.Err()
	})
	group.Go(func() error {
		defer close(analyzed)
		return newAnalysis(known).run(ctx, read, analyzed)
	})
	group.Go(func() error {
		w := batchLoop{run: r, batches: analyzed, room: room, meter: meter{report: r.opts.Progress, started: r.started}}
		w.meter.now.Total = in.total
		return w.writeAll(ctx, r.transactor(known))
	})
	return broken, group.Wait()
}

// batchLoop is the writing of an import's batches.
type batchLoop struct {
	*run
	batches <-chan *batch
	room    *semaphore.Weighted // of inFlight bytes
	meter   meter
}

// run writes all batches. The receipt holds what is committed.
func (w *batchLoop) writeAll(ctx context.Context, to transactor) error {
	next, more := <-w.batches
	for more {
		draft := w.receipt.clone()
		err := to.transact(ctx, func(write writeBatch) error {
			for first := true; more && (first || !next.opensTransaction); next, more = <-w.batches {
				first = false
				if err := w.writeOne(next, write, draft); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		w.receipt = draft
	}
	w.meter.done()
	return nil
}

// writeOne writes one batch and makes room for the next.
func (w *batchLoop) writeOne(b *batch, write writeBatch, draft *Receipt) error {
	done, err := write(b)
	if err != nil {
		return err
	}
	draft.record(b.entries, done)
	clear(b.entries)
	if b.bytes > inFlight {
		runtime.GC() // else what a large conversation leaves behind would still lie there when the next one is in memory
	}
	w.room.Release(weight(b.bytes))
	w.meter.now.Done = b.read
	w.meter.now.Conversations, w.meter.now.Turns = draft.Conversations.total(), draft.Turns.Total
	w.meter.tick()
	return nil
}

// finish tidies the archive up and records the run.
func (r *run) finish(ctx context.Context) error {
	if r.receipt.Changed() {
		if err := r.st.Optimize(ctx); err != nil {
			return err
		}
	}
	receipt, err := json.Marshal(r.receipt)
	if err != nil {
		return err
	}
	return r.st.Update(ctx, func(tx store.Tx) error {
		return tx.PutRun(ctx, store.Run{ID: uuid.New(), Started: r.started, Finished: time.Now(), Receipt: receipt})
	})
}
