//go:build system

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/agent"
	"lens/agent/agenttest"
)

// explore starts the explorer on the archive that s serves.
func (s *served) explore() *terminal {
	s.t.Helper()
	term := onTerminalWith(s.t, s.dir, s.env)
	term.expect("turns in")
	return term
}

// asks asks in the chat, and waits until the terminal shows something.
func (t *terminal) asks(question, shows string) {
	t.t.Helper()
	t.press("c" + question + "\r")
	t.expect(shows)
}

// saved returns the saved chats.
func (s *served) saved() (all []agent.Session) {
	s.t.Helper()
	cmd := exec.Command("lens", "export", "--sessions")
	cmd.Env = s.env
	out, _ := cmd.Output() // exits 3 without any
	for line := range bytes.Lines(out) {
		var one agent.Session
		must(s.t, json.Unmarshal(line, &one))
		all = append(all, one)
	}
	return all
}

// questionsOf returns the questions of a chat.
func questionsOf(one agent.Session) (asked []string) {
	for _, e := range one.Exchanges {
		asked = append(asked, e.Question)
	}
	return asked
}

// TestExplore_KilledWhileItAnswers kills the explorer in the middle of an answer. The question is there while it answers,
// and is shown as interrupted by everything that lists chats.
func TestExplore_KilledWhileItAnswers(t *testing.T) {
	var long strings.Builder
	for n := range 300 {
		fmt.Fprintf(&long, "bread bread %d ", n)
	}
	model := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{
		{Calls: []agenttest.Call{{Name: "peek", Arguments: map[string]any{"query": "sourdough"}}}}, // until then it is held back
		{Text: long.String(), Fault: agenttest.Fault{Stall: 20_000}},
	}})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=sk", "LENS_CHAT_MODEL=m")
	term := s.explore()
	term.asks("When did I bake?", "bread bread")
	all := s.saved()
	if len(all) != 1 || len(all[0].Exchanges) != 1 {
		t.Fatalf("while it answers, saved are %+v", all)
	}
	if e := s.session(all[0].ID).Exchanges[0]; e.Question != "When did I bake?" || !e.Answering || e.Broken != "" {
		t.Errorf("while it answers: got %+v", e)
	}
	if text := runLens(t, s.env, "export", "--sessions", "--format", "md"); !strings.Contains(text, "*Still being answered.*") {
		t.Errorf("while it answers, the export to read has\n%s", text)
	}
	must(t, term.cmd.Process.Kill())
	<-term.ended
	for name, one := range map[string]agent.Session{"export": s.saved()[0], "GET /sessions": s.session(all[0].ID)} {
		if e := one.Exchanges[0]; e.Question != "When did I bake?" || e.Broken != agent.BrokenByExit || e.Answering {
			t.Errorf("%s after it was killed: got %+v", name, e)
		}
	}
	again := s.explore()
	again.press("c\x07\x0f") // ctrl+g leaves the question, ctrl+o lists the chats
	again.expect("New chat")
	again.press("\x1b[B\r")
	again.expect("interrupted: Lens ended")
	again.press("q")
	s.terminate()
}

// TestExplore_SavesBesideOthers asks in a chat to which an HTTP client adds, and which is forgotten then.
func TestExplore_SavesBesideOthers(t *testing.T) {
	model := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{
		{Calls: []agenttest.Call{{Name: "peek", Arguments: map[string]any{"query": "sourdough"}}}},
		{Calls: []agenttest.Call{{Name: "turn", Arguments: map[string]any{"turn_id": "$1"}}}},
		{Text: "Answer alpha [1]."},
		{Text: "Answer beta."},
		{Text: "Answer gamma."},
		{Text: "Answer delta."},
	}})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=sk", "LENS_CHAT_MODEL=m")
	term := s.explore()
	term.asks("When did I bake?", "Answer alpha")
	id := s.answered(1).ID
	response, err := http.DefaultClient.Do(s.request("POST", "/chat",
		`{"session_id":"`+id+`","messages":[{"role":"user","content":"Over HTTP?"}]}`, "Content-Type", "application/json"))
	must(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	must(t, err)
	_ = response.Body.Close()
	term.asks("And in the explorer?", "Answer gamma")
	one := s.answered(3)
	if got := strings.Join(questionsOf(one), " "); got != "When did I bake? Over HTTP? And in the explorer?" {
		t.Errorf("saved are %q", got)
	}
	cited := one.Exchanges[0].Citations
	if len(cited) != 1 {
		t.Fatalf("the first answer cites %+v", cited)
	}
	runLens(t, s.env, "forget", "--conversation", cited[0].Conversation, "--yes")
	if all := s.saved(); len(all) > 0 {
		t.Fatalf("after lens forget, saved are %+v", all)
	}
	term.asks("Is it still here?", "cannot save the chat: it was forgotten meanwhile")
	term.expect("Answer delta")
	term.press("q")
	if code := term.code(); code != done {
		t.Errorf("the explorer ends with %d", code)
	}
	if all := s.saved(); len(all) > 0 {
		t.Errorf("the explorer has brought back %+v", all)
	}
	var kept savedState
	text, err := os.ReadFile(filepath.Join(s.dir, "lens", "explorer.json"))
	must(t, err)
	must(t, json.Unmarshal(text, &kept))
	if len(kept.Places) > 0 {
		t.Errorf("the explorer has brought back %s", text)
	}
	s.terminate()
}

// answered waits until a chat has n answers, and returns it.
func (s *served) answered(n int) agent.Session {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		all := s.saved()
		if len(all) != 1 || len(all[0].Exchanges) < n {
			continue
		}
		if e := all[0].Exchanges[n-1]; !e.Answering && e.Answer != "" {
			return all[0]
		}
	}
	s.t.Fatalf("saved are %+v", s.saved())
	return agent.Session{}
}
