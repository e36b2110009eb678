package tools

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lens/agent"
	"lens/agent/agenttest"
)

// Scripted models that follow the prompt's plan for a kind of question, and the transcript of what they did.

// results returns what the tools returned so far.
func results(r agenttest.Request) (all []string) {
	for _, m := range r.Messages {
		if m.Role == "tool" {
			all = append(all, m.Content)
		}
	}
	return all
}

func searching(query string, window ...string) agenttest.Call {
	arguments := map[string]any{"query": query, "top_k": 100}
	if len(window) == 2 {
		arguments["start_time"], arguments["end_time"] = window[0], window[1]
	}
	return agenttest.Call{Name: agent.ToolPeek, Arguments: arguments}
}

func readingTurn(id string) agenttest.Call {
	return agenttest.Call{Name: agent.ToolTurn, Arguments: map[string]any{"turn_id": id}}
}

// transcript writes down the steps of a run, without what depends on the archive.
func transcript(d agent.Done) string {
	var lines []string
	for _, s := range d.Trace {
		line := fmt.Sprintf("%d %s", s.Round, s.Tool)
		if s.Error != nil {
			line += " refused"
		}
		if strings.Contains(string(s.Arguments), "start_time") {
			line += " in a window"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

var (
	firstAndLast = regexp.MustCompile(`First: (\S+) \(([0-9a-f-]{36})\)\. Last: (\S+) \(([0-9a-f-]{36})\)`)
	peakOf       = regexp.MustCompile(`(?m)^Peak: (\S+) to (\S+) `)
)

// A question about time: the histogram, the first and last mention and the peaks come before any turn, and a peek says
// all that this takes.
func TestPlan_Time(t *testing.T) {
	server := agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply {
		said := results(r)
		switch len(said) {
		case 0:
			return agenttest.Reply{Calls: []agenttest.Call{searching("sourdough starter")}}
		case 1:
			if !strings.Contains(said[0], "\nBy ") || !firstAndLast.MatchString(said[0]) {
				return agenttest.Reply{Text: "The search does not say when."}
			}
			var zooms []agenttest.Call
			for _, peak := range peakOf.FindAllStringSubmatch(said[0], 2) {
				zooms = append(zooms, searching("sourdough starter", peak[1], peak[2]))
			}
			return agenttest.Reply{Calls: zooms}
		case 3:
			ends := firstAndLast.FindStringSubmatch(said[0])
			return agenttest.Reply{Calls: []agenttest.Call{
				readingTurn(ends[2]), readingTurn(ends[4]), readingTurn(agenttest.FoundTurns(r)[0]),
			}}
		}
		ends := firstAndLast.FindStringSubmatch(said[0])
		return agenttest.Reply{Text: fmt.Sprintf("From %s [1] to %s [2], most of all in between [3].", ends[1], ends[3])}
	})
	d := doneOf(t, requestTo(server, demoEngine(t), "Since when, and until when, did I ask about my sourdough starter?"))
	const want = "1 peek\n2 peek in a window\n2 peek in a window\n3 turn\n3 turn\n3 turn"
	if got := transcript(d); got != want || len(d.Turns) != 3 || len(d.Removed) > 0 {
		t.Fatalf("%s\n%s", got, d.Answer)
	}
	for i, before := range []string{"From ", " to "} { // the dates are those of the turns
		if day := d.Citations[i].Time.UTC().Format("2006-01-02"); !strings.Contains(d.Answer, before+day+" [") {
			t.Errorf("[%d] is of %s: %s", i+1, day, d.Answer)
		}
	}
}

// A list: searches go on until one brings nothing new, and nothing is read before.
func TestPlan_List(t *testing.T) {
	queries := []string{"bread recipe", "bread", "dough and flour", "baguette", "bread recipe baguette", "bread dough"}
	seen := map[string]bool{}
	searched, over := 0, false
	server := agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply {
		if over {
			return agenttest.Reply{Text: "Here they are [1][2]."}
		}
		fresh := searched == 0
		if said := results(r); len(said) > 0 {
			for _, id := range uuidOf.FindAllString(matchLines(said[len(said)-1]), -1) {
				fresh = fresh || !seen[id]
				seen[id] = true
			}
		}
		if fresh && searched < len(queries) {
			searched++
			return agenttest.Reply{Calls: []agenttest.Call{searching(queries[searched-1])}}
		}
		over = true
		found := agenttest.FoundTurns(r)
		return agenttest.Reply{Calls: []agenttest.Call{readingTurn(found[0]), readingTurn(found[1])}}
	})
	d := doneOf(t, requestTo(server, demoEngine(t), "Which breads did I bake?"))
	steps := strings.Split(transcript(d), "\n")
	first := slices.IndexFunc(steps, func(s string) bool { return strings.Contains(s, "turn") })
	if first != searched || searched < 2 || len(steps) != searched+2 || len(d.Turns) != 2 || len(d.Removed) > 0 {
		t.Errorf("after %d searches:\n%s\n%s", searched, strings.Join(steps, "\n"), d.Answer)
	}
}

var (
	uuidOf  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	matches = regexp.MustCompile(`(?m)^[0-9]+\. turn \S+`)
)

// matchLines returns the parts of a peek result that name its matches.
func matchLines(text string) string { return strings.Join(matches.FindAllString(text, -1), "\n") }

// Nothing found: it searched in three ways, says so, and cites nothing.
func TestPlan_NothingFound(t *testing.T) {
	server := agenttest.NewFunc(t, func(r agenttest.Request) agenttest.Reply {
		if len(results(r)) == 0 {
			return agenttest.Reply{Calls: []agenttest.Call{searching("zeppelin"), searching("airship"), searching("Luftschiff dirigible")}}
		}
		return agenttest.Reply{Text: "I searched for zeppelin, airship and Luftschiff in all years, and found no such chat."}
	})
	d := doneOf(t, requestTo(server, demoEngine(t), "Did I ever ask about zeppelins?"))
	if got := transcript(d); got != "1 peek\n1 peek\n1 peek" || d.Evidence || d.Report || len(d.Citations) > 0 || !strings.Contains(d.Answer, "I searched for zeppelin") {
		t.Errorf("%s\n%+v", got, d)
	}
}

// The prompt has a plan for each of these kinds.
func TestPlan_PromptHasEachKind(t *testing.T) {
	server := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "So."}}})
	doneOf(t, requestTo(server, demoEngine(t), "?"))
	system := server.Requests()[0].Messages[0].Content
	for _, order := range [][2]string{
		{"the first and last mention and the peaks answer it", "and only then read the turns"},
		{"until a search lists no turn that you have not seen", "then read one turn"},
		{"at least three different words before you say no", "name what you searched for"},
	} {
		before, after := strings.Index(system, order[0]), strings.Index(system, order[1])
		if before < 0 || after < before {
			t.Errorf("%q at %d, %q at %d", order[0], before, order[1], after)
		}
	}
}
