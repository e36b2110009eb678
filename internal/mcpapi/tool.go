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

// face is a tool as assistants see it.
type face struct {
	agent.Tool
	name        string
	title       string
	description string                             // "": the tool's own
	output      *jsonschema.Schema                 // of the structured output; nil: not said
	show        func(agent.Outcome) (shown, error) // nil: Text between markers, and Detail
}

// shown is what an assistant gets of an outcome.
type shown struct {
	text       string
	structured any
}

// faceOf dresses one of the investigator's tools.
func faceOf(t agent.Tool) face {
	if t.Spec().Name == agent.Hydrate {
		return face{Tool: t, title: "One turn in full", description: turnDescription, output: schemaOf[turnOutput](), show: showTurn}
	}
	return face{Tool: t, title: "Find turns by meaning and time", output: schemaOf[peekOutput](), show: showPeek}
}

// offer adds a tool to the server.
func (s *Server) offer(f face) {
	spec := f.Spec()
	f.name = spec.Name
	no := false
	t := &mcp.Tool{
		Name: spec.Name, Title: f.title, Description: spec.Description, InputSchema: spec.Schema,
		Annotations: &mcp.ToolAnnotations{Title: f.title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}
	if f.description != "" {
		t.Description = f.description
	}
	if f.output != nil {
		t.OutputSchema = f.output
	}
	s.mcp.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, _ := s.call(ctx, f, req.Params.Arguments)
		return result, ctx.Err() // nobody waits for the answer to a call that was cancelled
	})
}

// call runs a tool and returns what the model is told, with what went wrong; nil when nothing did.
func (s *Server) call(ctx context.Context, f face, arguments json.RawMessage) (result *mcp.CallToolResult, wrong *Failure) {
	wrong = s.answer(ctx, f.name, func(ctx context.Context) error {
		o, err := f.run(ctx, arguments)
		if err == nil {
			result, err = o.result()
		}
		return err
	})
	if wrong != nil {
		return refused(*wrong), wrong
	}
	return result, nil
}

func (f face) run(ctx context.Context, arguments json.RawMessage) (shown, error) {
	if len(arguments) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	if len(arguments) > maxArguments {
		return shown{}, &agent.Error{Code: "too_large", Op: f.name, Message: "the arguments are over 64 KiB", Hint: "ask with fewer words"}
	}
	outcome, err := f.Call(ctx, arguments)
	switch {
	case err != nil:
		return shown{}, err
	case f.show != nil:
		return f.show(outcome)
	}
	return shown{text: fenced(outcome.Text), structured: outcome.Detail}, nil
}

// result puts what is shown into the protocol's form.
func (o shown) result() (*mcp.CallToolResult, error) {
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
