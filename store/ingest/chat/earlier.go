package chat

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
)

// A change takes words out of a document. They can still be found: the passages that a message changed are a document
// of their own, which belongs to the turn that left them and is off the path. What a change only adds to needs none, so
// the earlier versions together take about as much as the changes.

// maxEarlier bounds the bytes of all passages of a conversation.
const maxEarlier = 8 << 20

// written says which message a version of a document is from.
type written struct {
	message, turn uuid.UUID
	version       int
}

// passages are what a message took out of a document.
type passages struct {
	Derived
	texts []string
}

// takenOut notes the passages of a document's text that it no longer has. Call it after the change.
func (e *Edits) takenOut(d *Edited, old string) {
	texts := changedPassages(old, d.Text)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	if e.earlier += size; size == 0 || e.earlier > maxEarlier {
		return
	}
	key := d.Key + "#" + e.at.SourceID
	p := e.passages[key]
	if p == nil {
		p = &passages{Derived: Derived{
			Kind: d.Kind, Key: key, Name: d.Name, MIME: d.MIME, Title: d.Title, Earlier: true,
			From: d.before.message, Turn: d.before.turn, Version: d.before.version,
		}}
		if e.passages == nil {
			e.passages = map[string]*passages{}
		}
		e.passages[key], e.inOrder = p, append(e.inOrder, p)
	}
	p.texts = append(p.texts, texts...)
}

// earlierVersions returns the passages that changes took out, in the order of the changes.
func (e *Edits) earlierVersions() (all []Derived) {
	for _, p := range e.inOrder {
		p.Title = fmt.Sprintf("%s · version %d", p.Title, p.Version)
		if p.Text = strings.Join(p.texts, "\n\n"); strings.TrimSpace(p.Text) != "" {
			all = append(all, p.Derived)
		}
	}
	return all
}

// changedPassages returns the passages, between blank lines, with a line of old that text does not have. What both
// begin and end with is not looked at.
func changedPassages(old, text string) (all []string) {
	oldLines, lines := strings.SplitAfter(old, "\n"), strings.SplitAfter(text, "\n")
	first := 0
	for first < min(len(oldLines), len(lines)) && oldLines[first] == lines[first] {
		first++
	}
	last, end := len(oldLines), len(lines)
	for last > first && end > first && oldLines[last-1] == lines[end-1] {
		last, end = last-1, end-1
	}
	kept := make(map[string]bool, end-first)
	for _, line := range lines[first:end] {
		kept[strings.TrimSpace(line)] = true
	}
	var passage strings.Builder
	changed := false
	flush := func() {
		if changed {
			all = append(all, strings.Trim(passage.String(), "\n"))
		}
		passage.Reset()
		changed = false
	}
	for _, line := range oldLines[first:last] {
		words := strings.TrimSpace(line)
		if words == "" {
			flush()
			continue
		}
		changed = changed || !kept[words]
		passage.WriteString(line)
	}
	flush()
	return all
}
