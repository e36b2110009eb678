package boot

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"lens/internal/sandbox"
	"lens/retrieval/offline"
	"lens/store"
)

// OfflineVerb is the verb of a process that is made for one query: it says that it is ready, reads an OfflineQuery from its
// input and writes an OfflineReply, each a line.
const OfflineVerb = "offline-query"

// OfflineQuery is what such a process is asked: a search, or with hits an answer.
type OfflineQuery struct {
	Text   string                 `json:"text"`
	Search *offline.SearchOptions `json:"search,omitempty"`
	Answer *offline.AnswerOptions `json:"answer,omitempty"`
	Hits   []offline.Hit          `json:"hits,omitempty"`
	Key    []byte                 `json:"key,omitempty"` // of an archive that is encrypted
}

// OfflineReply is what it says.
type OfflineReply struct {
	Found  *offline.Found  `json:"found,omitempty"`
	Answer *offline.Answer `json:"answer,omitempty"`
	Reason offline.Reason  `json:"reason,omitempty"` // it reverted
	Error  *Failure        `json:"error,omitempty"`
}

// Search is that of the Retriever.
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

// Answer is that of the Retriever.
func (o *Offline) Answer(ctx context.Context, hits []offline.Hit, prompt string, opts offline.AnswerOptions) (*offline.Answer, error) {
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

// isHere reports whether this process answers queries of a level: it is cut off and, for paranoid ones, it was made for one.
func (o *Offline) isHere(level offline.Level) bool {
	return o.fresh || sandbox.Active() != sandbox.None && level != offline.Paranoid
}

// again reports whether to try once more in a new process: the block of this one does not hold.
func (o *Offline) again(err error) bool {
	var revert *offline.Revert
	return o.child != nil && errors.As(err, &revert) && revert.Reason == offline.NetworkBlockFailed
}

var errNoReply = &store.Error{Code: store.CodeInternal, Op: "offline query", Message: "the query process did not reply"}

// ask has a process that was made for the query answer: the one that waits, or where that says nothing a new one. The query and the key go
// through a pipe: arguments are for all to see.
func (o *Offline) ask(ctx context.Context, q OfflineQuery) (reply OfflineReply, err error) {
	q.Key = o.lens.lend()
	defer clear(q.Key)
	text, err := json.Marshal(q)
	if err != nil {
		return reply, err
	}
	defer clear(text)
	defer func() { go o.ready.fill() }() // behind the query, which needs the processors
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
	return &store.Error{Code: store.CodeInternal, Op: "offline query", Message: "the query process failed", Err: cause}
}

// err is what fail was told, as far as it travels.
func (r *OfflineReply) err() error {
	if r.Error == nil {
		return nil
	}
	var err error = &store.Error{Code: store.Code(r.Error.Code), Op: "offline query", Message: r.Error.Message, Hint: r.Error.Hint}
	if r.Reason != "" {
		return &offline.Revert{Reason: r.Reason, Err: err}
	}
	return err
}

// ServeOffline is such a process's work. It answers the first query and no other.
func (l *Lens) ServeOffline(ctx context.Context, in io.Reader, out io.Writer) error {
	o := l.Offline(true)
	o.child = nil
	opened := l.openEarly(ctx)
	if _, err := io.WriteString(out, readyLine); err != nil {
		return err
	}
	var q OfflineQuery
	var reply OfflineReply
	err := json.NewDecoder(in).Decode(&q)
	l.borrow(q.Key)
	renewed := opened.renew()
	switch {
	case renewed != nil:
		err = renewed
	case err != nil:
		err = &store.Error{Code: store.CodeInvalid, Op: "offline query", Message: "no query was received", Err: err}
	case q.Search != nil:
		reply.Found, err = o.Search(ctx, q.Text, *q.Search)
	case q.Answer != nil:
		reply.Answer, err = o.Answer(ctx, q.Hits, q.Text, *q.Answer)
	}
	reply.fail(err)
	return json.NewEncoder(out).Encode(reply)
}

// fail says why there is no answer. Of a Revert only the cause travels: the rest is made of its reason again.
func (r *OfflineReply) fail(err error) {
	if err == nil {
		return
	}
	var revert *offline.Revert
	if errors.As(err, &revert) {
		r.Reason = revert.Reason
		f := Failure{}
		if told := Explain(revert.Err); len(told) > 0 {
			f = told[0]
		}
		r.Error = &f
		return
	}
	f := Explain(err)[0]
	r.Error = &f
}
