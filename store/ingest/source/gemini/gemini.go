// Package gemini parses Gemini's activity log from Google Takeout, as JSON or as HTML in any language. It does no I/O
// of its own.
//
// The rules are:
//
//   - Takeout has no conversations, only a log of prompts. Each prompt is a conversation of one turn, identified by its
//     time, to the second, and its text. So a prompt is the same turn in JSON and in HTML, however often it is
//     imported.
//   - Other entries (created, used, shared …) and those of other products are skipped and counted.
//   - Dates in HTML are in the account's language. A date that cannot be parsed leaves its turn undated.
package gemini

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"iter"
	"strings"
	"time"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
)

// Conversations yields the prompts in r as conversations of one turn, in the order of the file. For an entry that it
// skips it yields a *chat.Skip with the reason; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if bytes.HasPrefix(head, []byte("<")) {
		return htmlEntries(in)
	}
	return chat.Stream("gemini: read", in, decode)
}

// entry is one entry of the log.
type entry struct {
	product string // "Gemini Apps"
	title   string // the action: "Prompted What is a heron?"
	reply   string
	time    time.Time
	raw     []byte
	count   chat.Count
}

// promptVerbs and actionVerbs begin the titles of prompts and of other actions in English. In other languages, an entry
// with a reply is a prompt and keeps its verb.
var (
	promptVerbs = []string{
		"Prompted with: ", "Asked Gemini: ", "Asked Bard: ", "Prompted ", "Asked ", "Said ", "Branched ", "Answered ",
	}
	actionVerbs = []string{
		"Created ", "Used ", "Added ", "Gave ", "Selected ", "Shared ", "Deleted ",
		"Viewed ", "Visited ", "Edited ", "Pinned ", "Renamed ", "Exported ", "Updated ",
	}
)

// attached matches the note that the log appends to a prompt with files.
var attached = lazyregexp.New(`\s*Attached \d+ files?\.?\s*$`)

func isGemini(product string) bool {
	product = strings.ToLower(product)
	return strings.Contains(product, "gemini") || strings.Contains(product, "bard")
}

// prompt returns the text of the prompt, "" for other entries.
func (e *entry) prompt() string {
	title := strings.ReplaceAll(strings.TrimSpace(e.title), "\u00a0", " ")
	for _, verb := range actionVerbs {
		if strings.HasPrefix(title, verb) {
			return ""
		}
	}
	for _, verb := range promptVerbs {
		if words, ok := strings.CutPrefix(title, verb); ok {
			return strings.TrimSpace(attached().ReplaceAllString(words, ""))
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
