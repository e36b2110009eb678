package mcpapi

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/retrieval"
)

// turnURI is before the id of a turn in the URI of its resource.
const turnURI = "lens://turn/"

// offerTurns makes every turn a resource.
func (s *Server) offerTurns() {
	s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "turn", Title: "A turn of the archive", URITemplate: turnURI + "{id}", MIMEType: "text/plain",
		Description: "One turn, whole: what the person wrote and what the assistant replied. id is an id that peek lists, or its beginning.",
	}, func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return s.readTurn(ctx, req.Params.URI)
	})
}

// readTurn returns the resource of a turn, or an error of the protocol.
func (s *Server) readTurn(ctx context.Context, uri string) (*mcp.ReadResourceResult, error) {
	var t *retrieval.Turn
	wrong := s.answer(ctx, "turn resource", func(ctx context.Context) (err error) {
		t, err = s.Archive.Turn(ctx, strings.TrimPrefix(uri, turnURI))
		return err
	})
	if wrong != nil {
		code := int64(jsonrpc.CodeInternalError)
		if wrong.Code == "invalid" || wrong.Code == "not_found" {
			code = jsonrpc.CodeInvalidParams
		}
		return nil, &jsonrpc.Error{Code: code, Message: wrong.sentences()}
	}
	contents := []*mcp.ResourceContents{{URI: turnURI + t.TurnID.String(), MIMEType: "text/plain", Text: turnText(t)}}
	return &mcp.ReadResourceResult{Contents: contents}, nil
}
