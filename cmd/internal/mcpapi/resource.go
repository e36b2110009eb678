package mcpapi

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/errs"
	"lens/retrieval"
)

// turnURI precedes a turn's id in the URI of its resource.
const turnURI = "lens://turn/"

// addTurnResource makes every turn a resource.
func (s *Server) addTurnResource() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "turn", Title: "A turn of the archive", URITemplate: turnURI + "{id}", MIMEType: "text/plain",
		Description: "One turn in full: the user's message and the assistant's reply. " +
			"id is an ID that peek returned, or a unique prefix.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.readTurn(ctx, req.Params.URI)
	})
}

// readTurn returns a turn as a resource, or a protocol error.
func (s *Server) readTurn(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	var t *retrieval.Turn
	wrong := s.runCall(ctx, "turn resource", func(ctx context.Context) (err error) {
		t, err = s.Engine.Turn(ctx, strings.TrimPrefix(uri, turnURI))
		return err
	})
	if wrong != nil {
		code := int64(jsonrpc.CodeInternalError)
		if wrong.Code == errs.Invalid || wrong.Code == errs.NotFound {
			code = jsonrpc.CodeInvalidParams
		}
		return nil, &jsonrpc.Error{Code: code, Message: wrong.text()}
	}
	contents := []*mcp.ResourceContents{{
		URI: turnURI + t.TurnID.String(), MIMEType: "text/plain", Text: fence(turnText(t)),
	}}
	return &mcp.ReadResourceResult{Contents: contents}, nil
}
