package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"lens/agent"
	"lens/internal/errs"
)

func TestDocument_AsksJSON(t *testing.T) {
	for args, want := range map[string]bool{
		"": false, "peek x": false, "peek x --json": true, "--json peek x": true, "peek --json=true x": true, "peek --json=0 x": false,
		"peek --json --json=false": false, "peek -- --json": false, "peek --jsonl": false, "peek --json=maybe": false,
	} {
		if got := asksJSON(strings.Fields(args)); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
}

// ended returns what a run prints on stdout, and its exit code.
func ended(t *testing.T, to stdout, document any, err error) (printed string, code int) {
	t.Helper()
	r, _ := fakeReporter(t)
	out, read := fakeScreen(t)
	r.out, r.stdout = out, to
	if document != nil {
		if err := out.json(document); err != nil {
			t.Fatal(err)
		}
	}
	code = r.end(context.Background(), err)
	return read(), code
}

func TestDocument_Error(t *testing.T) {
	locked := &errs.Error{Code: errs.Locked, Message: "the archive is locked", Hint: "run lens unlock"}
	const inDocument = `"error": {
    "code": "LOCKED",
    "message": "the archive is locked",
    "hint": "run lens unlock"
  }
}
`
	for name, c := range map[string]struct {
		to       stdout
		document any
		err      error
		want     string
	}{
		"alone":          {aDocument, nil, locked, "{\n  " + inDocument},
		"in a document":  {aDocument, map[string]any{"a": 1, "b": map[string]any{}}, locked, "{\n  \"a\": 1,\n  \"b\": {},\n  " + inDocument},
		"for an empty":   {aDocument, map[string]any{}, locked, "{\n  " + inDocument},
		"for a list":     {aDocument, []int{1}, locked, "{\n  " + inDocument},
		"that it has":    {aDocument, map[string]any{"error": "e"}, locked, "{\n  \"error\": \"e\"\n}\n"},
		"none":           {aDocument, map[string]any{"a": 1}, nil, "{\n  \"a\": 1\n}\n"},
		"nothing found":  {aDocument, map[string]any{"a": 1}, errNothing, "{\n  \"a\": 1\n}\n"},
		"without --json": {aText, nil, locked, ""},
		"after lines":    {allLines, nil, locked, `{"error":{"code":"LOCKED","message":"the archive is locked","hint":"run lens unlock"}}` + "\n"},
		"no archive":     {allLines, nil, notFound("", "m"), `{"error":{"code":"NOT_FOUND","message":"m"}}` + "\n"},
		"no lines":       {allLines, nil, nil, ""},
		"wrong usage":    {aDocument, nil, usage("", "wrong"), "{\n  \"error\": {\n    \"code\": \"INVALID_ARGUMENT\",\n    \"message\": \"wrong\"\n  }\n}\n"},
		"of a model":     {aDocument, nil, &errs.Error{Code: errs.Unavailable, Op: "agent: run", Message: "m"}, "{\n  \"error\": {\n    \"code\": \"PROVIDER_UNAVAILABLE\",\n    \"message\": \"m\"\n  }\n}\n"},
		"found nothing":  {aDocument, nil, notFound("", "m"), "{\n  \"error\": {\n    \"code\": \"NOT_FOUND\",\n    \"message\": \"m\"\n  }\n}\n"},
		"nothing at all": {aDocument, nil, nil, ""},
		"several: first": {aDocument, nil, errors.Join(notFound("", "m"), usage("", "wrong")), "{\n  \"error\": {\n    \"code\": \"NOT_FOUND\",\n    \"message\": \"m\"\n  }\n}\n"},
	} {
		if got, _ := ended(t, c.to, c.document, c.err); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestDocument_Unforeseen(t *testing.T) {
	got, code := ended(t, aDocument, nil, errors.New("a stranger with my query"))
	if code != failed || !strings.Contains(got, `"code": "INTERNAL"`) || !strings.Contains(got, `"trace_id": "`) || strings.Contains(got, "my query") {
		t.Errorf("%d: %s", code, got)
	}
}

func TestDocument_Interrupted(t *testing.T) {
	r, printed := fakeReporter(t)
	out, read := fakeScreen(t)
	r.out, r.stdout = out, aDocument
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if code := r.end(ctx, ctx.Err()); code != interrupted || printed() != "stopped\n" || !strings.Contains(read(), `"code": "INTERRUPTED"`) {
		t.Errorf("%d: %q, %q", code, printed(), read())
	}
}

func FuzzDocument_Error(f *testing.F) {
	f.Add(`{"a":1}`, "message", "hint")
	f.Add("{\n  \"a\": {}\n}\n", "a \"quoted\" message", "")
	f.Add("[]", "\xff", "\u2028")
	f.Fuzz(func(t *testing.T, document, message, hint string) {
		got := withError([]byte(document), agent.Failure{Code: "INTERNAL", Message: message, Hint: hint})
		if !isOneDocument(got) {
			t.Fatalf("%q", got)
		}
	})
}

// isOneDocument reports whether text is a JSON object with the member error, if it was one before.
func isOneDocument(text []byte) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(text, &members) == nil && members["error"] != nil
}
