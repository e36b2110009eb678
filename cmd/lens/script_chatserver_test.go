package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/agent/agenttest"
)

// chatserver SCRIPT.yaml starts a scripted chat model for the rest of the script, and points the environment at it. A
// file that the script does not contain comes from agenttest.
func chatServer(ts *testscript.TestScript, _ bool, args []string) {
	file, err := os.Open(ts.MkAbs(args[0]))
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Open(filepath.Join("..", "..", "agent", "agenttest", "testdata", args[0]))
	}
	ts.Check(err)
	defer file.Close()
	script, err := agenttest.Read(file)
	ts.Check(err)
	server := agenttest.New(runningOf(ts).t, script)
	ts.Setenv("OPENAI_BASE_URL", server.URL)
	ts.Setenv("OPENAI_API_KEY", "sk-canary")
	ts.Setenv("LENS_CHAT_MODEL", "gpt-4o")
	ts.Setenv("LENS_EMBEDDING", "none")
	ts.Defer(func() { // every request must have carried the key
		for _, r := range server.Requests() {
			if !strings.HasSuffix(r.Header.Get("Authorization"), " sk-canary") {
				ts.Fatalf("a request without the key")
			}
		}
	})
}
