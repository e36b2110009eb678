// Package demo makes up the chats of one person over five years, as a ChatGPT export: what Lens is shown on.
//
// The rules are:
//
//   - The same options give the same bytes, on every machine and every day. That is why the last day is fixed unless asked for.
//   - Topics come and go: each has a curve over the months, and what is asked early in an episode differs from what is asked late.
//     A few turns happen exactly once, so that questions like "when did I finish my first marathon" have one answer.
//   - The format is the one of 2024 to 2026, full and slim shapes mixed, with what real exports have in them: edited questions,
//     regenerated answers, tools, thoughts, pictures, voice, custom GPTs, hidden context, citations.
//
// The texts live in topics/*.txt, as templates; template.go says how they are written.
package demo

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Options shapes the export. The zero value is the demo.
type Options struct {
	Seed  uint64    // 0: 1
	Turns int       // about how many turns on active paths; 0: 3000
	Until time.Time // the last day, of whose month and the 59 before it the export is; zero: 31 October 2026
}

// Write writes a conversations.json, the newest conversation first, one in memory at a time.
func Write(w io.Writer, opts Options) error {
	opts.Seed, opts.Turns = cmp.Or(opts.Seed, 1), cmp.Or(opts.Turns, 3000)
	if opts.Until.IsZero() {
		opts.Until = time.Date(2026, time.October, 31, 0, 0, 0, 0, time.UTC)
	}
	topics, err := loadTopics()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	separator := "[\n"
	for i, p := range plan(topics, opts) {
		conversation, err := json.Marshal(write(p, newDice(opts.Seed, uint64(i)+1)))
		if err != nil {
			return fmt.Errorf("demo: %w", err)
		}
		_, _ = out.WriteString(separator) // a failed write comes back from Flush
		_, _ = out.Write(conversation)
		separator = ",\n"
	}
	_, _ = out.WriteString("\n]\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("demo: write: %w", err)
	}
	return nil
}
