package documents

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// docxOf returns parts packed as Word does.
func docxOf(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	wordHead = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`
	wordTail = `</w:body></w:document>`
)

// word is a small document in German: its heading styles have German ids.
func word(t testing.TB) []byte {
	return docxOf(t, map[string]string{
		"word/document.xml": wordHead +
			`<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Teiche</w:t></w:r></w:p>` +
			`<w:p><w:r><w:t xml:space="preserve">Reiher </w:t></w:r><w:r><w:t>waten.</w:t><w:tab/><w:t>Immer.</w:t></w:r>` +
			`<w:del><w:r><w:delText>never</w:delText></w:r></w:del></w:p>` +
			`<w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>` + wordTail,
		"word/styles.xml":   `<w:styles xmlns:w="x"><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`,
		"docProps/core.xml": `<cp:coreProperties xmlns:cp="x" xmlns:dc="y"><dc:title>Ponds</dc:title><dc:creator>never</dc:creator></cp:coreProperties>`,
	})
}

func TestParseDocx_Headings(t *testing.T) {
	if got, want := outline(t, "a.docx", word(t)), `a.docx › Teiche | "Reiher waten.\tImmer.\n\n1"`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := parsed(t, "a.docx", word(t)).Title; got != "Ponds" {
		t.Errorf("the name is %q", got)
	}
}

// A bomb is known by what its list of parts says, and one that lies there unpacks to no more than it says.
func TestParseDocx_Bomb(t *testing.T) {
	const reason, name = "docx that unpacks to far too much", "word/document.xml"
	bomb := docxOf(t, map[string]string{name: wordHead + strings.Repeat(" ", 2<<20) + wordTail})
	unreadable := bytes.Clone(bomb)
	unreadable[bytes.Index(bomb, []byte(name))+len(name)] = 0xff // no compressed data begins so
	lying := docxOf(t, map[string]string{name: wordHead + strings.Repeat("<w:p/>", 1000) + wordTail})
	listed := bytes.LastIndex(lying, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(lying[listed+24:], 100)
	for name, c := range map[string]struct {
		data   []byte
		reason string
	}{
		"a bomb": {bomb, reason}, "one that cannot be unpacked": {unreadable, reason}, "a false size": {lying, "damaged docx"},
	} {
		if _, skip := Parse(&File{Path: "/a.docx", Data: c.data}); skip == nil || skip.Reason != c.reason {
			t.Errorf("%s: got %v", name, skip)
		}
	}
}

func TestParseDocx_PartTooLarge(t *testing.T) {
	data := docxOf(t, map[string]string{"word/document.xml": wordHead + strings.Repeat("<w:p/>", 1000) + wordTail})
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	size := int64(z.File[0].UncompressedSize64)
	for limit, want := range map[int64]error{size: nil, size - 1: errTooLarge, 100: errTooLarge} {
		if err := eachElement(z, "word/document.xml", limit, &wordReader{}); !errors.Is(err, want) {
			t.Errorf("%d of %d bytes: %v", limit, size, err)
		}
	}
}

func TestParseDocx_DuplicatePart(t *testing.T) {
	for _, name := range []string{"word/document.xml", "word/./document.xml", `Word\Document.xml`} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i, part := range []string{"word/document.xml", name} {
			w, err := z.Create(part)
			if err == nil {
				_, err = fmt.Fprintf(w, "%s<w:p><w:r><w:t>version %d</w:t></w:r></w:p>%s", wordHead, i, wordTail)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if p, skip := Parse(&File{Path: "/a.docx", Data: b.Bytes()}); p != nil || skip == nil {
			t.Errorf("together with %s: %+v", name, p)
		}
	}
}

func FuzzDocx(f *testing.F) {
	f.Add(wordHead + `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p><w:p><w:t>a &amp; b</w:t><w:br/></w:p>` + wordTail)
	f.Add(`<p><t>open<p><t/></p>`)
	f.Fuzz(func(t *testing.T, xml string) {
		p, skip := Parse(&File{Path: "/a.docx", Data: docxOf(t, map[string]string{"word/document.xml": xml, "word/styles.xml": xml, "docProps/core.xml": xml})})
		if (p == nil) == (skip == nil) {
			t.Fatalf("got %v and %v", p, skip)
		}
		if p != nil {
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
