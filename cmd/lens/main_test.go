package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/cmd/internal/app"
	"lens/internal/vault/vaulttest"
)

// drain is how long the server of the tests waits for running answers.
const drain = time.Second

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"lens": func() {
			effort = app.Effort{
				Stretch: vaulttest.Options().Params, Measure: time.Millisecond, Drain: drain, Servers: scriptServers(),
			}
			trustTiny()
			main()
		},
		"lens-in-earnest": func() { trustTiny(); main() }, // spends as much as that of users
	})
}

// TestScripts runs every script of testdata/script with the lens of this package, in a home of its own. The fixtures
// are in the folder where a script starts.
func TestScripts(t *testing.T) {
	dir, files := scripts(t)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Files:               files,
		Setup:               prepare,
		Condition:           condition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       exits,
			"json":        jsonHas,
			"controls":    controls,
			"zip":         zipFiles,
			"truncate":    truncate,
			"encrypt":     encrypt,
			"embedserver": embedServer,
			"chatserver":  chatServer,
			"modelserver": modelServer,
			"requests":    requests,
			"received":    received,
			"writer":      holdWriter,
			"postgres":    usePostgres,
			"samejson":    sameJSON,
			"interrupt":   interruptAfter,
			"hostile":     hostile,
			"older":       older,
			"grepall":     grepAll,
			"killwhen":    killWhen,

			"hub":           startHub,
			"asked":         asked,
			"model":         writeModel,
			"flip":          flipBit,
			"interruptpull": interruptPull,
		},
	})
}

// concurrent names the scripts of verbs with several goroutines.
var concurrent = []string{"ask", "embed", "explore", "import", "import_embed", "interrupt", "interrupt_embed", "plain"}

// scripts returns the folder of all scripts; under the race detector with -short, only the files of concurrent ones.
func scripts(t *testing.T) (dir string, files []string) {
	if !underRace || !testing.Short() {
		return "testdata/script", nil
	}
	t.Run("sequential verbs", func(t *testing.T) { t.Skip("NOT under the race detector with -short") })
	for _, name := range concurrent {
		files = append(files, filepath.Join("testdata/script", name+".txtar"))
	}
	return "", files
}

func prepare(env *testscript.Env) error {
	env.Values["running"] = &running{t: env.T().(testing.TB)}
	for _, folder := range []string{"home", "data", "config"} {
		if err := os.Mkdir(filepath.Join(env.WorkDir, folder), 0o700); err != nil {
			return err
		}
	}
	// Each of nine hundred processes would collect what packages allocate when they start.
	env.Vars = append(env.Vars, endsAtOnce, "GOGC=400")
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
	env.Setenv("EXPORTS", exports())
	fixtures, err := os.ReadDir("testdata/fixtures")
	if err != nil {
		return err
	}
	for _, f := range fixtures {
		content, err := os.ReadFile(filepath.Join("testdata/fixtures", f.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(env.WorkDir, f.Name()), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
