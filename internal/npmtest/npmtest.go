// Package npmtest runs third-party clients from npm against the servers of Lens.
package npmtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// timeout bounds npm and the script together: npm may have a slow connection and an empty cache.
const timeout = 3 * time.Minute

// Run installs packages ("name@version") and runs a script in testdata, an ES module that imports them, with node. It
// returns the standard output of the script; if the script fails, the test fails. environment is added to that of this
// process. The test is skipped in short mode, without node or npm, and if npm cannot download.
func Run(t *testing.T, script string, packages, environment []string) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: clients from npm run only in long tests")
	}
	for _, tool := range []string{"npm", "node"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("SKIPPED: a third-party client needs " + tool)
		}
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	install := []string{
		"install", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
	}
	npm := exec.CommandContext(ctx, "npm", append(install, packages...)...)
	npm.WaitDelay = 10 * time.Second
	if output, err := npm.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: npm cannot download %v: %v\n%s", packages, err, output)
	}
	text, err := os.ReadFile(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, script) // next to its node_modules
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
