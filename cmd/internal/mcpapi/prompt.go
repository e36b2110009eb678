package mcpapi

import (
	"context"
	_ "embed"
	"strings"

	"lens/retrieval/query"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed prompt.md
var investigation string

// addInvestigatePrompt adds the prompt that makes an assistant investigate as lens ask does.
func (s *Server) addInvestigatePrompt() {
	s.mcp.AddPrompt(&mcp.Prompt{
		Name: "investigate", Title: "Investigate your chats",
		Description: "Makes the assistant search your past chats by meaning and by time, and cite the turns it relies on.",
		Arguments: []*mcp.PromptArgument{
			{Name: "question", Title: "Question", Description: "What you want to know.", Required: true},
		},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		question := strings.TrimSpace(req.Params.Arguments["question"])
		switch {
		case question == "":
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the argument question is missing"}
		case len(question) > query.MaxBytes:
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the question is longer than 8 KiB"}
		}
		text := strings.Replace(strings.TrimSpace(investigation), "{question}", question, 1)
		return &mcp.GetPromptResult{
			Description: "An investigation of your past chats",
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	})
}
