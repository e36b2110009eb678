package ingest_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
)

// Tests build chats from their messages, in the format of a real export, and state only what matters to them.

// chatMessage is a message of a chat. Under is the id of its parent; "": the message before it.
type chatMessage struct {
	id, role, text, under, summary string
	hidden                         bool // from the user, like notes to the model
}

func user(id, text string) chatMessage { return chatMessage{id: id, role: "user", text: text} }
func assistant(id, text string) chatMessage {
	return chatMessage{id: id, role: "assistant", text: text}
}

// chat is a conversation of an export. Current is the end of the active path; "": the last message.
type chat struct {
	id, title string
	created   float64 // 0: 1.7e9
	updated   float64
	current   string
	messages  []chatMessage
}

// testID derives a UUID from a short name.
func testID(name string) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name)) }

func (c chat) MarshalJSON() ([]byte, error) {
	mapping := map[string]any{"root": map[string]any{"id": "root", "message": nil, "parent": nil}}
	last := "root"
	for i, m := range c.messages {
		if m.under != "" {
			last = testID(m.under).String()
		}
		id := testID(m.id).String()
		mapping[id] = map[string]any{"id": id, "parent": last, "message": map[string]any{
			"id": id, "author": map[string]any{"role": m.role}, "create_time": 1.7e9 + float64(i),
			"content":  map[string]any{"content_type": "text", "parts": []string{m.text}},
			"metadata": map[string]any{"turn_summary": m.summary, "is_visually_hidden_from_conversation": m.hidden},
		}}
		last = id
	}
	if c.current != "" {
		last = testID(c.current).String()
	}
	return json.Marshal(map[string]any{
		"id": testID(c.id).String(), "title": c.title, "create_time": cmp.Or(c.created, 1.7e9), "update_time": c.updated, "mapping": mapping, "current_node": last,
	})
}

// writeExport writes chats, or any JSON, to a file.
func writeExport(t testing.TB, content any) string {
	t.Helper()
	raw, ok := content.(string)
	if !ok {
		marshaled, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(marshaled)
	}
	path := filepath.Join(t.TempDir(), "conversations.json")
	if err := os.WriteFile(path, []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// heron returns the chat of two turns that many tests start with.
func heron() chat {
	return chat{id: "heron", title: "Herons", updated: 1.7e9, messages: []chatMessage{
		user("h1", "What is a heron?"), assistant("h2", "A wading bird."),
		user("h3", "Where does it nest?"), assistant("h4", "In trees, mostly."),
	}}
}

// manyChats returns n small chats with distinct words.
func manyChats(n int) []chat {
	chats := make([]chat, n)
	for i := range chats {
		name := fmt.Sprintf("c%d", i)
		chats[i] = chat{id: name, title: name, updated: 1.7e9 + float64(i), messages: []chatMessage{
			user(name+"q", fmt.Sprintf("What is the number %d?", i)), assistant(name+"a", fmt.Sprintf("It comes after %d.", i-1)),
		}}
	}
	return chats
}
