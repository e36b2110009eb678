package documents

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// fromText makes a reader of bytes of a reader of text.
func fromText(read func(string) text) func([]byte) (text, string) {
	return func(data []byte) (text, string) {
		s, ok := decode(data)
		if !ok {
			return text{}, "not text, whatever its name says"
		}
		return read(s), ""
	}
}

// decode returns bytes as text with line feeds: UTF-8, UTF-16 where a mark says so, else Windows-1252, which every byte can be. False:
// they are no text.
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

// readPlain takes what stands between empty lines for a paragraph.
func readPlain(s string) (t text) {
	for _, paragraph := range paragraphs(s) {
		t.blocks = append(t.blocks, block{text: paragraph})
	}
	return t
}

// readCode takes what stands between empty lines as it is.
func readCode(s string) (t text) {
	for _, paragraph := range paragraphs(s) {
		t.blocks = append(t.blocks, block{text: paragraph, code: true})
	}
	return t
}

// paragraphs returns what stands between empty lines, with its indentation.
func paragraphs(s string) (all []string) {
	var b strings.Builder
	end := func() {
		if p := strings.TrimRight(b.String(), " \t\n"); p != "" {
			all = append(all, p)
		}
		b.Reset()
	}
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			end()
			continue
		}
		b.WriteString(line)
	}
	end()
	return all
}

// readOrg knows of Org what cutting needs: headlines begin with stars, and what stands between #+BEGIN and #+END is left alone.
func readOrg(s string) (t text) {
	var open headings
	var body strings.Builder
	verbatim := false
	end := func() {
		for _, p := range paragraphs(body.String()) {
			code := strings.HasPrefix(strings.ToUpper(strings.TrimSpace(p)), "#+BEGIN_SRC")
			t.blocks = append(t.blocks, block{headings: open.names, text: p, code: code})
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
