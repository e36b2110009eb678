// Package ingest is the write path of the archive: it imports exports, embeds turns, summarizes long ones, exports and
// forgets.
//
// It decides what a repeated import changes, once for all backends. The rules are:
//
//   - The archive is a function of the versions of conversations that were imported and of all that is forgotten, never
//     of their order. A version that was imported before changes nothing and costs one look-up.
//   - What the archive shows of a conversation is chat.Fold of its versions: the messages of all of them, each as the
//     newest version has it that has it at all; path, title and times of the newest. That is the one with the latest
//     update time, an unknown time is the earliest, and between equal times the greater hash decides: an edit that the
//     service does not date may lose. The text of an older version stays in the message's raw JSON.
//   - Messages and turns that only an older version has are off the active path and come after the others. When the
//     newer one hides a message of such a turn, or gives it another role or turn, the turn keeps a copy.
//   - The store keeps the versions themselves only while several contribute: most conversations have one, and one that
//     only grew needs no other.
//   - A turn whose text changed gets a new Ord, is indexed again and loses its vectors. A new summary costs it only the
//     vectors, any other change none of these.
//   - When conversations have a message with the same id, the one that began first keeps it, of several the one with
//     the least id, and the messages of the others get ids of their own: see shared_ids.go.
//   - A forgotten conversation or turn stays forgotten, in every version of its conversation and in others that repeat
//     it, unless Options.Restore is set. It is left out of each version by itself, so when it was forgotten does not
//     matter.
//   - A document is always what its file says now, whatever the times: see folder_documents.go. Text that it no longer
//     holds stays, as that of a chat does.
//   - A transaction holds whole conversations, and only the content of the files decides where it ends. So an import
//     that is killed leaves whole conversations, and the next run adds the others.
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

// Options configures an import. The zero value is usable.
type Options struct {
	DryRun    bool // count everything, only by reading; the archive may be nil
	Documents bool // read a folder as documents, even when it holds an export
	// Tools keeps what the tools of sessions returned, and thoughts, 4 KB of each; they are left out otherwise. A path
	// for which an import was asked to keep them is read so from then on.
	Tools bool
	// Restore brings back forgotten conversations and turns; otherwise an import leaves them out.
	Restore bool
	// Forgetting is ForgetOptions.Before for turns that an import finds to be copies of forgotten ones and removes; it may
	// be called several times. nil: nothing is called.
	Forgetting func(context.Context, Forgotten) error
	// Refuse returns why a path is not to be read, for one that does not keep the others out; nil: none is refused.
	Refuse func(path string) error
	// Spool is the folder for what has to be unpacked, such as a zip in a zip: encrypted, with a key in memory alone, and
	// removed at the end. "": the folder of temporary files.
	Spool string
	// Tag is the client_tag of documents and records. "": a document's tag is the first folder that it is in.
	Tag string
	// VectorsOf is the model of the vectors that come with records. The zero Model: unknown, so they are left out.
	VectorsOf  Model
	BatchBytes int            // bytes of conversations per transaction; 0: 48 MiB
	Progress   func(Progress) // called from one goroutine, at most ten times a second and once at the end; nil: never
	Version    string         // of Lens: another one reads files again that have not changed
	Once       bool           // do not remember the paths: Refresh leaves them out

	refresh bool            // by Refresh
	counted tally           // what other imports of the refresh have counted; nil: nothing
	toolsOf map[string]bool // roots that were imported with Tools before
}

// Import reads the exports, documents and records at paths (zips, folders, files) into st and returns a receipt. It
// opens all paths before it writes anything. A path that cannot be opened, and a file that is damaged or not an export
// after all, do not stop the others: Import keeps the conversations before the damage, and the error says how many. A
// path from which nothing came is an error, too: see PathReceipt. The Receipt is never nil and counts all that was
// committed.
//
// Memory holds at most inFlight bytes of parsed conversations, or a single larger one, and the JSON that chat.Stream
// reads ahead, or the next large conversation. That is about 120 MB for any number of conversations, and about twelve
// times the JSON of the largest conversation when that exceeds inFlight.
func Import(ctx context.Context, st store.Store, paths []string, opts Options) (*Receipt, error) {
	var err error
	if opts.toolsOf, err = rootsWithTools(ctx, st); err != nil {
		return NewReceipt(), err
	}
	in, err := openInputFiles(ctx, paths, opts)
	if err != nil {
		return NewReceipt(), err
	}
	receipt, err := importFiles(ctx, st, in, opts)
	return receipt, errors.Join(err, in.Close())
}

func importFiles(ctx context.Context, st store.Store, in *inputFiles, opts Options) (*Receipt, error) {
	run := &run{started: time.Now(), receipt: NewReceipt(), opts: opts, st: st}
	run.receipt.addPaths(in.paths)
	if len(in.files) == 0 {
		return run.receipt, in.broken()
	}
	err := run.importAll(ctx, in)
	run.receipt.Duration = time.Since(run.started).Milliseconds()
	if err != nil {
		return run.receipt, err
	}
	run.receipt.checkPaths(in.paths)
	gone, vanished := in.known.gone(in)
	run.receipt.Vanished = append(run.receipt.Vanished, vanished...)
	if !opts.DryRun {
		err = run.finish(ctx, gone)
	}
	return run.receipt, cmp.Or(err, in.broken())
}

// run is a running import. The receipt and the progress belong to the goroutine that writes.
type run struct {
	started time.Time
	receipt *Receipt
	opts    Options
	st      store.Store // nil in a dry run without an archive
}

// tally returns what counts conversations once.
func (r *run) tally() tally {
	if r.opts.counted != nil {
		return r.opts.counted
	}
	return tally{}
}

// transactor runs transactions: writer writes to the archive, dryRun only counts.
type transactor interface {
	// transact runs fn in a transaction, and passes it the function that writes a batch. If fn fails, nothing stays.
	transact(ctx context.Context, fn transaction) error
}

// transaction writes batches, and returns the files to remember.
type transaction func(writeBatch) ([]store.ImportedFile, error)

// writeBatch writes a batch and returns what that changed.
type writeBatch func(*batch) (outcome, error)

func (r *run) transactor(known existing, epoch int64) transactor {
	if r.opts.DryRun {
		return newDryRun(r.st, known, r.opts.Restore, r.tally())
	}
	return &writer{
		st: r.st, vectorsOf: r.opts.VectorsOf, restore: r.opts.Restore, forgetting: r.opts.Forgetting, epoch: epoch,
		tally: r.tally(),
	}
}

// importAll reads, analyzes and writes at the same time, each step a batch ahead of the next. Files that could not be
// read to their end do not stop the import.
func (r *run) importAll(ctx context.Context, in *inputFiles) error {
	for _, f := range in.files {
		r.receipt.addFile(f)
	}
	for i := range in.paths {
		r.receipt.MissingParts = append(r.receipt.MissingParts, in.paths[i].missing...)
	}
	files, err := newKnown(ctx, r.st, in.paths)
	if err != nil {
		return err
	}
	if !r.opts.Restore { // which may bring back something of every file
		in.known = files
	} else {
		in.known = &known{epoch: files.epoch}
	}
	known, err := newExisting(ctx, r.st)
	if err != nil {
		return err
	}
	read, analyzed, room := make(chan *batch), make(chan *batch), semaphore.NewWeighted(inFlight)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(read)
		return in.batches(ctx, r.st, newPlan(r.opts.BatchBytes, known), room, read)
	})
	group.Go(func() error {
		defer close(analyzed)
		return newAnalysis(known).run(ctx, read, analyzed)
	})
	group.Go(func() error {
		w := batchLoop{run: r, batches: analyzed, room: room, meter: meter{report: r.opts.Progress, started: r.started}}
		w.meter.now.Total = in.total
		w.remember = remembering{in: in, parts: map[int]*part{}, roots: make([]bool, len(in.paths)), begun: r.started}
		return w.writeAll(ctx, r.transactor(known, files.epoch))
	})
	return group.Wait()
}

// batchLoop writes the batches of an import.
type batchLoop struct {
	*run
	batches  <-chan *batch
	room     *semaphore.Weighted // of inFlight bytes
	meter    meter
	remember remembering
}

// writeAll writes all batches. The receipt counts only what is committed. When ctx is done, no more batches come, and
// what is written of the open transaction is committed.
func (w *batchLoop) writeAll(ctx context.Context, to transactor) error {
	next, more := <-w.batches
	for more {
		draft := w.receipt.clone()
		begun, cancel := context.WithCancel(context.WithoutCancel(ctx))
		stop := context.AfterFunc(ctx, cancel) // until it begins: another process may be writing
		err := to.transact(begun, func(write writeBatch) ([]store.ImportedFile, error) {
			stop()
			var finished []finishedFile
			for first := true; more && (first || !next.opensTransaction); next, more = <-w.batches {
				first = false
				if err := w.writeOne(next, write, draft); err != nil {
					return nil, err
				}
				finished = append(finished, next.finished...)
			}
			return w.remember.toStore(finished, draft)
		})
		cancel()
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
	if err := w.remember.record(b.entries); err != nil {
		return err
	}
	clear(b.entries)
	if b.bytes > inFlight {
		runtime.GC() // free the memory of a large conversation before the next one is read
	}
	w.room.Release(weight(b.bytes))
	w.meter.now.Done = b.read
	w.meter.now.Conversations, w.meter.now.Turns = draft.Conversations.total(), draft.Turns.Total
	w.meter.tick()
	return nil
}

// finish optimizes the archive, records the run, and forgets files that are gone, by root. A refresh without
// changes is not recorded: it may come every minute.
func (r *run) finish(ctx context.Context, gone map[string][]string) error {
	if r.opts.refresh && !r.receipt.Changed() && len(gone) == 0 {
		return nil
	}
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
		for root, paths := range gone {
			if err := tx.DropImportedFiles(ctx, root, paths); err != nil {
				return err
			}
		}
		run := store.ImportRun{ID: uuid.New(), Started: r.started, Finished: time.Now(), Receipt: receipt}
		return tx.PutImportRun(ctx, run)
	})
}
