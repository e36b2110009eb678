package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestPhrases(t *testing.T) {
	for text, want := range map[string][]string{
		"Nobody was told, whoever asked anew": {"Nobody", "told", "whoever", "anew"},
		"2024-13 is no date":                  {"13 is no date"},
		"there is no model here":              nil,
		"it is no longer there":               nil,
		"what was published lies at hand":     {"what was published", "at hand"},
		"it comes to nothing":                 {"comes to nothing"},
		"somebody retold it":                  nil,
	} {
		if got := phrases(text); !slices.Equal(got, want) {
			t.Errorf("phrases(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	const source = `package p

// Nobody reads this.
const s = "make it anew"

const key = "that is no list" // fixed: a key
`
	for name, want := range map[string]int{"p.go": 2, "p_test.go": 1} {
		files, file := parse(t, name, source)
		if got := check(files, file); len(got) != want {
			t.Errorf("check(%s) found %d phrases, want %d: %v", name, len(got), want, got)
		}
	}
}

func TestSentences(t *testing.T) {
	files, file := parse(t, "p.go", "package p\n\nvar s = []string{\"two words\", \"one\"}\n")
	if got := sentences(files, file); len(got) != 1 || got[0].text != "two words" {
		t.Errorf("sentences = %v", got)
	}
}

func parse(t *testing.T, name, source string) (*token.FileSet, *ast.File) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return files, file
}
