package store

import (
	"strings"

	"github.com/google/uuid"
)

// Kind says what a turn is.
type Kind string

// The kinds. Turns of the first three have sources of their own; the others derive from a chat or from what its service
// keeps beside it, and their source is that service followed by the kind: see Source.Of.
const (
	Exchange     Kind = "chat"     // a user message with its answer
	File         Kind = "document" // a piece of a file
	Record       Kind = "record"   // of chunk JSONL
	Canvas       Kind = "canvas"
	Artifact     Kind = "artifact"
	Attachment   Kind = "attachment"   // the text of a file or of the clipboard, beside a question
	Project      Kind = "project"      // a document or the instructions of a project
	Memory       Kind = "memory"       // what a service remembers of a person
	Instructions Kind = "instructions" // of a person to a service, for all chats
	Prompt       Kind = "prompt"       // of a picture or a video that was made outside of a chat
	ToolResult   Kind = "tool"         // a call of a tool, or what it returned
	Thought      Kind = "thought"
)

// Kinds are all kinds.
var Kinds = []Kind{
	Exchange, Canvas, Artifact, Attachment, Project, Memory, Instructions, Prompt, ToolResult, Thought, File, Record,
}

// DerivedKinds are the kinds that Source.Of takes.
var DerivedKinds = []Kind{Canvas, Artifact, Attachment, Project, Memory, Instructions, Prompt, ToolResult, Thought}

// Of returns the source of what derives from chats of s: "claude/artifact".
func (s Source) Of(kind Kind) Source { return s + "/" + Source(kind) }

// Service returns the source without a kind: "claude" of "claude/artifact".
func (s Source) Service() Source {
	service, _, _ := strings.Cut(string(s), "/")
	return Source(service)
}

// Kind returns what the turns of s are.
func (s Source) Kind() Kind {
	_, kind, derived := strings.Cut(string(s), "/")
	switch {
	case derived:
		return Kind(kind)
	case s == Documents:
		return File
	case s == Chunks:
		return Record
	}
	return Exchange
}

// Derived reports whether the turns of s derive from chats, or from what a service keeps beside them.
func (s Source) Derived() bool { return strings.Contains(string(s), "/") }

// Whole returns s and all sources that derive from it.
func (s Source) Whole() []Source {
	if s.Chunked() {
		return []Source{s}
	}
	all := make([]Source, 1, 1+len(DerivedKinds))
	all[0] = s
	for _, kind := range DerivedKinds {
		all = append(all, s.Of(kind))
	}
	return all
}

// Origin is what a document derives from. It lies in the document's path, which is indexed, and which published images
// and backups have had from the beginning.
type Origin struct {
	Conversation uuid.UUID
	Turn         uuid.UUID // uuid.Nil: of no turn
}

// originScheme begins the path of what derives from something. The path of a file is absolute, so none begins so.
const originScheme = "lens:/"

// Path returns the path of what derives from o. key tells it from all others.
func (o Origin) Path(kind Kind, key string) string {
	return o.prefix() + o.Turn.String() + "/" + string(kind) + "/" + key
}

func (o Origin) prefix() string { return originScheme + o.Conversation.String() + "/" }

// IsDerivedPath reports whether a path begins like that of what derives from a conversation, which no other may have.
func IsDerivedPath(path string) bool { return strings.HasPrefix(path, originScheme) }

// DerivedPaths returns the bounds, both exclusive, of the paths of what derives from a conversation.
func DerivedPaths(conversation uuid.UUID) (after, before string) {
	prefix := Origin{Conversation: conversation}.prefix()
	return prefix, strings.TrimSuffix(prefix, "/") + "0" // the character after the slash
}

// Origin returns what the document derives from, false for a file.
func (d *Document) Origin() (o Origin, ok bool) {
	rest, derived := strings.CutPrefix(d.Path, originScheme)
	const length = 36
	if !derived || len(rest) < 2*length+2 || rest[length] != '/' || rest[2*length+1] != '/' {
		return o, false
	}
	var err, failed error
	o.Conversation, err = uuid.Parse(rest[:length])
	o.Turn, failed = uuid.Parse(rest[length+1 : 2*length+1])
	return o, err == nil && failed == nil
}
