package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// outward lists packages for I/O, networking and processes.
var outward = []string{"os", "os/exec", "os/signal", "io/ioutil", "net", "net/http", "syscall", "database/sql", "log", "log/slog", "github.com/atotto/clipboard"}

// reaches reports whether a file may import them: that of the program itself, and those of tui/external.
func reaches(file, folder string) bool { return file == "app/run.go" || folder == "external" }

func TestArchitecture_ComponentsDoNoIO(t *testing.T) {
	seen, waits := 0, 0
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
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
		file := strings.TrimPrefix(filepath.ToSlash(name), "../")
		folder, _, _ := strings.Cut(file, "/")
		waiting := folder == "async" || folder == "app"
		for _, spec := range parsed.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if slices.Contains(outward, path) && !reaches(file, folder) {
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

// Only commands call the engine: a search in Update or View would freeze the screen. A call is in a function that gets a
// context, as the helpers of commands do, or in one that is made into a command.
func TestArchitecture_OnlyCommandsCallTheEngine(t *testing.T) {
	asked := 0
	for _, name := range sources(t) {
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var within []ast.Node // what surrounds the node, outermost first
		ast.Inspect(parsed, func(n ast.Node) bool {
			if n == nil {
				within = within[:len(within)-1]
				return true
			}
			within = append(within, n)
			if call, ok := n.(*ast.CallExpr); ok && asksEngine(call) {
				if asked++; !slices.ContainsFunc(within, isCommand) {
					t.Errorf("%s:%d asks the engine outside of a command", name, files.Position(n.Pos()).Line)
				}
			}
			return true
		})
	}
	if asked < 8 {
		t.Fatalf("the engine is asked %d times: this test looks in the wrong place", asked)
	}
}

// sources returns the Go files of the explorer, without tests.
func sources(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// asksEngine reports whether a call is one of the engine's: of a method of that name, on something named so.
func asksEngine(call *ast.CallExpr) bool {
	asks := []string{"Peek", "Browse", "Suggest", "Turn", "Activity", "Overview", "Models", "Tags", "TopicNames", "CompleteTitle"}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(asks, sel.Sel.Name) {
		return false
	}
	on := ""
	switch x := sel.X.(type) {
	case *ast.Ident:
		on = x.Name
	case *ast.SelectorExpr:
		on = x.Sel.Name
	}
	return on == "engine" || on == "source"
}

// isCommand reports whether a node is a function with a context, or the argument of Tasks.Command.
func isCommand(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return len(n.Type.Params.List) > 0 && isContext(n.Type.Params.List[0].Type)
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Command"
	}
	return false
}

func isContext(x ast.Expr) bool {
	sel, ok := x.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Context"
}

// The walks of ARCHITECTURE.md go through functions that exist.
func TestArchitecture_WalksGoThroughFunctions(t *testing.T) {
	doc, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(doc), "### The explorer, from a key to the frame")
	walks, _, _ = strings.Cut(walks, "\n## ")
	known := functions(t)
	steps := regexp.MustCompile("`([A-Za-z]+\\.[A-Za-z]+)`").FindAllStringSubmatch(walks, -1)
	for _, step := range steps {
		if !known[step[1]] {
			t.Errorf("there is no %s", step[1])
		}
	}
	if len(steps) < 50 {
		t.Errorf("only %d steps are named", len(steps))
	}
}

// functions returns the methods of the explorer as Type.Method, also those of interfaces.
func functions(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, name := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					all[receiver(n.Recv.List[0].Type)+"."+n.Name.Name] = true
				}
			case *ast.TypeSpec:
				if in, ok := n.Type.(*ast.InterfaceType); ok {
					for _, method := range in.Methods.List {
						for _, id := range method.Names {
							all[n.Name.Name+"."+id.Name] = true
						}
					}
				}
			}
			return true
		})
	}
	return all
}

// receiver returns the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
