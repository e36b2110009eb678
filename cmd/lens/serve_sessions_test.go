package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lens/agent"
	"lens/agent/agenttest"
)

const question = `"messages":[{"role":"user","content":"When did I bake?"}]`

// session returns a saved chat.
func (s *served) session(id string) (one agent.Session) {
	s.t.Helper()
	status, body := s.get("/sessions/" + id)
	if err := json.Unmarshal([]byte(body), &one); err != nil || status != http.StatusOK {
		s.t.Fatalf("session %s: %d %s", id, status, body)
	}
	return one
}

// TestServe_KilledWhileItAnswers kills a server in the middle of an answer. The question is stored when the session is
// announced; two other servers see that it will be answered, and later that it will not.
func TestServe_KilledWhileItAnswers(t *testing.T) {
	model := agenttest.New(t, agenttest.Script{
		Replies: []agenttest.Reply{{Text: strings.Repeat("bread ", 500), Fault: agenttest.Fault{Stall: 20_000}}},
	})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=sk", "LENS_CHAT_MODEL=m")
	other := serveLens(t, s.dir, s.env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0"))
	response, err := http.DefaultClient.Do(s.request("POST", "/chat", "{"+question+"}", "Content-Type", "application/json"))
	must(t, err)
	defer response.Body.Close()
	stream, id := bufio.NewReader(response.Body), ""
	for line := ""; !strings.HasPrefix(line, "event: delta"); {
		line, err = stream.ReadString('\n')
		must(t, err)
		if _, data, ok := strings.Cut(line, `{"session_id":"`); ok {
			id = data[:36]
			if e := other.session(id).Exchanges[0]; e.Question != "When did I bake?" || e.Broken != "" || !e.Answering {
				t.Errorf("when it was announced: got %+v", e)
			}
		}
	}
	must(t, s.cmd.Process.Kill())
	_ = s.end()
	for _, later := range []*served{other, serveLens(t, s.dir, s.env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0"))} {
		if e := later.session(id).Exchanges[0]; e.Broken != agent.BrokenByExit || e.Answering {
			t.Errorf("after the server was killed: got %+v", e)
		}
		later.terminate()
	}
}

// TestServe_UnknownIDsCostNothing asks about a conversation and in a session that do not exist.
func TestServe_UnknownIDsCostNothing(t *testing.T) {
	model := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "In May."}}})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=sk", "LENS_CHAT_MODEL=m")
	without := serveLens(t, s.dir, append(slices.Clip(s.env), "OPENAI_BASE_URL=", "OPENAI_API_KEY="),
		exec.Command("lens", "serve", "--addr", "127.0.0.1:0"))
	for name, server := range map[string]*served{"with a model": s, "without a model": without} {
		for _, member := range []string{"session_id", "conversation_id"} {
			response, err := http.DefaultClient.Do(server.request("POST", "/chat",
				`{"`+member+`":"0b8f6e3c-1111-4222-8333-444455556666",`+question+`}`, "Content-Type", "application/json"))
			must(t, err)
			body, err := io.ReadAll(response.Body)
			must(t, err)
			_ = response.Body.Close()
			says := "No " + strings.TrimSuffix(member, "_id") + " has this ID."
			if response.StatusCode != http.StatusNotFound || !strings.Contains(string(body), says) {
				t.Errorf("%s, %s: got %d %s, want %q", name, member, response.StatusCode, body, says)
			}
		}
	}
	without.terminate()
	if _, body := s.get("/sessions"); len(model.Requests()) > 0 || !strings.Contains(body, `"sessions":`) || strings.Contains(body, "bake") {
		t.Errorf("the model got %d requests, stored %s", len(model.Requests()), body)
	}
	s.terminate()
}
