package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// patience is how long a client that has said all it wants to say is waited for.
const patience = 5 * time.Second

// patient is a transport whose end of the input does not break off what was asked before it: so lens mcp < requests answers all of them.
type patient struct{ mcp.Transport }

// Connect implements mcp.Transport.
func (t patient) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &patientConnection{Connection: c, open: map[jsonrpc.ID]bool{}, closed: make(chan struct{})}, nil
}

type patientConnection struct {
	mcp.Connection
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // calls without an answer
	none chan struct{}       // closed when there are no more; nil: nobody waits
}

// Read implements mcp.Connection.
func (c *patientConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if request, ok := message.(*jsonrpc.Request); ok && err == nil {
		c.note(request)
	}
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	return message, err
}

// note remembers a call, and forgets one that is cancelled: it may never be answered.
func (c *patientConnection) note(r *jsonrpc.Request) {
	var cancelled struct {
		ID any `json:"requestId"`
	}
	switch {
	case r.IsCall():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[r.ID] = true
	case r.Method == "notifications/cancelled" && json.Unmarshal(r.Params, &cancelled) == nil:
		if id, err := jsonrpc.MakeID(cancelled.ID); err == nil {
			c.settle(id)
		}
	}
}

// settle forgets a call, and ends the waiting for the last of them.
func (c *patientConnection) settle(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
	if len(c.open) == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// wait waits until every call has its answer.
func (c *patientConnection) wait(ctx context.Context) {
	c.mu.Lock()
	if len(c.open) == 0 {
		c.mu.Unlock()
		return
	}
	none := make(chan struct{})
	c.none = none
	c.mu.Unlock()
	select {
	case <-none:
	case <-c.closed:
	case <-ctx.Done():
	case <-time.After(patience):
	}
}

// Write implements mcp.Connection.
func (c *patientConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	err := c.Connection.Write(ctx, message)
	if answer, ok := message.(*jsonrpc.Response); ok {
		c.settle(answer.ID)
	}
	return err
}

// Close implements mcp.Connection.
func (c *patientConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
