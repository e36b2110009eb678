package openai

import (
	"strings"
	"testing"

	"lens/agent"
	"lens/agent/agenttest"
)

// filtered sends a message through a thinkingFilter, n bytes at a time (0: at once), and returns its text.
func filtered(message string, n int) string {
	var t thinkingFilter
	said := ""
	take := func(text string, discard bool) {
		if discard {
			said = ""
		}
		said += text
	}
	for rest := message; rest != ""; {
		k := len(rest)
		if n > 0 {
			k = min(n, k)
		}
		take(t.write(rest[:k]))
		rest = rest[k:]
	}
	take(t.close())
	return said
}

func TestThinkingFilter(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no thought", "It began in May [1].", "It began in May [1]."},
		{"a thought", "<think>\nMay? [7]\n</think>\n\nIt began in May.", "It began in May."},
		{"an empty thought", "<think>\n\n</think>\n\nIt began in May.", "It began in May."},
		{"space before it", "\n <think>x</think>So.", "So."},
		{"several", "<think>x</think>\n<thinking>y</thinking>\n[THINK]z[/THINK] So.", "So."},
		{"Kimi's and Seed's tags", "◁think▷x◁/think▷<seed:think>y</seed:think>日本", "日本"},
		{"unclosed thought", "<think>It began in May, I guess", ""},
		{"another tag's end", "<think>x</thinking>y</think>So.", "So."},
		{"only a thought", "<think>x</think>\n", ""},
		{"unopened thought", "Hm, May?\n</think>\n\nIt began in May.", "It began in May."},
		{"unopened thought in a line", "So it is May.</think>\r\nIt began in May.", "It began in May."},
		{"unopened thought and another", "Hm.\n</think>\n<think>x</think>So.", "So."},
		{"tags in prose", "The tags `<think>` and </think> are DeepSeek's: <think>", "The tags `<think>` and </think> are DeepSeek's: <think>"},
		{"tags in code", "So:\n\n```xml\n<think>\nx\n</think>\n```\n", "So:\n\n```xml\n<think>\nx\n</think>\n```\n"},
		{"code, then the end of a thought", "```\nx\n```\ny\n</think>\nSo.", "So."},
		{"end tag at the end", "So </think>", "So </think>"},
		{"only the first unopened thought", "x\n</think>\ny\n</think>\nSo.", "y\n</think>\nSo."},
		{"almost a tag", "<thin> and <thinks> ``x``", "<thin> and <thinks> ``x``"},
		{"half a tag", "<thi", "<thi"},
		{"space", " \n", " \n"},
	} {
		for _, n := range []int{0, 1, 2, 3, 7} {
			if got := filtered(c.in, n); got != c.want {
				t.Errorf("%s, in %d: got %q, want %q", c.name, n, got, c.want)
			}
		}
	}
}

func TestThinkingFilter_Lag(t *testing.T) {
	var th thinkingFilter
	for _, c := range []struct{ in, out string }{
		{" ", ""}, {"It", " It"}, {" is a <", " is a "}, {"b", "<b"}, {"\n``", "\n"}, {"`", "```"}, {"</think>\n", "</think>\n"},
	} {
		if got, _ := th.write(c.in); got != c.out {
			t.Errorf("after %q: got %q, want %q", c.in, got, c.out)
		}
	}
}

func TestStream_Thinking(t *testing.T) {
	for name, reply := range map[string]agenttest.Reply{
		"in a field":             {Thought: "canary [1]", Text: "So."},
		"in tags":                {Text: "<think>canary [1]</think>\n\nSo.", Deltas: 1},
		"without a tag":          {Text: "canary [1]\n</think>\n\nSo.", Deltas: 3, Chunks: 1},
		"in a field and in tags": {Thought: "canary", Text: "<think>canary</think>So."},
	} {
		reply.Calls = []agenttest.Call{{Name: "peek", Arguments: `{}`}}
		s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{reply}})
		said := ""
		for d, err := range quick(s).Stream(t.Context(), ask()) {
			if err != nil {
				t.Fatal(err)
			}
			if d.DiscardText {
				said = ""
			}
			said += d.Text
		}
		if said != "So." {
			t.Errorf("%s: got %q", name, said)
		}
	}
}

func TestSummarize_Thinking(t *testing.T) {
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "canary\n</think>\n\nThey asked."}}})
	if got, err := agent.Summarize(t.Context(), quick(s), "u", "a"); got != "They asked." || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func FuzzThinkingFilter(f *testing.F) {
	for _, seed := range []string{
		"<think>x</think>y", "x\n</think>\n\ny", "```\n</think>\n```", " <thinking>x</thinking> [THINK]y[/THINK]\n\nz", "◁think▷x◁/think▷", "<think>", "</think>\n", "``",
	} {
		f.Add(seed, uint8(1))
	}
	f.Fuzz(func(t *testing.T, message string, n uint8) {
		whole := filtered(message, 0)
		if streamed := filtered(message, 1+int(n)%9); streamed != whole {
			t.Fatalf("streamed %q, at once %q", streamed, whole)
		}
		if !strings.HasSuffix(message, whole) && whole != "" {
			t.Fatalf("%q is not a suffix of %q", whole, message)
		}
		tagged := false
		for _, tag := range tags {
			tagged = tagged || strings.Contains(message, tag.open) || strings.Contains(message, tag.close)
		}
		if !tagged && whole != message {
			t.Fatalf("%q became %q", message, whole)
		}
	})
}

// A run hears a thought as such, however the server marks it, so that it can end one that goes in circles.
func TestStream_ThoughtsArePassedOn(t *testing.T) {
	for name, reply := range map[string]agenttest.Reply{
		"a field": {Thought: "Was it May? ", Text: "In May."},
		"a tag":   {Text: "<think>Was it May? Or June?</think>In May.", Deltas: 6},
	} {
		t.Run(name, func(t *testing.T) {
			s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{reply}})
			var said, thought string
			for d, err := range quick(s).Stream(t.Context(), ask()) {
				if err != nil {
					t.Fatal(err)
				}
				said, thought = said+d.Text, thought+d.Thought
			}
			if said != "In May." || !strings.Contains(thought, "Was it May? ") || strings.Contains(thought, "In") {
				t.Errorf("said %q, thought %q", said, thought)
			}
		})
	}
}
