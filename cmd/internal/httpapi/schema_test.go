package httpapi

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lens/agent"
)

// constantsOf returns the values of all constants of a named string type, as its package declares them.
func constantsOf(t *testing.T, named reflect.Type) []any {
	t.Helper()
	dir := filepath.Join("..", "..", "..", filepath.FromSlash(strings.TrimPrefix(named.PkgPath(), "lens/")))
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var all []any
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != named.Name() {
				return true
			}
			for _, value := range spec.Values {
				if literal, ok := value.(*ast.BasicLit); ok {
					text, err := strconv.Unquote(literal.Value)
					if err != nil {
						t.Fatal(err)
					}
					all = append(all, text)
				}
			}
			return true
		})
	}
	return all
}

// Each documented enumeration has all values that the code knows, and no other.
func TestOpenAPI_EnumsAreComplete(t *testing.T) {
	checked := 0
	for named, schema := range customSchemas {
		if schema.Enum == nil || named.Name() == "chatRole" || named == reflect.TypeFor[agent.Role]() {
			continue // the API has fewer roles than the agent
		}
		checked++
		constants := constantsOf(t, named)
		for _, value := range constants {
			if !slices.Contains(schema.Enum, value) {
				t.Errorf("%s: %v is not documented", named, value)
			}
		}
		for _, value := range schema.Enum {
			if !slices.Contains(constants, value) {
				t.Errorf("%s: %v is documented, and no constant", named, value)
			}
		}
	}
	if checked != 5 {
		t.Errorf("checked %d enumerations", checked)
	}
	var document any
	if err := json.Unmarshal(start(t, nil).OpenAPI(), &document); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"finish_reason", "create_time_source"} {
		described := properties(document, name)
		for _, one := range described {
			if _, ok := one.(map[string]any)["enum"]; !ok {
				t.Errorf("%s: %v has no enum", name, one)
			}
		}
		if len(described) == 0 {
			t.Errorf("%s is not documented", name)
		}
	}
}

// properties returns the schemas of all properties with a name in a JSON document.
func properties(value any, name string) (all []any) {
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			if known, ok := below.(map[string]any); ok && key == "properties" && known[name] != nil {
				all = append(all, known[name])
			}
			all = append(all, properties(below, name)...)
		}
	case []any:
		for _, below := range value {
			all = append(all, properties(below, name)...)
		}
	}
	return all
}
