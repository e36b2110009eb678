package offline

import (
	"cmp"
	"context"
	"errors"

	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// Retriever is the offline retriever over an archive. It runs in this process, or in a child process for a single
// query.
type Retriever struct {
	level   offline.Level // of queries that name none
	local   *offline.Retriever
	single  bool // this process was started for one query
	workers *pool
	child   func(ctx context.Context, q Query) (Reply, error) // answers in a child process; nil: never
}

// Search calls offline.Retriever.Search.
func (r *Retriever) Search(ctx context.Context, query string, opts offline.SearchOptions) (*offline.Found, error) {
	opts.Level = cmp.Or(opts.Level, r.level)
	if r.isLocal(opts.Level) {
		found, err := r.local.Search(ctx, query, opts)
		if !r.mustRetry(err) {
			return found, err
		}
	}
	reply, err := r.child(ctx, Query{Text: query, Search: &opts})
	if err == nil && reply.Found == nil {
		err = errNoReply
	}
	return reply.Found, err
}

// Answer calls offline.Retriever.Answer.
func (r *Retriever) Answer(
	ctx context.Context, hits []offline.Hit, prompt string, opts offline.AnswerOptions,
) (*offline.Answer, error) {
	opts.Level = cmp.Or(opts.Level, r.level)
	if r.isLocal(opts.Level) {
		answer, err := r.local.Answer(ctx, hits, prompt, opts)
		if !r.mustRetry(err) {
			return answer, err
		}
	}
	reply, err := r.child(ctx, Query{Text: prompt, Answer: &opts, Hits: hits})
	if err == nil && reply.Answer == nil {
		err = errNoReply
	}
	return reply.Answer, err
}

var errNoReply = &errs.Error{Code: errs.Internal, Op: "offline query", Message: "the query process did not reply"}

// isLocal reports whether this process answers queries of a level: it must be cut off from the network and, for
// paranoid queries, started for one query.
func (r *Retriever) isLocal(level offline.Level) bool {
	return r.single || sandbox.Active() != sandbox.None && level != offline.Paranoid
}

// mustRetry reports whether to retry in a new process, because the network block of this one failed.
func (r *Retriever) mustRetry(err error) bool {
	var revert *offline.Revert
	return r.child != nil && errors.As(err, &revert) && revert.Reason == offline.NetworkBlockFailed
}

// StandBy keeps a child process waiting, cut off and verified, for the next query that needs one, until stop is called.
// The process answers one query and is then replaced. It opens an unencrypted archive before the query arrives; for an
// encrypted one, the key comes with the query.
func (r *Retriever) StandBy() (stop func()) {
	if !sandbox.Supported() {
		return func() {}
	}
	r.workers.open()
	return r.workers.close
}
