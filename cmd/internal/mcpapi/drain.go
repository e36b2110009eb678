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

// drainTimeout bounds the wait for running calls after a client has closed its end.
const drainTimeout = 5 * time.Second

// drainTransport answers pending calls after the input has ended, so that lens mcp < requests answers all of them.
type drainTransport struct {
	mcp.Transport
}

// Connect implements mcp.Transport.
func (t drainTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainConnection{Connection: c, open: map[jsonrpc.ID]bool{}, closed: make(chan struct{})}, nil
}

type drainConnection struct {
	mcp.Connection
	once   sync.Once
	closed chan struct{}

	mu   sync.Mutex
	open map[jsonrpc.ID]bool // calls that were not answered yet
	none chan struct{}       // closed when open becomes empty; nil if Read does not wait
}

// Read implements mcp.Connection.
func (c *drainConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.Connection.Read(ctx)
	if request, ok := message.(*jsonrpc.Request); ok && err == nil {
		c.track(request)
	}
	if errors.Is(err, io.EOF) {
		c.wait(ctx)
	}
	return message, err
}

const methodCanceled = "notifications/cancelled" //nolint:misspell // the protocol's spelling

// track remembers a call, and forgets a canceled one, which may never be answered.
func (c *drainConnection) track(r *jsonrpc.Request) {
	var canceled struct {
		ID any `json:"requestId"`
	}
	switch {
	case r.IsCall():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[r.ID] = true
	case r.Method == methodCanceled && json.Unmarshal(r.Params, &canceled) == nil:
		if id, err := jsonrpc.MakeID(canceled.ID); err == nil {
			c.settle(id)
		}
	}
}

// settle forgets a call. After the last one it ends the wait.
func (c *drainConnection) settle(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, id)
	if len(c.open) == 0 && c.none != nil {
		close(c.none)
		c.none = nil
	}
}

// wait waits until every call is answered.
func (c *drainConnection) wait(ctx context.Context) {
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
	case <-time.After(drainTimeout):
	}
}

// Write implements mcp.Connection.
func (c *drainConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	reply, isReply := message.(*jsonrpc.Response)
	if isReply {
		reply.Error = coded(reply.Error)
	}
	err := c.Connection.Write(ctx, message)
	if isReply {
		c.settle(reply.ID)
	}
	return err
}

// coded gives an error of the SDK a code of JSON-RPC if it has none: that of requests out of order, such as a call
// before initialize or a second initialize. The SDK would send 0.
func coded(err error) error {
	if known := new(*jsonrpc.Error); err == nil || errors.As(err, known) && (*known).Code != 0 {
		return err
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
}

// Close implements mcp.Connection.
func (c *drainConnection) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
