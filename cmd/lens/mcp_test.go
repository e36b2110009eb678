package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/npmtest"
	"lens/internal/pypitest"
)

// assistantsHome returns an environment with an archive of the fixtures.
func assistantsHome(t *testing.T) []string {
	t.Helper()
	environment := environmentOf(t.TempDir())
	bringIn(t, environment)
	return environment
}

func bringIn(t *testing.T, environment []string) {
	t.Helper()
	runLens(t, environment, "import", "--no-embed", "testdata/fixtures/chats.json")
}

// notBrieflyUnderRace skips a test that runs many processes, each of which the race detector slows down. The packages
// have their own tests under it.
func notBrieflyUnderRace(t *testing.T) {
	t.Helper()
	if underRace && testing.Short() {
		t.Skip("SKIPPED: many processes, under the race detector, in short mode")
	}
}

// assistant starts lens mcp as an assistant does. stderr must stay empty.
func assistant(t *testing.T, environment []string, args ...string) (*mcp.ClientSession, *exec.Cmd) {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command("lens", append([]string{"mcp"}, args...)...)
	cmd.Env, cmd.Stderr = environment, &stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := cmd.ProcessState.ExitCode(); code != done || stderr.Len() > 0 {
			t.Errorf("lens mcp exits with %d, stderr: %s", code, &stderr)
		}
	})
	return session, cmd
}

func mcpCall(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (*mcp.CallToolResult, string) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return result, result.Content[0].(*mcp.TextContent).Text
}

func TestMCP_Stdio(t *testing.T) {
	dir := t.TempDir()
	environment := environmentOf(dir)
	bringIn(t, environment)
	session, _ := assistant(t, environment, "--log-level", "info")
	found, text := mcpCall(t, session, "peek", map[string]any{"query": "sourdough"})
	matches := found.StructuredContent.(map[string]any)["matches"].([]any)
	if found.IsError || len(matches) == 0 {
		t.Fatalf("peek says %s", text)
	}
	id := matches[0].(map[string]any)["turn_id"].(string)
	if read, text := mcpCall(t, session, "turn", map[string]any{"turn_id": id}); read.IsError || !strings.Contains(text, "turn "+id) {
		t.Errorf("turn says %s", text)
	}
	log, err := os.ReadFile(filepath.Join(dir, "lens", "lens.log"))
	if err != nil || strings.Contains(strings.ToLower(string(log)), "sourdough") || strings.Count(string(log), "msg=mcp asked=") != 2 {
		t.Errorf("logged, %v: %s", err, log)
	}
}

func TestMCP_OfflineSearch(t *testing.T) {
	notBrieflyUnderRace(t)
	dir := t.TempDir()
	environment := environmentOf(dir, "LENS_EMBEDDING=local")
	bringIn(t, environment)
	for name, data := range tinyFiles["tiny"] {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runLens(t, environment, "model", "import", dir)
	runLens(t, environment, "embed", "--yes")
	for _, args := range [][]string{nil, {"--offline"}} { // in a process per query, and in a server that is itself cut off
		session, _ := assistant(t, environment, args...)
		found, text := mcpCall(t, session, "search", map[string]any{"query": "sourdough"})
		got, _ := found.StructuredContent.(map[string]any)
		if hits, _ := got["hits"].([]any); found.IsError || len(hits) == 0 || got["audit_seq"] == 0.0 {
			t.Fatalf("%v: search says %s", args, text)
		}
		id := got["hits"].([]any)[0].(map[string]any)["chunk_id"]
		if read, text := mcpCall(t, session, "turn", map[string]any{"turn_id": id}); read.IsError {
			t.Errorf("%v: turn says %s", args, text)
		}
	}
}

func TestMCP_StartsWithoutArchive(t *testing.T) {
	environment := environmentOf(t.TempDir())
	session, _ := assistant(t, environment)
	missing, text := mcpCall(t, session, "activity", nil)
	if !missing.IsError || !strings.HasPrefix(text, "not_found: there is no archive in ") || !strings.Contains(text, "\nNext step: run lens import PATH") {
		t.Errorf("without an archive: %s", text)
	}
	bringIn(t, environment)
	if found, text := mcpCall(t, session, "activity", nil); found.IsError {
		t.Errorf("after an import: %s", text)
	}
}

func TestMCP_LockedArchive(t *testing.T) {
	notBrieflyUnderRace(t)
	dir := t.TempDir()
	environment := environmentOf(dir)
	bringIn(t, environment)
	secret := filepath.Join(dir, "passphrase.txt")
	if err := os.WriteFile(secret, []byte("one passphrase for a test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runLens(t, environment, "pin", "set", "--passphrase", "--new-pin-file", secret, "--recovery-file", secret)
	session, _ := assistant(t, environment)
	for tool, arguments := range map[string]map[string]any{"peek": {"query": "sourdough"}, "activity": nil} {
		if result, text := mcpCall(t, session, tool, arguments); !result.IsError || !strings.HasPrefix(text, "locked: the archive is locked") || !strings.Contains(text, "\nNext step: ") {
			t.Errorf("%s says %s", tool, text)
		}
	}
	session, _ = assistant(t, environment, "--pin-file", secret)
	if result, text := mcpCall(t, session, "activity", nil); result.IsError {
		t.Errorf("with the passphrase: %s", text)
	}
}

func TestMCP_SignalEndsCleanly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: there are no signals on Windows")
	}
	session, cmd := assistant(t, environmentOf(t.TempDir()))
	mcpCall(t, session, "activity", nil) // it is up
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = session.Wait() // until the other end is closed; the cleanup checks the exit code
}

func TestMCP_OverHTTP(t *testing.T) {
	notBrieflyUnderRace(t)
	for _, args := range [][]string{{"--mcp"}, nil} {
		dir := t.TempDir()
		environment := environmentOf(dir)
		bringIn(t, environment)
		s := serveLens(t, dir, environment, exec.Command("lens", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...))
		if args == nil {
			if status, _ := s.get("/mcp"); status != http.StatusNotFound {
				t.Errorf("without --mcp, /mcp has status %d", status)
			}
			s.terminate()
			continue
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if found, text := mcpCall(t, session, "peek", map[string]any{"query": "sourdough"}); found.IsError {
			t.Errorf("peek says %s", text)
		}
		_ = session.Close()
		if status, body := s.get("/mcp"); status != http.StatusMethodNotAllowed || !strings.Contains(body, `"message":"Use POST."`) {
			t.Errorf("GET: %d %s", status, body)
		}
		s.terminate()
		if log := s.said.String(); strings.Contains(log, "sourdough") || !strings.Contains(log, `"asked":"peek"`) {
			t.Errorf("logged %s", log)
		}
	}
}

func TestMCP_ClientFromNPM(t *testing.T) {
	t.Parallel()
	lens, err := exec.LookPath("lens")
	if err != nil {
		t.Fatal(err)
	}
	out := npmtest.Run(t, "mcp-client.mjs", []string{"@modelcontextprotocol/sdk@1.32.2"}, append(assistantsHome(t)[1:], "LENS="+lens))
	var got struct {
		Tools, Missing                              []string
		Compared, Like, Read                        int
		ID, Turn, Wrong, Template, Resource, Prompt string
		Total                                       int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Join(got.Tools, " ") != "about activity compare peek search topics turn turns" || got.ID == "" || got.Turn != got.ID || got.Total == 0 || got.Template != "lens://turn/{id}" {
		t.Errorf("got %+v", got)
	}
	if got.Compared != 2 || got.Like == 0 || got.Read != 1 || strings.Join(got.Missing, " ") != "ffffffff" {
		t.Errorf("got %+v", got)
	}
	if !strings.HasPrefix(got.Wrong, "not_found: ") || !strings.Contains(got.Resource, "turn "+got.ID) || !strings.Contains(got.Prompt, "When did I bake?") {
		t.Errorf("got %+v", got)
	}
}

func TestMCP_ClientFromPyPI(t *testing.T) {
	t.Parallel()
	lens, err := exec.LookPath("lens")
	if err != nil {
		t.Fatal(err)
	}
	out := pypitest.Run(t, "mcp_client.py", []string{"mcp==2.3.0"}, append(assistantsHome(t)[1:], "LENS="+lens))
	var got struct {
		Tools, Missing        []string
		ID, Turn, Wrong, Text string
		Total, Compared       int
		Refused               bool
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Join(got.Tools, " ") != "about activity compare peek search topics turn turns" || got.ID == "" || got.Turn != got.ID || got.Total == 0 || got.Compared != 2 {
		t.Errorf("got %+v", got)
	}
	if !got.Refused || !strings.HasPrefix(got.Wrong, "not_found: ") || strings.Join(got.Missing, " ") != "ffffffff" || !strings.Contains(got.Text, "turn "+got.ID) {
		t.Errorf("got %+v", got)
	}
}
