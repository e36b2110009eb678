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

// rules is stricter than the table of ARCHITECTURE.md, which TestImports_FollowTheArchitecture checks: that one keeps
// the layers apart, this one the packages of a layer. Test files may import more: see testRules.
var rules = []rule{
	{"migrations", nil},
	{"agent/tools", []string{"agent", "retrieval", "retrieval/timebin"}},
	{"agent/openai", []string{"agent", "internal/bpe", "internal/provider", "internal/retry"}},
	{"agent/agenttest", nil},
	{"agent/agenttest/cmd", []string{"agent/agenttest"}},
	{"agent/eval", nil},
	{"agent", nil},
	{"retrieval/timebin", nil},
	{"retrieval/rank", nil},
	{"retrieval/embed", []string{"internal/lru"}},
	{"retrieval/embed/local", []string{"retrieval/embed", "internal/simd"}},
	{"retrieval/embed/models", []string{"internal/diskspace", "retrieval/embed", "retrieval/embed/local"}},
	{"retrieval/embed/openai", []string{"retrieval/embed", "internal/bpe", "internal/provider", "internal/retry"}},
	{"retrieval/embed/embedtest", []string{"retrieval/embed", "retrieval/embed/local"}},
	{"retrieval/embed/...", []string{"retrieval/embed"}},
	{"retrieval/offline", []string{
		"retrieval", "retrieval/rank", "store", "store/terms", "internal/sandbox",
		"internal/vault", "internal/audit",
	}},
	{"retrieval/quality", nil},
	{"retrieval", []string{"store", "store/terms", "retrieval/timebin", "retrieval/rank", "retrieval/embed", "internal/lru"}},
	{"store", nil},
	{"store/terms", []string{"store"}},
	{"store/failure", []string{"store/terms"}},
	{"store/termindex", []string{"store"}},
	{"store/namedsql", nil},
	{"store/vecindex", []string{"store", "internal/simd"}},
	{"store/vecindex/vectest", nil},
	{"store/sqlite", []string{
		"internal/diskspace", "store/terms", "store", "store/failure", "store/namedsql", "store/termindex",
		"store/vecindex", "migrations",
	}},
	{"store/postgres/pgtest", nil},
	{"store/postgres", []string{
		"internal/lru", "internal/simd", "store/terms", "store", "store/failure", "store/namedsql", "store/termindex",
		"store/vecindex", "migrations",
	}},
	{"store/storetest", []string{"store", "store/terms"}},
	{"store/archivetest", []string{"internal/testenv", "store", "store/sqlite", "store/ingest"}},
	{"store/shard/s3", []string{"store", "store/shard", "internal/retry"}},
	{"store/shard/shardtest", []string{"internal/testenv", "store", "store/archivetest", "store/ingest", "store/sqlite"}},
	{"store/shard/...", []string{"store", "store/terms", "store/shard", "store/sqlite", "store/vecindex"}},
	{"store/ingest/chat", []string{"store"}},
	{"store/ingest/input", []string{"store"}},
	{"store/ingest", []string{"store", "store/terms", "store/ingest/..."}},
	{"store/ingest/export", []string{"store", "internal/cleantext"}},
	{"store/ingest/...", []string{"store", "store/ingest/chat"}},
	{"tui/theme", nil},
	{"tui/menu", []string{"tui/theme", "tui/querybar"}},
	{"tui/chat", []string{"tui/theme", "tui/querybar", "agent"}},
	{"tui", []string{"tui/...", "retrieval", "retrieval/timebin", "agent", "internal/chart", "internal/cleantext"}},
	{"tui/...", []string{"tui/theme", "internal/chart", "internal/cleantext", "retrieval", "retrieval/timebin"}},
	{"cmd/internal/app", []string{"..."}},
	{"cmd/internal/chat", []string{
		"cmd/internal/config", "cmd/internal/datadir", "cmd/internal/network", "agent", "agent/openai", "agent/tools",
		"retrieval", "retrieval/offline", "store", "store/ingest",
	}},
	{"cmd/internal/offline", []string{
		"cmd/internal/chat", "cmd/internal/config", "cmd/internal/datadir", "cmd/internal/doctor", "cmd/internal/explain",
		"cmd/internal/network", "internal/audit", "internal/sandbox", "internal/vault", "agent", "retrieval",
		"retrieval/offline", "store",
	}},
	{"cmd/internal/logs", []string{"cmd/internal/config"}},
	{"cmd/internal/models", []string{
		"cmd/internal/config", "cmd/internal/doctor", "cmd/internal/explain", "cmd/internal/network", "cmd/internal/chat",
		"internal/diskspace", "retrieval", "retrieval/embed/...", "store", "store/ingest",
	}},
	{"cmd/internal/published", []string{
		"cmd/internal/config", "cmd/internal/models", "cmd/internal/network", "retrieval", "store", "store/shard/...",
	}},
	{"cmd/internal/explain", []string{"cmd/internal/config", "internal/...", "agent", "retrieval/..."}},
	{"cmd/internal/doctor", []string{"cmd/internal/explain", "internal/diskspace"}},
	{"cmd/internal/network", []string{"cmd/internal/config", "cmd/internal/doctor", "internal/sandbox"}},
	{"cmd/internal/archive", []string{
		"cmd/internal/datadir", "cmd/internal/doctor", "cmd/internal/keys", "cmd/internal/network", "internal/...",
		"migrations", "retrieval", "store", "store/...",
	}},
	{"cmd/internal/keys", []string{"internal/vault"}},
	{"cmd/internal/datadir", []string{"cmd/internal/doctor", "cmd/internal/keys", "internal/vault", "store/sqlite"}},
	{
		"cmd/internal/httpapi",
		[]string{"retrieval", "retrieval/offline", "retrieval/timebin", "agent", "internal/cleantext", "internal/lru"},
	},
	{
		"cmd/internal/mcpapi",
		[]string{"retrieval", "retrieval/offline", "retrieval/timebin", "agent", "agent/tools", "internal/cleantext"},
	},
	{"internal/bench", nil}, // a module of its own, which no package of this one can import
	{"internal/chart", []string{"retrieval/timebin"}},
	{"internal/vault/vaulttest", []string{"internal/vault"}},
	{"internal/testenv", []string{"internal/demo"}},
	{"internal/...", nil},
	{"cmd/internal/config", nil},
	{"cmd/lens/...", []string{"cmd/internal/...", "internal/...", "tui", "agent", "retrieval", "retrieval/offline", "retrieval/timebin"}},
	{"cmd/lens-lambda", []string{"cmd/internal/...", "retrieval"}},
}

// testRules lists what the tests of a package may import in addition; all may import internal/testenv.
var testRules = map[string][]string{
	"agent/openai":         {"agent/agenttest"},
	"agent/agenttest":      {"agent/openai"},
	"agent/tools":          {"agent/...", "retrieval/...", "store/...", "internal/demo"},
	"agent/eval":           {"agent", "agent/...", "retrieval", "retrieval/...", "store", "store/..."},
	"store/ingest":         {"store/sqlite", "internal/demo"},
	"store/ingest/chatgpt": {"internal/demo"},
	"store/sqlite":         {"store/storetest", "store/terms", "store/ingest", "internal/vault"},
	"store/postgres": {
		"store/storetest", "store/postgres/pgtest", "store/terms", "store/sqlite", "store/ingest",
		"store/vecindex/vectest",
	},
	"store/storetest":   {"store/sqlite"},
	"store/shard":       {"store/shard/buckettest", "store/shard/shardtest", "store/terms", "store/vecindex/vectest"},
	"store/shard/cache": {"store/shard/buckettest"},
	"store/shard/s3": {
		"store/shard/buckettest", "store/shard/cache", "store/shard/s3/s3test",
		"store/shard/shardtest",
	},
	"store/termindex": {"store/terms"},
	"store/vecindex":  {"store/vecindex/vectest"},
	"internal/bench": {
		"store", "store/vecindex", "store/vecindex/vectest", "store/postgres/pgtest",
		"internal/bpe", "internal/simd", "store/sqlite", "store/terms", "retrieval",
	},
	"retrieval": {
		"retrieval/embed/...", "store/archivetest", "store/ingest/...", "store/sqlite", "store/shard", "store/postgres",
		"store/postgres/pgtest", "internal/demo",
	},
	"retrieval/offline":      {"store/archivetest", "store/vecindex/vectest", "internal/demo"},
	"retrieval/quality":      {"retrieval/...", "store/...", "internal/demo"},
	"retrieval/rank":         {"store", "store/terms", "store/termindex"},
	"retrieval/embed/openai": {"retrieval/embed/embedtest", "store"},
	"retrieval/embed/models": {"retrieval/embed/embedtest"},
	"tui":                    {"agent/agenttest", "agent/openai", "agent/tools"},
	"internal/demo":          {"store", "store/ingest/..."},
	"cmd/internal/httpapi": {
		"internal/demo", "internal/npmtest", "retrieval/embed/...", "store", "store/archivetest", "store/ingest",
		"store/sqlite", "store/shard/...",
	},
	"cmd/lens": {
		"store/...", "retrieval/embed/embedtest", "retrieval/embed/local",
		"retrieval/embed/models", "agent/agenttest",
	},
	"cmd/lens-lambda": {
		"retrieval/embed/embedtest", "store/shard", "store/shard/s3", "store/shard/s3/s3test",
		"store/vecindex/vectest",
	},
	"cmd/internal/app":    {"..."},
	"cmd/internal/models": {"cmd/internal/app", "cmd/internal/archive"},
	"cmd/internal/offline": {
		"agent/agenttest", "cmd/internal/archive", "cmd/internal/keys", "internal/demo", "internal/vault/vaulttest", "store/sqlite",
	},
	"cmd/internal/archive": {"cmd/internal/explain"},
	"cmd/internal/keys":    {"internal/vault/vaulttest"},
	"cmd/internal/datadir": {"internal/demo", "internal/vault/vaulttest", "store", "store/ingest"},
}

// networkPackages are the only ones that may import net or net/http. Every other package that needs the network is
// given a dialer or a client.
var networkPackages = []string{
	"retrieval/embed/openai", "retrieval/embed/embedtest", "retrieval/embed/models", "agent/openai",
	"agent/agenttest", "agent/agenttest/cmd", "store/postgres", "store/postgres/pgtest",
	"internal/retry", "internal/provider", // read responses, open nothing
	"store/shard/s3", "store/shard/s3/s3test", "cmd/internal/httpapi", "cmd/internal/mcpapi",
	"cmd/internal/network", "cmd/internal/chat",
	"internal/sandbox", "cmd/lens", "cmd/lens-lambda",
}

func TestImports_FollowTheRules(t *testing.T) {
	eachImport(t, func(file, from, to string, isTest bool) {
		allowed, known := allowedFrom(rules, from)
		if !known {
			t.Errorf("%s: package %s is not in the rules: add it", file, from)
			return
		}
		if isTest {
			allowed = append(slices.Clone(allowed), testRules[from]...)
			allowed = append(allowed, "internal/testenv")
		}
		checkImport(t, file, from, to, allowed)
	})
}

// The table of ARCHITECTURE.md is what readers go by, so it is what is checked.
func TestImports_FollowTheArchitecture(t *testing.T) {
	table := architectureRules(t)
	if len(table) < 10 {
		t.Fatalf("ARCHITECTURE.md has %d import rules", len(table))
	}
	eachImport(t, func(file, from, to string, isTest bool) {
		if isTest {
			return
		}
		allowed, known := allowedFrom(table, from)
		if !known {
			t.Errorf("%s: package %s is not in the table of ARCHITECTURE.md: add it", file, from)
			return
		}
		checkImport(t, file, from, to, allowed)
	})
}

func checkImport(t *testing.T, file, from, to string, allowed []string) {
	t.Helper()
	inside, ours := strings.CutPrefix(to, module+"/")
	if !ours || inside == from || inside == "internal/errs" { // every package may return the one error
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

func TestImports_FrontEnds(t *testing.T) {
	frontEnds := []string{"lens/tui", "lens/cmd/internal/httpapi", "lens/cmd/internal/mcpapi"}
	eachImport(t, func(file, from, to string, _ bool) {
		if slices.Contains(frontEnds, to) && !strings.HasPrefix(from, "cmd/lens") && from != strings.TrimPrefix(to, module+"/") {
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
		{"...", "anything/at/all", true},
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
	if pattern == "..." {
		return true
	}
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
