// Package gemini reads the activity that Google Takeout hands out for Gemini: JSON, or HTML in any language. It is pure.
//
// The rules are:
//
//   - Takeout knows no conversations, only a log of prompts. Each is a conversation of one turn, named by its second and its words: so
//     the same prompt is the same turn, whether it comes as JSON or as HTML and however often it is imported.
//   - What is logged besides prompts (something was created, used, shared …) and what belongs to other products is left out, and counted.
//   - A date in HTML is written as the account's language writes it. One that cannot be read leaves its turn undated.
package gemini

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"regexp"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// Conversations yields the prompts in r as conversations of one turn, in the order of the file. A *chat.Skip in place of one says why it
// was left out; any other error is a *store.Error and the last thing yielded.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512)
	if trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '<' {
		return htmlEntries(in)
	}
	return chat.Stream("gemini: read", in, decode)
}

// entry is one line of the log.
type entry struct {
	product string // "Gemini Apps"
	title   string // what was done: "Prompted What is a heron?"
	reply   string
	time    time.Time
	raw     []byte
	count   chat.Count
}

// promptVerbs and unspoken are what the log calls what a person said, and what they did. In other languages there are other words: then what
// has an answer was a prompt, and keeps its verb.
var (
	promptVerbs = []string{"Prompted with: ", "Asked Gemini: ", "Asked Bard: ", "Prompted ", "Asked ", "Said ", "Branched ", "Answered "}
	actionVerbs = []string{
		"Created ", "Used ", "Added ", "Gave ", "Selected ", "Shared ", "Deleted ", "Viewed ", "Visited ", "Edited ", "Pinned ", "Renamed ",
		"Exported ", "Updated ",
	}
)

// attached is what the log adds to a prompt that came with files.
var attached = regexp.MustCompile(`\s*Attached \d+ files?\.?\s*$`)

func isGemini(product string) bool {
	product = strings.ToLower(product)
	return strings.Contains(product, "gemini") || strings.Contains(product, "bard")
}

// prompt returns what the person said; "" when the entry is of something else.
func (e *entry) prompt() string {
	title := strings.ReplaceAll(strings.TrimSpace(e.title), "\u00a0", " ")
	for _, verb := range actionVerbs {
		if strings.HasPrefix(title, verb) {
			return ""
		}
	}
	for _, verb := range promptVerbs {
		if words, ok := strings.CutPrefix(title, verb); ok {
			return strings.TrimSpace(attached.ReplaceAllString(words, ""))
		}
	}
	if e.reply == "" {
		return ""
	}
	return title
}

// parsed makes a conversation of an entry.
func (e *entry) parsed() (*chat.Parsed, *chat.Skip) {
	if e.product != "" && !isGemini(e.product) {
		return nil, &chat.Skip{Reason: "of another product"}
	}
	prompt := e.prompt()
	if prompt == "" {
		return nil, &chat.Skip{Reason: "no prompt"}
	}
	sum := sha256.Sum256([]byte(prompt))
	id := "gemini " + hex.EncodeToString(sum[:8])
	if !e.time.IsZero() {
		id += e.time.UTC().Format(" 20060102T150405Z")
	}
	d := &chat.Draft{Source: store.Gemini, ID: id, Current: "reply", Count: e.count}
	d.Nodes = append(d.Nodes, chat.Node{ID: "prompt", Message: &chat.Message{
		Role: store.User, ContentType: "text", Text: prompt, Time: e.time, Visible: true, Raw: e.raw,
	}})
	if e.reply == "" {
		d.Current = "prompt"
	} else {
		d.Nodes = append(d.Nodes, chat.Node{ID: "reply", Parent: "prompt", Message: &chat.Message{
			Role: store.Assistant, ContentType: "text", Text: e.reply, Time: e.time, Visible: true, Raw: []byte("{}"),
		}})
	}
	return chat.Build(d), nil
}
