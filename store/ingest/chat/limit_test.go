package chat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	p := build(t, Draft{ID: "c", Nodes: []Node{user("u", "", "x"+strings.Repeat("é", MaxText), 1)}})
	if got := len(p.Messages[0].Text); got != MaxText-1 || p.Count.Truncated != 1 {
		t.Errorf("%d bytes, %d truncated", got, p.Count.Truncated)
	}
}

func TestKeepRaw_TooLong(t *testing.T) {
	kept := make(map[string]bool)
	for _, end := range []string{"a", "b"} {
		n := user("u", "", "question", 1)
		n.Message.Raw = []byte(`{"x":"` + strings.Repeat("x", MaxRaw) + end + `"}`)
		size := len(n.Message.Raw)
		p := build(t, Draft{ID: "c", Nodes: []Node{n}})
		var raw struct {
			NotKept struct {
				Bytes  int    `json:"bytes"`
				SHA256 string `json:"sha256"`
			} `json:"lens_not_kept"`
		}
		if err := json.Unmarshal(p.Messages[0].Raw, &raw); err != nil {
			t.Fatal(err)
		}
		if raw.NotKept.Bytes != size || len(raw.NotKept.SHA256) != 64 || p.Count.Truncated != 1 || p.Messages[0].Text != "question" {
			t.Errorf("%s, %d truncated", p.Messages[0].Raw, p.Count.Truncated)
		}
		kept[fmt.Sprint(p.Messages[0].Hash)] = true
	}
	if len(kept) != 2 {
		t.Error("two messages with different ends look alike")
	}
	n := user("u", "", "question", 1)
	n.Message.Raw = []byte(`"` + strings.Repeat("x", MaxRaw-2) + `"`)
	if p := build(t, Draft{ID: "c", Nodes: []Node{n}}); len(p.Messages[0].Raw) != MaxRaw || p.Count.Truncated != 0 {
		t.Errorf("at the limit: %d bytes kept, %d truncated", len(p.Messages[0].Raw), p.Count.Truncated)
	}
}
