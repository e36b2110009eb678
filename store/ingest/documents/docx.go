package documents

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxUnpacked bounds the unpacked size of one part of a document, in bytes.
const maxUnpacked = 64 << 20

// readDocx reads the paragraphs of a Word document.
func readDocx(data []byte) (text, string) {
	if bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")) {
		return text{}, "encrypted, or of an old Word"
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || hasNameTwice(archive) {
		return text{}, "damaged docx"
	}
	r := &wordReader{levels: headingStyles(archive)}
	switch err := eachElement(archive, "word/document.xml", maxUnpacked, r); {
	case errors.Is(err, errTooLarge):
		return text{}, "docx that unpacks to far too much"
	case err != nil:
		return text{}, "damaged docx"
	}
	core := new(coreReader)
	_ = eachElement(archive, "docProps/core.xml", maxUnpacked, core) // the title is optional
	r.text.title = strings.TrimSpace(core.title)
	return r.text, ""
}

// hasNameTwice reports whether two entries have the same name, as Word reads names. Programs would see different
// documents in such a file.
func hasNameTwice(archive *zip.Reader) bool {
	seen := map[string]bool{}
	for _, entry := range archive.File {
		name := strings.ToLower(path.Clean("/" + strings.ReplaceAll(entry.Name, `\`, "/")))
		if seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

// visitor receives the elements of an XML file.
type visitor interface {
	start(name string, value func(attribute string) string)
	end(name string)
	chars(s string)
}

// errTooLarge means that a part unpacks to more than its limit.
var errTooLarge = errors.New("part too large")

// maxRatio is how many times its size a part may unpack to. Word's text compresses to about a tenth, a bomb to a
// thousandth.
const maxRatio = 200

// eachElement passes the elements of one part of a document to v, without namespaces. It fails for a part larger than
// limit bytes, or than its listed size: that is known before anything is unpacked.
func eachElement(archive *zip.Reader, name string, limit int64, v visitor) error {
	at := slices.IndexFunc(archive.File, func(f *zip.File) bool {
		return path.Clean(strings.ReplaceAll(f.Name, `\`, "/")) == name
	})
	if at < 0 {
		return fs.ErrNotExist
	}
	listed := archive.File[at]
	size := int64(min(listed.UncompressedSize64, 1<<62))
	if size > limit || size > 1<<20 && size/maxRatio > int64(listed.CompressedSize64) {
		return errTooLarge
	}
	part, err := listed.Open()
	if err != nil {
		return err
	}
	defer part.Close()
	limited := &io.LimitedReader{R: part, N: size + 1}
	for d := xml.NewDecoder(limited); ; {
		token, err := d.RawToken()
		switch {
		case limited.N == 0:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			v.start(t.Name.Local, func(attribute string) string {
				for _, a := range t.Attr {
					if a.Name.Local == attribute {
						return a.Value
					}
				}
				return ""
			})
		case xml.EndElement:
			v.end(t.Name.Local)
		case xml.CharData:
			v.chars(string(t))
		}
	}
}

// wordReader collects paragraphs.
type wordReader struct {
	text
	levels map[string]int // of heading styles
	stack  headings
	words  strings.Builder
	level  int  // heading level of the current paragraph; 0: not a heading
	shown  bool // inside a text element
}

func (r *wordReader) start(name string, value func(string) string) {
	switch name {
	case "p":
		r.level = 0
	case "pStyle":
		r.level = r.levels[value("val")]
	case "t":
		r.shown = true
	case "tab":
		r.words.WriteByte('\t')
	case "br", "cr":
		r.words.WriteByte('\n')
	}
}

func (r *wordReader) end(name string) {
	switch name {
	case "t":
		r.shown = false
	case "tc":
		r.words.WriteByte('\t')
	case "p":
		s := strings.TrimSpace(r.words.String())
		r.words.Reset()
		switch {
		case s == "":
		case r.level > 0:
			r.stack.open(r.level, s)
		default:
			r.add(block{headings: r.stack.names, text: s})
		}
	}
}

func (r *wordReader) chars(s string) {
	if r.shown {
		r.words.WriteString(s)
	}
}

// styleReader finds the heading styles. Their ids depend on the language; their names do not.
type styleReader struct {
	levels map[string]int
	id     string
}

func headingStyles(archive *zip.Reader) map[string]int {
	r := &styleReader{levels: map[string]int{"Title": 1}}
	for i, id := range []string{"Heading1", "Heading2", "Heading3", "Heading4", "Heading5", "Heading6"} {
		r.levels[id] = i + 1
	}
	_ = eachElement(archive, "word/styles.xml", maxUnpacked, r) // optional: the English ids are known
	return r.levels
}

func (r *styleReader) start(name string, value func(string) string) {
	switch name {
	case "style":
		r.id = value("styleId")
	case "name":
		n := strings.TrimPrefix(strings.ToLower(value("val")), "heading ")
		if len(n) == 1 && n[0] >= '1' && n[0] <= '9' {
			r.levels[r.id] = int(n[0] - '0')
		}
	}
}

func (*styleReader) end(string)   {}
func (*styleReader) chars(string) {}

// coreReader finds the title.
type coreReader struct {
	title string
	in    bool
}

func (r *coreReader) start(name string, _ func(string) string) { r.in = name == "title" }
func (r *coreReader) end(string)                               { r.in = false }

func (r *coreReader) chars(s string) {
	if r.in {
		r.title += s
	}
}
