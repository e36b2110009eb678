// Package npmtest runs clients of other people's making, as they come from npm, against what Lens serves.
package npmtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// patience is how long npm may take, on a slow line, with nothing in its cache.
const patience = 3 * time.Minute

// Run installs packages ("name@version") and runs a script of testdata, an ES module, with them in node. It returns what the script printed
// on standard output; a script that fails, fails the test. environment is added to this process's. The test is skipped in short mode,
// without node and npm, and where npm cannot fetch.
func Run(t *testing.T, script string, packages, environment []string) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: a client from npm is for the long tests")
	}
	for _, tool := range []string{"npm", "node"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("SKIPPED: there is no " + tool + " to run a client of another make with")
		}
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	npm := exec.CommandContext(ctx, "npm", append([]string{"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"}, packages...)...)
	npm.WaitDelay = 10 * time.Second
	if said, err := npm.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: npm cannot fetch %v: %v\n%s", packages, err, said)
	}
	text, err := os.ReadFile(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, script) // beside its node_modules
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(ctx, "node", path)
	node.Env, node.Stderr, node.WaitDelay = append(os.Environ(), environment...), os.Stderr, 10*time.Second
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return out
}
