package mcpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent"
	"lens/internal/cleantext"
	"lens/internal/errs"
)

// toolEntry is a tool as assistants see it.
type toolEntry struct {
	agent.Tool
	name        string
	title       string
	description string                                // "": Spec().Description
	output      *jsonschema.Schema                    // of the structured output; nil: not declared
	render      func(agent.Outcome) (rendered, error) // nil: Text, fenced, with Detail as structured output
}

// rendered is an outcome as an assistant receives it.
type rendered struct {
	text       string
	structured any
}

// entryFor returns the entry of one of the agent's tools.
func entryFor(t agent.Tool) toolEntry {
	if t.Spec().Name == agent.ToolTurn {
		return toolEntry{
			Tool: t, title: "Read one turn in full", description: turnDescription,
			output: schemaOf[turnOutput](), render: renderTurn,
		}
	}
	return toolEntry{
		Tool: t, title: "Find turns, and when they happened",
		output: schemaOf[peekOutput](), render: renderPeek,
	}
}

// addTool adds a tool to the server.
func (s *Server) addTool(e toolEntry) {
	spec := e.Spec()
	e.name = spec.Name
	falseHint := false
	t := &mcp.Tool{
		Name: spec.Name, Title: e.title, Description: spec.Description, InputSchema: spec.Schema,
		Annotations: &mcp.ToolAnnotations{
			Title: e.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &falseHint, OpenWorldHint: &falseHint,
		},
	}
	if e.description != "" {
		t.Description = e.description
	}
	if e.output != nil {
		t.OutputSchema = e.output
	}
	s.mcp.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, _ := s.call(ctx, e, req.Params.Arguments)
		return result, ctx.Err() // a canceled call needs no reply
	})
}

// call runs a tool and returns its result; if it failed, also the failure.
func (s *Server) call(
	ctx context.Context, e toolEntry, arguments json.RawMessage,
) (result *mcp.CallToolResult, failure *Failure) {
	failure = s.runCall(ctx, e.name, func(ctx context.Context) error {
		o, err := e.run(ctx, arguments)
		if err == nil {
			result, err = o.result()
		}
		return err
	})
	if failure != nil {
		return errorResult(*failure), failure
	}
	return result, nil
}

func (e toolEntry) run(ctx context.Context, arguments json.RawMessage) (rendered, error) {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > maxArguments {
		return rendered{}, &errs.Error{
			Code: errs.TooLarge, Op: e.name, Message: "the arguments exceed 64 KiB", Hint: "shorten the arguments",
		}
	}
	outcome, err := e.Call(ctx, arguments)
	switch {
	case err != nil:
		return rendered{}, err
	case e.render != nil:
		return e.render(outcome)
	}
	return rendered{text: fence(outcome.Text), structured: outcome.Detail}, nil
}

// result converts o to an MCP result.
func (o rendered) result() (*mcp.CallToolResult, error) {
	r := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: o.text}}}
	if o.structured != nil {
		text, err := json.Marshal(o.structured)
		if err != nil {
			return nil, fmt.Errorf("mcp: encode: %w", err)
		}
		r.StructuredContent = json.RawMessage(cleantext.JSON(string(text)))
	}
	return r, nil
}
