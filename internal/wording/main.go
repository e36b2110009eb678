// Command wording keeps the language of the repository plain.
//
//	go run ./internal/wording          # phrases to avoid, in strings and comments; exits 1 if it finds one
//	go run ./internal/wording -list    # every string outside tests that contains a blank, with its place
//
// It checks all comments, and the strings of everything but tests: a test's strings hold what people and models say.
// A string that others rely on is exempt if a comment on its line begins with "fixed:".
package main

import (
	"flag"
	"fmt"
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
)

// avoid matches phrases that a native speaker would not write in a program.
var avoid = regexp.MustCompile(`(?i)\b(?:` + strings.Join([]string{
	`whoever`, `nobody`, `anew`, `told`, `besides`, `at hand`, `lets? (?:it|them) go`, `comes? to nothing`,
	`what (?:was|were) \w+`, `(?:\w+\W+)?(?:is|are) no [a-z]+`,
}, "|") + `)\b`)

// accepted are matches of avoid that are good English.
var accepted = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^there (?:is|are) no `),
	regexp.MustCompile(`(?i)(?:is|are) no (?:longer|more|such|one|later|earlier|greater|less)$`),
}

func main() {
	list := flag.Bool("list", false, "list strings instead of checking them")
	flag.Parse()
	roots := flag.Args()
	if len(roots) == 0 {
		roots = []string{"."}
	}
	report := check
	if *list {
		report = sentences
	}
	found := 0
	for _, root := range roots {
		n, err := walk(root, report)
		if err != nil {
			fmt.Fprintln(os.Stderr, "cannot check the wording:", err)
			os.Exit(2)
		}
		found += n
	}
	if found > 0 && !*list {
		os.Exit(1)
	}
}

// walk prints what report finds in the Go files below root and returns the number of findings.
func walk(root string, report func(*token.FileSet, *ast.File) []finding) (int, error) {
	found := 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != root && (strings.HasPrefix(base, ".") || base == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, f := range report(files, file) {
			fmt.Printf("%s: %s\n", files.Position(f.at), f.text)
			found++
		}
		return nil
	})
	return found, err
}

type finding struct {
	at   token.Pos
	text string
}

// check returns the phrases to avoid in a file's comments and, outside tests, in its strings.
func check(files *token.FileSet, file *ast.File) []finding {
	var found []finding
	fixed := map[int]bool{} // lines
	for _, group := range file.Comments {
		if strings.HasPrefix(group.Text(), "fixed:") {
			fixed[files.Position(group.Pos()).Line] = true
		}
	}
	for _, s := range literals(files, file) {
		if fixed[files.Position(s.at).Line] {
			continue
		}
		for _, phrase := range phrases(s.text) {
			found = append(found, finding{s.at, fmt.Sprintf("a string says %q", phrase)})
		}
	}
	for _, group := range file.Comments {
		for _, phrase := range phrases(group.Text()) {
			found = append(found, finding{group.Pos(), fmt.Sprintf("a comment says %q", phrase)})
		}
	}
	return found
}

// sentences returns the strings of a file that contain a blank.
func sentences(files *token.FileSet, file *ast.File) []finding {
	return slices.DeleteFunc(literals(files, file), func(s finding) bool {
		return !strings.Contains(strings.TrimSpace(s.text), " ")
	})
}

// literals returns the strings of a file. It skips tests, and this package: its patterns are the phrases themselves.
func literals(files *token.FileSet, file *ast.File) []finding {
	name := files.Position(file.Pos()).Filename
	if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(filepath.ToSlash(filepath.Dir(name)), "internal/wording") {
		return nil
	}
	var found []finding
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				found = append(found, finding{literal.Pos(), text})
			}
		}
		return true
	})
	return found
}

// phrases returns the phrases to avoid in text.
func phrases(text string) []string {
	return slices.DeleteFunc(avoid.FindAllString(text, -1), func(phrase string) bool {
		return slices.ContainsFunc(accepted, func(good *regexp.Regexp) bool { return good.MatchString(phrase) })
	})
}
