package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"lens/internal/errs"
)

func smallConversation(budget Budget, messages ...Message) *conversation {
	return newConversation(Request{Model: &fakeModel{}, Budget: budget.orDefault(), Messages: messages}, "archive-0")
}

func TestConversationFit_OldestResultsFirst(t *testing.T) {
	c := smallConversation(Budget{Tokens: 4000, TurnTokens: 1000}, question("now?")...)
	for n := range 5 {
		c.add(Message{Role: Assistant, Calls: []Call{hydrate(n + 1)}})
		c.addTurn(fmt.Sprint("c", n+1), n+1, &Turn{ID: fmt.Sprint("t", n+1), User: "u", Assistant: strings.Repeat("long text ", 300)})
	}
	if dropped, err := c.fit(nil); dropped || err != nil {
		t.Fatal(dropped, err)
	}
	if c.total(nil) > 4000 {
		t.Errorf("%d tokens are left", c.total(nil))
	}
	var shape []string
	for _, m := range c.messages() {
		if m.Role == ToolRole {
			shape = append(shape, fmt.Sprint(strings.HasPrefix(m.Text, "[left out to make room] [")))
		}
	}
	got := strings.Join(shape, " ")
	if strings.LastIndex(got, "true") > strings.Index(got, "false") || !strings.HasPrefix(got, "true") || !strings.HasSuffix(got, "false") {
		t.Errorf("left out: %s", got)
	}
}

func TestConversationFit_HistoryBeforeQuestion(t *testing.T) {
	long := strings.Repeat("once upon a time ", 400)
	c := smallConversation(Budget{Tokens: 3000}, Message{Role: User, Text: long}, Message{Role: Assistant, Text: long}, Message{Role: User, Text: "now?"})
	dropped, err := c.fit(nil)
	messages := c.messages()
	if !dropped || err != nil || messages[len(messages)-1].Text != "now?" || messages[0].Role != System {
		t.Errorf("got %v, %v, %d messages", dropped, err, len(messages))
	}
	c = smallConversation(Budget{Tokens: 3000}, question(long+long)...)
	if _, err := c.fit(nil); errs.CodeOf(err) != "too_large" {
		t.Errorf("got %v", err)
	}
}

func TestConversationCut_LongTurn(t *testing.T) {
	c := smallConversation(Budget{}, question("?")...)
	text := "begin " + strings.Repeat("überlang ", 20_000) + "end"
	cut := c.cut(text, 500)
	if n := c.model.Tokens(cut); n > 500 || n < 300 {
		t.Errorf("%d tokens are left", n)
	}
	var missing int
	at := strings.Index(cut, "[… ")
	if _, err := fmt.Sscanf(cut[at:], "[… %d characters left out here by Lens", &missing); err != nil {
		t.Fatal(err)
	}
	kept := len([]rune(cut[:at])) - 1 + len([]rune(cut[strings.Index(cut, "…]\n")+len("…]\n"):]))
	if kept+missing != len([]rune(text)) || !strings.HasPrefix(cut, "begin") || !strings.HasSuffix(cut, "end") {
		t.Errorf("%d characters kept, %d said to be missing, of %d", kept, missing, len([]rune(text)))
	}
	if short := "short"; c.cut(short, 500) != short {
		t.Error("a short text was cut")
	}
}

// sparseModel has long tokens, like those for runs of blanks or rules.
type sparseModel struct{ fakeModel }

func (*sparseModel) Tokens(text string) int {
	return len(strings.ReplaceAll(text, "=", ""))/4 + strings.Count(text, "=")/64 + 1
}

func TestConversationCut_LongTokens(t *testing.T) {
	c := &conversation{model: &sparseModel{}}
	rule := strings.Repeat("=", 4_000)
	if got := c.cut(rule, 100); got != rule {
		t.Errorf("%d bytes are left of %d that fit", len(got), len(rule))
	}
	if got := c.cut(rule+strings.Repeat("word ", 2_000), 100); c.model.Tokens(got) > 100 || !strings.Contains(got, "left out here by Lens") {
		t.Errorf("%d tokens are left", c.model.Tokens(got))
	}
}

func TestConversationAddTurn_SummaryOfLongReply(t *testing.T) {
	c := smallConversation(Budget{TurnTokens: 200}, question("?")...)
	c.addTurn("c", 1, &Turn{ID: "t1", User: "u", Assistant: strings.Repeat("long reply ", 500), Summary: "the gist of it"})
	text := c.entries[len(c.entries)-1].Text
	if !strings.Contains(text, "Summary of the reply (do not quote it): the gist of it") || !strings.Contains(text, "left out here by Lens") {
		t.Errorf("got %q", text)
	}
}

// A request holds the descriptions of the tools, too.
func TestConversationFit_CountsTheTools(t *testing.T) {
	tools := []Spec{{Name: ToolPeek, Description: strings.Repeat("finds turns ", 1000), Schema: json.RawMessage(`{"type":"object"}`)}}
	c := smallConversation(Budget{Tokens: 10_000}, question("now?")...)
	for n := range 9 {
		c.addTurn(fmt.Sprint("c", n+1), n+1, &Turn{ID: fmt.Sprint("t", n+1), User: "u", Assistant: strings.Repeat("long text ", 500)})
	}
	if _, err := c.fit(tools); err != nil {
		t.Fatal(err)
	}
	if n := c.total(nil) + c.model.Tokens(tools[0].Description); n > 10_000 || n < 8_000 {
		t.Errorf("%d tokens are sent with the tools, want at most 10,000", n)
	}
}

func TestConversationFit_CountsForTheModel(t *testing.T) {
	fill := func(ratio *TokenRatio) *conversation {
		c := smallConversation(Budget{Tokens: 10_000}, question("now?")...)
		c.ratio = ratio
		for n := range 9 {
			c.addTurn(fmt.Sprint("c", n+1), n+1, &Turn{ID: fmt.Sprint("t", n+1), User: "u", Assistant: strings.Repeat("long text ", 500)})
		}
		if _, err := c.fit(nil); err != nil {
			t.Fatal(err)
		}
		return c
	}
	seen := new(TokenRatio)
	for _, c := range []struct {
		ratio *TokenRatio
		limit int
	}{{nil, 10_000}, {new(TokenRatio), 8_000}, {seen, 5_000}} {
		seen.observe(100, 200)
		seen.observe(100, 150) // the greatest counts
		seen.observe(0, 1)
		if n := fill(c.ratio).total(nil); n > c.limit || n < c.limit-2_000 {
			t.Errorf("%d tokens are sent, want at most %d", n, c.limit)
		}
	}
	seen.observe(1, 1_000)
	if n := seen.of(10_000); n != 2_500 {
		t.Errorf("%d tokens are left by a server that reports nonsense", n)
	}
}

func TestRun_LearnsTheRatioFromTheServer(t *testing.T) {
	ratio := new(TokenRatio)
	m := &usedModel{fakeModel{messages: []fakeMessage{{text: "so"}}}}
	record(context.Background(), Request{Model: m, Ratio: ratio, Messages: question("?")}).done(t)
	if ratio.greatest <= leastRatio || ratio.greatest > greatestRatio {
		t.Errorf("learned %v", ratio.greatest)
	}
}

// usedModel reports twice the tokens of a prompt.
type usedModel struct{ fakeModel }

func (m *usedModel) Stream(ctx context.Context, p Prompt) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		for d, err := range m.fakeModel.Stream(ctx, p) {
			if d.Finish != "" {
				c := smallConversation(Budget{}, question("?")...)
				d.Tokens = Tokens{Prompt: 2 * c.total(nil), Completion: 1}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
