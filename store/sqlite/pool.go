package sqlite

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"lens/store/failure"
)

// pool hands out reader connections. It opens as many as are requested, so that a read inside the loop
// of another cannot deadlock, and keeps a few idle ones.
type pool struct {
	open func(ctx context.Context) (*conn, error)

	mu     sync.Mutex
	idle   []*conn
	inUse  sync.WaitGroup
	closed bool
}

func (p *pool) get(ctx context.Context) (*conn, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, failure.ErrClosed
	}
	p.inUse.Add(1)
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	c, err := p.open(ctx)
	if err != nil {
		p.inUse.Done()
	}
	return c, err
}

func (p *pool) put(c *conn) {
	defer p.inUse.Done()
	p.mu.Lock()
	if !p.closed && len(p.idle) < 2*runtime.GOMAXPROCS(0) {
		p.idle = append(p.idle, c)
		c = nil
	}
	p.mu.Unlock()
	_ = c.Close()
}

// close refuses further requests, waits for the connections in use and closes all.
func (p *pool) close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	var err error
	for _, c := range idle {
		err = errors.Join(err, c.Close())
	}
	p.inUse.Wait()
	return err
}
