package offline

import (
	"context"
	"encoding/json"
	"sync"

	"lens/internal/errs"
)

// pool runs each query in a child process of its own. While it is open, it keeps one worker waiting that has not seen a
// query.
type pool struct {
	start func() (*worker, error)
	keys  Keys

	mu     sync.Mutex
	isOpen bool
	next   *worker // nil: none waits
	deaths int     // of workers that waited, since the last query
}

// maxDeaths is how many waiting workers may die in a row. After that, the next one is started only after a query.
const maxDeaths = 3

// ask sends the query to a worker: the waiting one, or, if that does not reply, a new one. The query and the key go
// through a pipe, since other users can see arguments.
func (p *pool) ask(ctx context.Context, q Query) (reply Reply, err error) {
	q.Key = p.keys.Export()
	defer clear(q.Key)
	text, err := json.Marshal(q)
	if err != nil {
		return reply, err
	}
	defer clear(text)
	defer func() { go p.fill() }() // after the query, which needs the processors
	var said []byte
	if w := p.take(); w != nil {
		said = w.ask(ctx, text)
	}
	if len(said) == 0 && ctx.Err() == nil {
		w, err := p.start()
		if err != nil {
			return reply, errProcess(err)
		}
		said = w.ask(ctx, text)
	}
	if err := json.Unmarshal(said, &reply); err != nil {
		if ctx.Err() != nil {
			return reply, ctx.Err()
		}
		return reply, errProcess(err)
	}
	return reply, reply.err()
}

func errProcess(cause error) error {
	return &errs.Error{Code: errs.Internal, Op: "offline query", Message: "the query process failed", Err: cause}
}

// open starts the first worker that waits.
func (p *pool) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.isOpen = true
	go p.fill()
}

// take hands the waiting worker to the caller, nil if there is none.
func (p *pool) take() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.next
	p.next, p.deaths = nil, 0
	return w
}

// fill starts a worker if none is waiting.
func (p *pool) fill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isOpen || p.next != nil {
		return
	}
	w, err := p.start()
	if err != nil {
		return // the next query starts one, and reports why that fails
	}
	p.next = w
	go p.watch(w)
}

// watch replaces a worker that ends while it waits.
func (p *pool) watch(w *worker) {
	<-w.gone
	p.mu.Lock()
	lost := p.next == w
	if lost {
		p.next = nil
		p.deaths++
	}
	again := lost && isClosed(w.ready) && p.deaths <= maxDeaths
	p.mu.Unlock()
	if again {
		p.fill()
	}
}

// close ends the waiting worker. No other is started ahead of its query.
func (p *pool) close() {
	p.mu.Lock()
	w := p.next
	p.next, p.isOpen = nil, false
	p.mu.Unlock()
	if w != nil {
		w.kill()
		<-w.gone
	}
}
