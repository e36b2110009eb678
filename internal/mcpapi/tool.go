package mcpapi

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent"
	"lens/internal/cleantext"
)

// toolEntry is a tool as assistants see it.
type toolEntry struct {
	agent.Tool
	name        string
	title       string
	description string                                // "": the tool's own
	output      *jsonschema.Schema                    // of the structured output; nil: not declared
	render      func(agent.Outcome) (rendered, error) // nil: fenced Text, and Detail
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
func (s *Server) addTool(f toolEntry) {
	spec := f.Spec()
	f.name = spec.Name
	no := false
	t := &mcp.Tool{
		Name: spec.Name, Title: f.title, Description: spec.Description, InputSchema: spec.Schema,
		Annotations: &mcp.ToolAnnotations{
			Title: f.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no,
		},
	}
	if f.description != "" {
		t.Description = f.description
	}
	if f.output != nil {
		t.OutputSchema = f.output
	}
	s.mcp.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, _ := s.call(ctx, f, req.Params.Arguments)
		return result, ctx.Err() // a canceled call needs no reply
	})
}

// call runs a tool and returns its result; if it failed, also the failure.
func (s *Server) call(
	ctx context.Context, f toolEntry, arguments json.RawMessage,
) (result *mcp.CallToolResult, wrong *Failure) {
	wrong = s.runCall(ctx, f.name, func(ctx context.Context) error {
		o, err := f.run(ctx, arguments)
		if err == nil {
			result, err = o.result()
		}
		return err
	})
	if wrong != nil {
		return errorResult(*wrong), wrong
	}
	return result, nil
}

func (f toolEntry) run(ctx context.Context, arguments json.RawMessage) (rendered, error) {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > maxArguments {
		return rendered{}, &agent.Error{
			Code: "too_large", Op: f.name, Message: "the arguments are over 64 KiB", Hint: "shorten the arguments",
		}
	}
	outcome, err := f.Call(ctx, arguments)
	switch {
	case err != nil:
		return rendered{}, err
	case f.render != nil:
		return f.render(outcome)
	}
	return rendered{text: fence(outcome.Text), structured: outcome.Detail}, nil
}

// result converts to the protocol's form.
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
