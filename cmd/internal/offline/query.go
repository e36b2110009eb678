package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"lens/cmd/internal/explain"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval/offline"
)

// OfflineVerb is the verb of a child process for one query. The process prints readyLine, reads an OfflineQuery from
// its input and writes an OfflineReply, each on one line.
const OfflineVerb = "offline-query"

// OfflineQuery is the request to the child process: a search, or an answer from hits.
type OfflineQuery struct {
	Text   string                 `json:"text"`
	Search *offline.SearchOptions `json:"search,omitempty"`
	Answer *offline.AnswerOptions `json:"answer,omitempty"`
	Hits   []offline.Hit          `json:"hits,omitempty"`
	Key    []byte                 `json:"key,omitempty"` // of an encrypted archive
}

// OfflineReply is the response of the child process.
type OfflineReply struct {
	Found  *offline.Found   `json:"found,omitempty"`
	Answer *offline.Answer  `json:"answer,omitempty"`
	Reason offline.Reason   `json:"reason,omitempty"` // set if the retriever refused
	Error  *explain.Failure `json:"error,omitempty"`
}

// Search calls offline.Retriever.Search.
func (o *Offline) Search(ctx context.Context, query string, opts offline.SearchOptions) (*offline.Found, error) {
	if o.isHere(opts.Level) {
		found, err := o.here.Search(ctx, query, opts)
		if !o.again(err) {
			return found, err
		}
	}
	reply, err := o.child(ctx, OfflineQuery{Text: query, Search: &opts})
	if err == nil && reply.Found == nil {
		err = errNoReply
	}
	return reply.Found, err
}

// Answer calls offline.Retriever.Answer.
func (o *Offline) Answer(
	ctx context.Context, hits []offline.Hit, prompt string, opts offline.AnswerOptions,
) (*offline.Answer, error) {
	if o.isHere(opts.Level) {
		answer, err := o.here.Answer(ctx, hits, prompt, opts)
		if !o.again(err) {
			return answer, err
		}
	}
	reply, err := o.child(ctx, OfflineQuery{Text: prompt, Answer: &opts, Hits: hits})
	if err == nil && reply.Answer == nil {
		err = errNoReply
	}
	return reply.Answer, err
}

// isHere reports whether this process answers queries of a level: it must be cut off from the network and, for paranoid
// queries, started for one query.
func (o *Offline) isHere(level offline.Level) bool {
	return o.fresh || sandbox.Active() != sandbox.None && level != offline.Paranoid
}

// again reports whether to retry in a new process, because the network block of this one failed.
func (o *Offline) again(err error) bool {
	var revert *offline.Revert
	return o.child != nil && errors.As(err, &revert) && revert.Reason == offline.NetworkBlockFailed
}

var errNoReply = &errs.Error{Code: errs.Internal, Op: "offline query", Message: "the query process did not reply"}

// ask sends the query to a child process: the waiting one, or, if that does not reply, a new one. The query and the key
// go through a pipe, since other users can see arguments.
func (o *Offline) ask(ctx context.Context, q OfflineQuery) (reply OfflineReply, err error) {
	q.Key = o.lens.Keys.Export()
	defer clear(q.Key)
	text, err := json.Marshal(q)
	if err != nil {
		return reply, err
	}
	defer clear(text)
	defer func() { go o.ready.fill() }() // after the query, which needs the processors
	var said []byte
	if w := o.ready.take(); w != nil {
		said = w.ask(ctx, text)
	}
	if len(said) == 0 && ctx.Err() == nil {
		w, err := o.start()
		if err != nil {
			return reply, failedProcess(err)
		}
		said = w.ask(ctx, text)
	}
	if err := json.Unmarshal(said, &reply); err != nil {
		if ctx.Err() != nil {
			return reply, ctx.Err()
		}
		return reply, failedProcess(err)
	}
	return reply, reply.err()
}

func failedProcess(cause error) error {
	return &errs.Error{Code: errs.Internal, Op: "offline query", Message: "the query process failed", Err: cause}
}

// err returns the error that fail recorded, as far as it can be encoded.
func (r *OfflineReply) err() error {
	if r.Error == nil {
		return nil
	}
	var err error = &errs.Error{
		Code: errs.Code(r.Error.Code), Op: "offline query", Message: r.Error.Message, Hint: r.Error.Hint,
	}
	if r.Reason != "" {
		return &offline.Revert{Reason: r.Reason, Err: err}
	}
	return err
}

// ServeOffline runs the child process. It answers one query.
func (l *App) ServeOffline(ctx context.Context, in io.Reader, out io.Writer) error {
	o := l.Offline(true)
	o.child = nil
	opened := l.openEarly(ctx)
	if _, err := io.WriteString(out, readyLine); err != nil {
		return err
	}
	var q OfflineQuery
	var reply OfflineReply
	err := json.NewDecoder(in).Decode(&q)
	l.Keys.Import(q.Key)
	renewed := opened.renew()
	switch {
	case renewed != nil:
		err = renewed
	case err != nil:
		err = &errs.Error{Code: errs.Invalid, Op: "offline query", Message: "no query was received", Err: err}
	case q.Search != nil:
		reply.Found, err = o.Search(ctx, q.Text, *q.Search)
	case q.Answer != nil:
		reply.Answer, err = o.Answer(ctx, q.Hits, q.Text, *q.Answer)
	}
	reply.fail(err)
	return json.NewEncoder(out).Encode(reply)
}

// fail records why there is no answer. Of a Revert it sends only the reason and the cause, from which err rebuilds it.
func (r *OfflineReply) fail(err error) {
	if err == nil {
		return
	}
	var revert *offline.Revert
	if errors.As(err, &revert) {
		r.Reason = revert.Reason
		f := explain.Failure{}
		if told := explain.Error(revert.Err); len(told) > 0 {
			f = told[0]
		}
		r.Error = &f
		return
	}
	f := explain.Error(err)[0]
	r.Error = &f
}
