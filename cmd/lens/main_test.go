package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lens": func() { trustTiny(); main() }})
}

// TestScripts runs every script of testdata/script with the lens of this package, in a home of its own and without a network but
// loopback. Fixtures lie in the folder where a script begins.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
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
			"requests":    requests,
			"writer":      holdWriter,
			"postgres":    usePostgres,
			"samejson":    sameJSON,
			"interrupt":   interruptAfter,
			"hostile":     hostile,

			"hub":           startHub,
			"asked":         asked,
			"model":         writeModel,
			"flip":          flipBit,
			"interruptpull": interruptPull,
		},
	})
}

func prepare(env *testscript.Env) error {
	env.Values["running"] = &running{t: env.T().(testing.TB)}
	for _, folder := range []string{"home", "data", "config"} {
		if err := os.Mkdir(filepath.Join(env.WorkDir, folder), 0o700); err != nil {
			return err
		}
	}
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_DATA_HOME", filepath.Join(env.WorkDir, "data"))
	env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
	beside, err := filepath.Abs(exports)
	if err != nil {
		return err
	}
	env.Setenv("EXPORTS", beside)
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
