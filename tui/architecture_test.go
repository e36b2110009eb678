package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// outward lists packages for I/O, networking and processes.
var outward = []string{"os", "os/exec", "os/signal", "io/ioutil", "net", "net/http", "syscall", "database/sql", "log", "log/slog", "github.com/atotto/clipboard"}

// reaches reports whether a file may import them: that of the program itself, and those of tui/external.
func reaches(file, folder string) bool { return file == "tui.go" || folder == "external" }

func TestArchitecture_ComponentsDoNoIO(t *testing.T) {
	seen, waits := 0, 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		seen++
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			return err
		}
		folder, _, within := strings.Cut(filepath.ToSlash(name), "/")
		waiting := folder == "async" || !within
		for _, spec := range parsed.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if slices.Contains(outward, path) && !reaches(name, folder) {
				t.Errorf("%s imports %s: only commands and the program itself reach out", name, path)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s:%d: a goroutine outside of a command would not be waited for, and its panic not be caught", name, files.Position(n.Pos()).Line)
			case *ast.CallExpr:
				if waitsFor(n) {
					waits++
					if !waiting {
						t.Errorf("%s:%d: a component does not wait", name, files.Position(n.Pos()).Line)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 30 || waits == 0 {
		t.Fatalf("%d files, %d waits: this test looks in the wrong place: %v", seen, waits, err)
	}
}

// waitsFor reports whether a call is one of package time that waits.
func waitsFor(call *ast.CallExpr) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	from, ok := sel.X.(*ast.Ident)
	return ok && from.Name == "time" && slices.Contains([]string{"Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"}, sel.Sel.Name)
}

// Only command files call the engine: a search in Update or View would freeze the screen.
func TestArchitecture_OnlyCommandsCallTheEngine(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Peek", "Like", "Turn", "Activity", "Overview"}, sel.Sel.Name) && isEngine(sel.X) {
				asked++
				if name != "commands.go" && name != "sought.go" && !strings.HasSuffix(name, "cmd.go") {
					t.Errorf("%s asks the engine for %s", name, sel.Sel.Name)
				}
			}
			return true
		})
	}
	if asked == 0 {
		t.Fatalf("the engine is asked %d times: this test looks in the wrong place", asked)
	}
}

// isEngine reports whether an expression is named engine: m.engine, or a variable.
func isEngine(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name == "engine"
	case *ast.SelectorExpr:
		return x.Sel.Name == "engine"
	}
	return false
}
