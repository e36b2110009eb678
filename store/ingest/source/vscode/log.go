package vscode

import (
	"encoding/json"

	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// The kinds of changes.
const (
	setAll    = 0
	setMember = 1
	extend    = 2
	remove    = 3
)

// maxKeys bounds the depth of a change.
const maxKeys = 64

// log is a chat, as far as its changes have come.
type log struct {
	value any
	size  int // of the changes
}

func start(*source.File) source.Log { return new(log) }

// change is a line of a log.
type change struct {
	Kind  *int  `json:"kind"`
	Keys  []any `json:"k"`
	Value any   `json:"v"`
	At    *int  `json:"i"` // length to which a list is cut before it is extended
}

// Record applies a change. One that does not fit is left out.
func (l *log) Record(raw []byte) {
	var c change
	l.size += len(raw)
	switch err := json.Unmarshal(raw, &c); {
	case err != nil || c.Kind == nil || len(c.Keys) > maxKeys:
	case *c.Kind == setAll:
		l.value = c.Value
	default:
		l.value = c.apply(l.value, c.Keys)
	}
}

// apply returns a value with the change made below keys.
func (c *change) apply(v any, keys []any) any {
	if len(keys) == 0 {
		return c.replace(v)
	}
	switch v := v.(type) {
	case map[string]any:
		key, ok := keys[0].(string)
		switch {
		case !ok:
		case *c.Kind == remove && len(keys) == 1:
			delete(v, key)
		default:
			v[key] = c.apply(v[key], keys[1:])
		}
	case []any:
		n, ok := keys[0].(float64)
		if i := int(n); ok && i >= 0 && i < len(v) {
			v[i] = c.apply(v[i], keys[1:])
		}
	}
	return v
}

func (c *change) replace(v any) any {
	switch *c.Kind {
	case setMember:
		return c.Value
	case extend:
		list, _ := v.([]any)
		if c.At != nil && *c.At >= 0 && *c.At < len(list) {
			list = list[:*c.At]
		}
		more, _ := c.Value.([]any)
		return append(list, more...)
	case remove:
		return nil
	}
	return v
}

// Kept returns about how many bytes the chat takes.
func (l *log) Kept() int { return l.size }

// Draft returns the chat after the last change.
func (l *log) Draft() *chat.Draft {
	raw, err := json.Marshal(l.value)
	if err != nil {
		return nil
	}
	return draft(raw)
}
