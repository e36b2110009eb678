package documents

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// fromText turns a reader of text into a reader of bytes.
func fromText(read func(string) text) func([]byte) (text, string) {
	return func(data []byte) (text, string) {
		s, ok := decode(data)
		if !ok {
			return text{}, "not text, whatever its name says"
		}
		return read(s), ""
	}
}

// decode returns bytes as text with line feeds. They are UTF-16 if they begin with its byte order mark, else UTF-8 if
// valid, else Windows-1252. False: they are not text.
func decode(data []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		decoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", false
		}
		data = decoded
	case bytes.IndexByte(data[:min(len(data), 8<<10)], 0) >= 0:
		return "", false
	case !utf8.Valid(data):
		decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
		if err != nil {
			return "", false
		}
		data = decoded
	}
	s := strings.TrimPrefix(string(data), "\uFEFF")
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), true
}

// readPlain splits text into paragraphs at empty lines.
func readPlain(s string) (t text) {
	for _, paragraph := range paragraphs(s) {
		t.add(block{text: paragraph})
	}
	return t
}

// readCode splits code into blocks at empty lines.
func readCode(s string) (t text) {
	for _, paragraph := range paragraphs(s) {
		t.add(block{text: paragraph, code: true})
	}
	return t
}

// paragraphs splits s at empty lines and keeps the indentation. They are parts of s, not copies.
func paragraphs(s string) (all []string) {
	from, at := 0, 0
	end := func() {
		if p := strings.TrimRight(s[from:at], " \t\n"); p != "" {
			all = append(all, p)
		}
	}
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			end()
			from = at + len(line)
		}
		at += len(line)
	}
	end()
	return all
}

// readOrg reads the part of Org mode that cutting needs: headlines begin with stars, and blocks from #+BEGIN to #+END
// are verbatim.
func readOrg(s string) (t text) {
	var open headings
	var body strings.Builder
	verbatim := false
	end := func() {
		for _, p := range paragraphs(body.String()) {
			code := strings.HasPrefix(strings.ToUpper(strings.TrimSpace(p)), "#+BEGIN_SRC")
			t.add(block{headings: open.names, text: p, code: code})
		}
		body.Reset()
	}
	for line := range strings.Lines(s) {
		upper := strings.ToUpper(strings.TrimSpace(line))
		stars := len(line) - len(strings.TrimLeft(line, "*"))
		switch {
		case strings.HasPrefix(upper, "#+BEGIN"):
			verbatim = true
		case strings.HasPrefix(upper, "#+END"):
			verbatim = false
		case !verbatim && strings.HasPrefix(upper, "#+TITLE:"):
			t.title = strings.TrimSpace(strings.TrimSpace(line)[len("#+TITLE:"):])
			continue
		case !verbatim && stars > 0 && stars < len(line) && line[stars] == ' ':
			end()
			open.open(stars, line[stars:])
			continue
		}
		body.WriteString(line)
	}
	end()
	return t
}
