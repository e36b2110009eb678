// Package importrules tests which packages may import which, and which may open a socket.
//
// The test parses the imports of every Go file in its own process, so that the test cache notices when a file changes.
package importrules

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "lens"

// rule says which packages of this module a package (or tree, with a trailing /...) may import. The first rule that
// matches a package counts.
type rule struct {
	from string
	to   []string
}

// networkPackages are the only ones that may import net or net/http. Every other package that needs the network is
// given a dialer or a client.
var networkPackages = []string{
	"retrieval/embed/openai", "retrieval/embed/embedtest", "retrieval/embed/models", "agent/openai",
	"agent/agenttest", "agent/agenttest/cmd", "store/postgres", "store/postgres/pgtest",
	"internal/retry", "internal/provider", // read responses, open nothing
	"store/shard/s3", "store/shard/s3/s3test", "cmd/internal/httpapi", "cmd/internal/mcpapi",
	"cmd/internal/network", "cmd/internal/chat", "cmd/internal/servers",
	"internal/sandbox", "cmd/lens", "cmd/lens-lambda",
}

// forAll are packages that every other one may import: the one error, and regular expressions.
var forAll = []string{"internal/errs", "internal/lazyregexp"}

// The table of ARCHITECTURE.md is what readers go by, so it is what is checked.
func TestImports_FollowTheArchitecture(t *testing.T) {
	table := architectureRules(t)
	if len(table) < 10 {
		t.Fatalf("ARCHITECTURE.md has %d import rules", len(table))
	}
	eachImport(t, func(file, from, to string, isTest bool) {
		allowed, known := allowedFrom(table, from)
		switch {
		case !known:
			t.Errorf("%s: package %s is not in the table of ARCHITECTURE.md: add it", file, from)
		case !isTest:
			checkImport(t, file, from, to, allowed)
		case strings.HasPrefix(to, module+"/cmd/") && !strings.HasPrefix(from, "cmd/"):
			t.Errorf("%s: a test of %s may not import %s", file, from, to)
		}
	})
}

func checkImport(t *testing.T, file, from, to string, allowed []string) {
	t.Helper()
	inside, ours := strings.CutPrefix(to, module+"/")
	if !ours || inside == from || slices.Contains(forAll, inside) {
		return
	}
	if !slices.ContainsFunc(allowed, func(pattern string) bool { return matches(pattern, inside) }) {
		t.Errorf("%s: %s may not import %s", file, from, inside)
	}
}

// architectureRules returns the rows of the table below "## Import rules": packages in backticks in the first cell,
// what they may import in backticks in the second.
func architectureRules(t *testing.T) (table []rule) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "## Import rules")
	if !found {
		t.Fatal("ARCHITECTURE.md has no import rules")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) == 4 {
			for _, from := range inBackticks(cells[1]) {
				table = append(table, rule{from, inBackticks(cells[2])})
			}
		}
	}
	return table
}

// inBackticks returns the parts of a Markdown cell that are code.
func inBackticks(cell string) (parts []string) {
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			parts = append(parts, part)
		}
	}
	return parts
}

func TestImports_Network(t *testing.T) {
	eachImport(t, func(file, from, to string, isTest bool) {
		if (to == "net" || to == "net/http") && !isTest && !slices.Contains(networkPackages, from) {
			t.Errorf("%s: %s may not import %s", file, from, to)
		}
	})
}

// A package that imports testing is for tests.
func TestImports_TestsAlone(t *testing.T) {
	forTests := map[string]bool{}
	eachImport(t, func(_, from, to string, isTest bool) {
		if to == "testing" && !isTest {
			forTests[module+"/"+from] = true
		}
	})
	if len(forTests) < 5 {
		t.Fatalf("only %d packages are for tests", len(forTests))
	}
	eachImport(t, func(file, from, to string, isTest bool) {
		within := strings.HasPrefix(module+"/"+from, to+"/")
		if forTests[to] && !isTest && !forTests[module+"/"+from] && !within {
			t.Errorf("%s: only tests may import %s", file, to)
		}
	})
}

func TestImports_FrontEnds(t *testing.T) {
	frontEnds := []string{"lens/tui/app", "lens/cmd/internal/httpapi", "lens/cmd/internal/mcpapi"}
	eachImport(t, func(file, from, to string, test bool) {
		may := strings.HasPrefix(from, "cmd/lens") || from == strings.TrimPrefix(to, module+"/") ||
			test && strings.HasPrefix(from, "cmd/internal/") // such a test asks several front ends the same
		if slices.Contains(frontEnds, to) && !may {
			t.Errorf("%s: %s may not import the front end %s", file, from, to)
		}
	})
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, pkg string
		want         bool
	}{
		{"store", "store", true},
		{"store", "store/sqlite", false},
		{"store/...", "store/sqlite", true},
		{"store/...", "storetest", false},
	} {
		if got := matches(c.pattern, c.pkg); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.pkg, got)
		}
	}
}

func allowedFrom(rules []rule, from string) (to []string, known bool) {
	for _, a := range rules {
		if matches(a.from, from) {
			return a.to, true
		}
	}
	return nil, false
}

// matches reports whether pkg is pattern, or lies in the tree that a pattern ending in ... names.
func matches(pattern, pkg string) bool {
	tree, isTree := strings.CutSuffix(pattern, "/...")
	return pkg == tree && !isTree || pkg == pattern || isTree && (pkg == tree || strings.HasPrefix(pkg, tree+"/"))
}

// eachImport calls fn for every import of every Go file below the module's root.
func eachImport(t *testing.T, fn func(file, from, to string, isTest bool)) {
	t.Helper()
	root := moduleRoot(t)
	files := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); name != root &&
				(strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		files++
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			fn(rel, path.Dir(rel), to, strings.HasSuffix(rel, "_test.go"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("only %d Go files found below %s", files, root)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above this package")
		}
		dir = parent
	}
}
