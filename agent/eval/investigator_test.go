package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lens/agent"
	"lens/agent/agenttest"
)

// The investigator reads hydrated turns and cites cited of them.
const (
	hydrated = 12
	cited    = 3
)

// investigate returns the investigator's next reply. It searches for the question, then for its content words and around
// the first peak, reads the best matches, and cites those that share most words with the question. It also cites a turn
// that it never read and invents a quotation.
func investigate(ask agenttest.Request) agenttest.Reply {
	reply := next(ask)
	reply.NoUsage = true // so that tokens are counted
	return reply
}

func next(ask agenttest.Request) agenttest.Reply {
	question := ask.Messages[1].Content
	switch asked := results(ask); len(asked) {
	case 0:
		return calls(peekFor(question, "", ""))
	case 1:
		next := []agenttest.Call{peekFor(strings.Join(contentWords(question), " "), "", "")}
		if m := peakLine.FindStringSubmatch(asked[0]); m != nil {
			next = append(next, peekFor(question, m[1], m[2]))
		}
		return calls(next...)
	case 2, 3:
		var next []agenttest.Call
		for _, id := range interleaved(asked) {
			next = append(next, agenttest.Call{Name: agent.ToolTurn, Arguments: map[string]any{"turn_id": id}})
		}
		if len(next) > 0 {
			return calls(next...)
		}
		return agenttest.Reply{Text: "I found nothing."}
	default:
		return agenttest.Reply{Text: conclude(question, asked)}
	}
}

var (
	peakLine  = regexp.MustCompile(`(?m)^Peak: (\S+) to (\S+) `)
	matchLine = regexp.MustCompile(`(?m)^[0-9]+\. turn ([0-9a-f-]{36})`)
	citeLine  = regexp.MustCompile(`^The number to cite this turn by is ([0-9]+)\.`)
	wordRule  = regexp.MustCompile(`[\pL\pN]+`)
)

func calls(all ...agenttest.Call) agenttest.Reply { return agenttest.Reply{Calls: all} }

func peekFor(query, since, until string) agenttest.Call {
	arguments := map[string]any{"query": query, "top_k": 100, "top_n_snippets": hydrated}
	if since != "" {
		arguments["start_time"], arguments["end_time"] = since, until
	}
	return agenttest.Call{Name: agent.ToolPeek, Arguments: arguments}
}

// results returns the tool results so far.
func results(ask agenttest.Request) []string {
	var all []string
	for _, m := range ask.Messages {
		if m.Role == "tool" {
			all = append(all, m.Content)
		}
	}
	return all
}

// interleaved merges the ids of several peeks by rank.
func interleaved(peeks []string) []string {
	var ids []string
	for rank := range hydrated {
		for _, p := range peeks {
			found := matchLine.FindAllStringSubmatch(p, -1)
			if rank < len(found) && !slices.Contains(ids, found[rank][1]) && len(ids) < hydrated {
				ids = append(ids, found[rank][1])
			}
		}
	}
	return ids
}

// contentWords returns the content words of a question.
func contentWords(question string) []string {
	const noise = " a about and are as at be by can could did do does for from had has have her his how in into is it its like many much of on or s she " +
		"so some that the their them they this to was were what when where which who whose why will with would he you your "
	var words []string
	for _, w := range wordRule.FindAllString(question, -1) {
		if !strings.Contains(noise, " "+strings.ToLower(w)+" ") {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return []string{question}
	}
	return words
}

// conclude cites the turns that share most words with the question, plus one invented citation and quotation.
func conclude(question string, asked []string) string {
	type read struct {
		number string
		shared int
	}
	var turns []read
	for _, text := range asked {
		m := citeLine.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		r := read{number: m[1]}
		lower := strings.ToLower(text)
		for _, w := range contentWords(question) {
			if strings.Contains(lower, strings.ToLower(w)) {
				r.shared++
			}
		}
		turns = append(turns, r)
	}
	slices.SortStableFunc(turns, func(a, b read) int { return b.shared - a.shared })
	answer := "What was read says:"
	for _, t := range turns[:min(cited, len(turns))] {
		answer += fmt.Sprintf(" this [%s].", t.number)
	}
	return answer + ` Also [99], and "nobody has ever said this sentence" [1].`
}
