package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
)

// The ways in which a model begins without a call that works, and what a notice says about each. Nothing of it is shown.
func TestOnePass_FirstMessageWithoutACall(t *testing.T) {
	broken := fakeMessage{text: "I look.", calls: []Call{call("a", ToolPeek, `{"query":`), call("b", "search_archive", `{}`)}}
	for name, c := range map[string]struct {
		first []fakeMessage
		says  string
	}{
		"an answer":      {[]fakeMessage{{text: "You baked in May [1]."}}, "fake did not search, so"},
		"a cut answer":   {[]fakeMessage{{text: "You baked in", finish: Length}}, "fake did not search, so"},
		"circles":        {[]fakeMessage{{text: strings.Repeat("I am not sure. ", 500)}}, "fake went in circles, so"},
		"thoughts":       {[]fakeMessage{{endlessThought: strings.Repeat("Hm, well. ", 500)}}, "fake went in circles, so"},
		"markers":        {[]fakeMessage{{text: strings.Repeat("<|im_start|>user\n", 500)}}, "fake printed the markers of its chat template, so"},
		"nothing":        {[]fakeMessage{{}}, "fake said nothing, so"},
		"only blanks":    {[]fakeMessage{{text: " \n"}}, "fake said nothing, so"},
		"no tools":       {[]fakeMessage{{err: ErrNoTools}}, "fake cannot call tools, so"},
		"no room":        {[]fakeMessage{{err: ErrContextTooLong}}, "fake has too small a context for Lens's tools, so"},
		"broken calls":   {[]fakeMessage{broken, broken, broken}, "fake has read nothing, so"},
		"calls, an end":  {[]fakeMessage{broken, {text: "In May."}}, "fake did not search, so"},
		"a call cut off": {[]fakeMessage{{calls: []Call{hydrate(1)}, finish: Length}}, "fake has read nothing, so"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeModel{messages: append(slices.Clone(c.first), fakeMessage{text: "So it was [2]."})}
			h := record(context.Background(), Request{Model: m, Tools: reportingTools(30), Messages: question("bread?")})
			d := h.done(t)
			notices := all[Notice](h)
			if last := notices[len(notices)-1]; last.Code != "one_pass" || !strings.HasPrefix(last.Message, c.says) {
				t.Errorf("notices %+v", notices)
			}
			if d.Answer != "So it was [2]." || h.shownText() != d.Answer || len(all[Withdrawn](h)) > 0 || d.Finish != Stop || !d.Evidence || d.Report || d.Usage.Turns != maxOnePassTurns {
				t.Errorf("got %+v, shown %q", d, h.shownText())
			}
			last := m.prompts[len(m.prompts)-1]
			for i, message := range last.Messages {
				if message.Role != User && i > 0 || len(message.Calls) > 0 {
					t.Errorf("sent %+v", message)
				}
			}
			if size := len(last.Messages[0].Text); len(last.Tools) > 0 || size > 1500 || last.MaxTokens == 0 {
				t.Errorf("sent %d tools, a prompt of %d bytes, the limit %d", len(last.Tools), size, last.MaxTokens)
			}
			if n := len(last.Messages); !strings.HasPrefix(last.Messages[n-2].Text, "The number to cite this turn by is 1.") {
				t.Errorf("the best turn is not the last one: %q", last.Messages[n-2].Text)
			}
		})
	}
}

// Where an answer may stand without a search, it is not replaced.
func TestOnePass_NotNeeded(t *testing.T) {
	for name, c := range map[string]struct {
		messages []Message
		tools    []Tool
		first    []fakeMessage
	}{
		"a later question":            {followUp("shorter?"), fakeTools(2), nil},
		"without tools":               {question("?"), nil, nil},
		"after a search":              {question("?"), fakeTools(2), peeks(1)[:1]},
		"thoughts that took all room": {question("?"), fakeTools(2), []fakeMessage{{thought: "hm", finish: Length}}},
	} {
		m := &fakeModel{messages: append(slices.Clone(c.first), fakeMessage{text: "So it was."})}
		h := record(context.Background(), Request{Model: m, Tools: c.tools, Messages: c.messages})
		if len(all[Notice](h)) > 0 || len(m.prompts) != max(1, len(c.first)+1) && h.err == nil {
			t.Errorf("%s: %d requests, %v, %+v", name, len(m.prompts), h.err, all[Notice](h))
		}
	}
}

// An answer in one pass that cites nothing stands below what Lens found, whose references are sources.
func TestOnePass_FindingsFirst(t *testing.T) {
	circles := "I am not sure, see [9]. " + strings.Repeat("The archive has no turns. ", 500)
	for name, c := range map[string]struct {
		answer fakeMessage
		words  string
		finish Finish
	}{
		"no citation":    {fakeMessage{text: "In May.\n\nOr in June."}, "> In May.\n> \n> Or in June.", Stop},
		"a false one":    {fakeMessage{text: "In May [9], [10]."}, "> In May,.", Stop},
		"circles":        {fakeMessage{text: circles}, "> I am not sure, see. The archive has no turns", Repetition},
		"markers behind": {fakeMessage{text: "In May.<|im_end|>\n<|im_start|>user\n"}, "> In May.", Template},
	} {
		t.Run(name, func(t *testing.T) {
			m := &fakeModel{messages: []fakeMessage{{err: ErrNoTools}, c.answer}}
			h := record(context.Background(), Request{Model: m, Tools: reportingTools(3), Messages: question("bread?")})
			d := h.done(t)
			want := "The model's answer cites nothing, so this is what Lens found in the archive.\n\n" +
				`report of {"dates":"soft","query":"bread?"}` + "\n\nWhat fake said, without evidence:\n\n" + c.words
			if got := d.Answer; got != want || h.shownText() != got || d.Finish != c.finish || d.Truncated != (c.finish != Stop) {
				t.Errorf("finished by %s, got %q\nwant %q", d.Finish, got, want)
			}
			if !d.Report || d.Evidence || len(d.Citations)+len(d.Turns)+len(all[Cited](h)) > 0 || len(d.Sources) != 3 || d.Sources[2].TurnID != "t3" {
				t.Errorf("cites %v, sources %+v", d.Turns, d.Sources)
			}
			var e Exchange
			e.Hear(d)
			if history := (Session{Exchanges: []Exchange{e}}).Messages(); !e.Report || len(e.Citations) != 3 || len(history) > 0 {
				t.Errorf("saved as %+v; the model is sent %+v", e, history)
			}
		})
	}
}

// An answer that cites something is shown from there on, while it streams.
func TestOnePass_ShownFromTheFirstCitationOn(t *testing.T) {
	m := &fakeModel{messages: []fakeMessage{{text: "Hm."}, {text: "First in May [1], " + strings.Repeat("and later on ", 20) + "in June [2]."}}}
	h := record(context.Background(), Request{Model: m, Tools: reportingTools(3), Messages: question("bread?")})
	texts := all[Text](h)
	if d := h.done(t); len(texts) < 20 || !strings.HasPrefix(texts[0].Text, "First in May [1]") || h.shownText() != d.Answer || fmt.Sprint(d.Turns) != "[t1 t2]" {
		t.Errorf("shown %q", texts)
	}
}

// A window that is too small takes fewer turns: the best ones.
func TestOnePass_SmallContext(t *testing.T) {
	tools := reportingTools(8)
	for _, turn := range tools[1].(fakeTurn) {
		turn.Assistant = strings.Repeat("a long reply ", 500)
	}
	const window = 2048
	m := &windowModel{fakeModel{messages: []fakeMessage{{text: "So [1]."}}}, window}
	h := record(context.Background(), Request{Model: m, Tools: tools, Messages: question("bread?")})
	d := h.done(t)
	sent := m.prompts[len(m.prompts)-1].Messages
	halved := 0
	for _, n := range all[Notice](h) {
		if n.Code == "evidence_halved" {
			halved++
		}
	}
	if halved != 2 {
		t.Errorf("said %d times that evidence is left out, want twice", halved)
	}
	if d.Answer != "So [1]." || d.Truncated || m.refused < 3 || !strings.HasPrefix(sent[len(sent)-2].Text, "The number to cite this turn by is 1.") {
		t.Errorf("after %d refusals: %+v, sent %q", m.refused, d, sent[len(sent)-2].Text)
	}
	m = &windowModel{fakeModel{messages: []fakeMessage{{text: "So [1]."}}}, 100}
	h = record(context.Background(), Request{Model: m, Tools: tools, Messages: question("bread?")})
	if p := h.partial(t); !p.Report || errs.CodeOf(h.err) != errs.TooLarge {
		t.Errorf("no window at all: %v, %+v", h.err, p)
	}
}

// Text that is held back stands below the report of a run that fails.
func TestPartial_WordsWithoutEvidence(t *testing.T) {
	m := &fakeModel{messages: []fakeMessage{{text: "Half [1] an ans", err: errDown}}}
	h := record(context.Background(), Request{Model: m, Tools: reportingTools(2), Messages: question("bread?")})
	const want = "The model gave no whole answer. This is what Lens found in the archive.\n\n" +
		`report of {"dates":"soft","query":"bread?"}` + "\n\nWhat fake said, without evidence:\n\n> Half an ans"
	if p := h.partial(t); p.Text != want || !p.Report || len(p.Citations) > 0 || h.shownText() != "" {
		t.Errorf("got %q, cites %+v, shown %q", p.Text, p.Citations, h.shownText())
	}
	h = record(context.Background(), Request{Model: m, Tools: []Tool{brokenPeek{}, fakeTurn{}}, Messages: question("bread?")})
	if p := h.partial(t); p.Text != "Half an ans" || p.Report || h.shownText() != p.Text {
		t.Errorf("without a search: got %q, shown %q", p.Text, h.shownText())
	}
}
