// Package demo generates the chats of a fictional person over five years, as a ChatGPT export to show Lens with.
//
// The rules are:
//
//   - The same options give the same bytes, on every machine and every day. That is why the last day has a fixed
//     default.
//   - Topics come and go: each has a curve over the months, and early questions of an episode differ from late ones. A
//     few turns happen exactly once, so that questions like "when did I finish my first marathon" have one answer.
//   - The format is that of 2024 to 2026, full and slim exports mixed, with everything that real exports contain:
//     edited questions, regenerated answers, tools, thoughts, pictures, voice, custom GPTs, hidden context, citations.
//
// The texts are templates in topics/*.txt; template.go describes their syntax.
package demo

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Options configures the export. The zero value is the demo.
type Options struct {
	Seed  uint64    // 0: 1
	Turns int       // approximate number of turns on active paths; 0: 3000
	Until time.Time // the last day; the export covers its month and the 59 before; zero: 31 October 2026
}

// Write writes a conversations.json, newest conversation first. It holds one conversation in memory at a time.
func Write(w io.Writer, opts Options) error {
	out := bufio.NewWriter(w)
	separator := "[\n"
	err := each(opts, func(_ *topic, c conversation) error {
		text, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("encode conversation: %w", err)
		}
		_, _ = out.WriteString(separator) // Flush returns a failed write
		_, _ = out.Write(text)
		separator = ",\n"
		return nil
	})
	if err != nil {
		return err
	}
	_, _ = out.WriteString("\n]\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write demo: %w", err)
	}
	return nil
}

// Topics returns the name of the topic that each conversation of Write is about, by the conversation's id: what an
// analysis of the texts should find.
func Topics(opts Options) (map[string]string, error) {
	names := make(map[string]string)
	err := each(opts, func(t *topic, c conversation) error {
		names[c.ID] = t.name
		return nil
	})
	return names, err
}

// each generates the conversations, newest first.
func each(opts Options, do func(*topic, conversation) error) error {
	opts.Seed, opts.Turns = cmp.Or(opts.Seed, 1), cmp.Or(opts.Turns, 3000)
	if opts.Until.IsZero() {
		opts.Until = time.Date(2026, time.October, 31, 0, 0, 0, 0, time.UTC)
	}
	topics, err := loadTopics()
	if err != nil {
		return err
	}
	for i, p := range plan(topics, opts) {
		if err := do(p.topic, write(p, newRNG(opts.Seed, uint64(i)+1))); err != nil {
			return err
		}
	}
	return nil
}
