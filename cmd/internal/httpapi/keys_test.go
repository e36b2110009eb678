package httpapi

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestKeyring_StoresHashes(t *testing.T) {
	ring := newKeyring([]string{"a", strings.Repeat("b", 10_000), ""})
	if len(ring) != 3 || len(ring[0]) != len(ring[1]) {
		t.Fatal("keys are kept in different lengths")
	}
	names := map[string]bool{}
	for _, header := range []string{"Bearer a", "Bearer " + strings.Repeat("b", 10_000), "Bearer "} {
		name, ok := ring.find(header)
		if !ok || names[name] {
			t.Errorf("a key is not found, or is another: %q", name)
		}
		names[name] = true
	}
	for _, h := range ring {
		if bytes.Contains(h[:], []byte("bbb")) {
			t.Error("a key is kept as it is")
		}
	}
}

// The time of a lookup must not depend on the keys. Timing is unreliable on a shared machine, so this test checks the source:
// every key of the ring is compared, only by subtle.ConstantTimeCompare, and only as hashes.
func TestKeyring_ConstantTime(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var loops int
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Name.Name == "find"
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			loops++
			ring, _ := n.X.(*ast.Ident)
			if ring == nil || ring.Name != "ring" || !onlyCompares(n.Body) {
				t.Error("the loop does more than to compare every key of the ring")
			}
		case *ast.IfStmt, *ast.SwitchStmt, *ast.ForStmt, *ast.BranchStmt:
			t.Errorf("%T: what is done depends on what was found", n)
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.SelectorExpr); ok && strings.Contains("Equal Compare Contains Index IndexFunc HasPrefix EqualFold", called.Sel.Name) && !isScheme(n) {
				t.Errorf("%s compares, and not in constant time", called.Sel.Name)
			}
		}
		return true
	})
	if loops != 1 {
		t.Errorf("%d loops: this test looks in the wrong place", loops)
	}
}

// onlyCompares reports whether a loop is found |= subtle.ConstantTimeCompare(…) and nothing else.
func onlyCompares(body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	put, ok := body.List[0].(*ast.AssignStmt)
	if !ok || put.Tok != token.OR_ASSIGN {
		return false
	}
	call, ok := put.Rhs[0].(*ast.CallExpr)
	if !ok {
		return false
	}
	called, ok := call.Fun.(*ast.SelectorExpr)
	return ok && called.Sel.Name == "ConstantTimeCompare"
}

// isScheme reports whether a call compares the header's scheme, which is not a secret.
func isScheme(call *ast.CallExpr) bool {
	first, ok := call.Args[0].(*ast.Ident)
	return ok && first.Name == "scheme"
}
