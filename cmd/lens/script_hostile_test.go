package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// hostile KIND FILE writes a hostile export of one of the kinds below.
func hostile(ts *testscript.TestScript, _ bool, args []string) {
	kinds := map[string]func(io.Writer) error{"bomb": bomb, "deep": deep, "cycle": cycle, "title": longTitle}
	write := kinds[args[0]]
	if write == nil {
		ts.Fatalf("usage: hostile bomb|deep|cycle|title FILE")
	}
	file, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(write(file))
	ts.Check(file.Close())
}

// bomb writes a zip that unpacks to 64 MB of blanks, a thousand times its size.
func bomb(w io.Writer) error {
	z := zip.NewWriter(w)
	member, err := z.Create("conversations.json")
	if err != nil {
		return err
	}
	blanks := strings.Repeat(" ", 1<<20)
	for range 64 {
		if _, err := io.WriteString(member, blanks); err != nil {
			return err
		}
	}
	if _, err := io.WriteString(member, "[]"); err != nil {
		return err
	}
	return z.Close()
}

// deep writes a conversation with lists nested 200,000 levels deep.
func deep(w io.Writer) error {
	const levels = 200_000
	return conversation(w, "deep", fmt.Sprintf(`{"a": %s%s}`, strings.Repeat("[", levels), strings.Repeat("]", levels)))
}

// cycle writes a conversation whose messages are each other's parents.
func cycle(w io.Writer) error {
	return conversation(w, "cycle", `{"a": `+node("a", `"b"`, `"b"`, "user")+`, "b": `+node("b", `"a"`, `"a"`, "assistant")+`}`)
}

// longTitle writes a conversation with a title of 10 MB.
func longTitle(w io.Writer) error {
	title := strings.Repeat("endless ", 10<<20/8)
	return conversation(w, title, `{"a": `+node("a", "null", `"b"`, "user")+`, "b": `+node("b", `"a"`, "", "assistant")+`}`)
}

// conversation writes an export of one conversation. Its ID is the first four bytes of its title.
func conversation(w io.Writer, title, mapping string) error {
	_, err := fmt.Fprintf(w, `[{"id": %q, "title": %q, "create_time": 1704442200, "current_node": "b", "mapping": %s}]`, title[:4], title, mapping)
	return err
}

// node returns a node of a mapping as JSON; parent and children are JSON too.
func node(id, parent, children, role string) string {
	return fmt.Sprintf(`{"id": %q, "parent": %s, "children": [%s], "message": {"id": %[1]q, "author": {"role": %[4]q}, "create_time": 1704442200,
		"content": {"content_type": "text", "parts": ["sourdough"]}}}`, id, parent, children, role)
}
