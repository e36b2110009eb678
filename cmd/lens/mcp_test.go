package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/npmtest"
)

// mcpHome returns the environment of a lens with a home of its own, and the fixtures' archive in it where that is wished for.
func mcpHome(t *testing.T, imported bool) (environment []string, lens string) {
	t.Helper()
	lens, err := exec.LookPath("lens")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	environment = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home}
	if imported {
		bringIn(t, lens, environment)
	}
	return environment, lens
}

func bringIn(t *testing.T, lens string, environment []string) {
	t.Helper()
	bring := exec.Command(lens, "import", "--no-embed", "testdata/fixtures/chats.json")
	bring.Env = environment
	if said, err := bring.CombinedOutput(); err != nil {
		t.Fatalf("import: %v\n%s", err, said)
	}
}

// assistant starts lens mcp as an assistant does. stderr must stay empty.
func assistant(t *testing.T, lens string, environment []string) (*mcp.ClientSession, *exec.Cmd) {
	t.Helper()
	var stderr strings.Builder
	cmd := exec.Command(lens, "mcp", "--log-level", "info")
	cmd.Env, cmd.Stderr = environment, &stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := cmd.ProcessState.ExitCode(); code != done || stderr.Len() > 0 {
			t.Errorf("lens mcp ends with %d and says %s", code, &stderr)
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

func TestAnAssistantAsksTheArchiveOverStdio(t *testing.T) {
	environment, lens := mcpHome(t, true)
	session, _ := assistant(t, lens, environment)
	found, text := mcpCall(t, session, "peek", map[string]any{"query": "sourdough"})
	matches := found.StructuredContent.(map[string]any)["matches"].([]any)
	if found.IsError || len(matches) == 0 {
		t.Fatalf("peek says %s", text)
	}
	id := matches[0].(map[string]any)["turn_id"].(string)
	if read, text := mcpCall(t, session, "turn", map[string]any{"turn_id": id}); read.IsError || !strings.Contains(text, "turn "+id) {
		t.Errorf("turn says %s", text)
	}
	log, err := os.ReadFile(filepath.Join(environment[2][len("XDG_DATA_HOME="):], "lens", "lens.log"))
	if err != nil || strings.Contains(strings.ToLower(string(log)), "sourdough") || strings.Count(string(log), "msg=mcp asked=") != 2 {
		t.Errorf("logged, %v: %s", err, log)
	}
}

func TestAnAssistantMayBeThereBeforeTheArchive(t *testing.T) {
	environment, lens := mcpHome(t, false)
	session, _ := assistant(t, lens, environment)
	missing, text := mcpCall(t, session, "activity", nil)
	if !missing.IsError || !strings.HasPrefix(text, "not_found: there is no archive in ") || !strings.Contains(text, "\nNext step: lens import PATH") {
		t.Errorf("told %s", text)
	}
	bringIn(t, lens, environment)
	if found, text := mcpCall(t, session, "activity", nil); found.IsError {
		t.Errorf("after an import, told %s", text)
	}
}

func TestASignalEndsTheServerOfAnAssistantWell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: there are no signals on Windows")
	}
	environment, lens := mcpHome(t, false)
	session, cmd := assistant(t, lens, environment)
	mcpCall(t, session, "activity", nil) // it is up
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = session.Wait() // until the other end is closed; the cleanup looks how it ended
}

func TestAClientFromNPMAsksTheArchive(t *testing.T) {
	t.Parallel()
	environment, lens := mcpHome(t, !testing.Short())
	out := npmtest.Run(t, "mcp-client.mjs", []string{"@modelcontextprotocol/sdk@1.32.2"}, append(environment[1:], "LENS="+lens))
	var got struct {
		Tools                                       []string
		ID, Turn, Wrong, Template, Resource, Prompt string
		Total                                       int
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Join(got.Tools, " ") != "activity peek turn" || got.ID == "" || got.Turn != got.ID || got.Total == 0 || got.Template != "lens://turn/{id}" {
		t.Errorf("got %+v", got)
	}
	if !strings.HasPrefix(got.Wrong, "not_found: ") || !strings.Contains(got.Resource, "turn "+got.ID) || !strings.Contains(got.Prompt, "When did I bake?") {
		t.Errorf("got %+v", got)
	}
}
