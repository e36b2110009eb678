package documents

import (
	"bytes"
	"io"

	"github.com/ledongthuc/pdf"
)

// font caches the decoder and the letter widths of a font: reading them from the file for each letter takes nearly all
// the time.
type font struct {
	decode       func(codes string) string
	widths       map[int]float64 // by code, in thousandths of the font size
	defaultWidth float64         // width of all other codes; 0: unknown
	bytes        int             // per code
}

func newFont(f pdf.Font) *font {
	made := &font{decode: func(codes string) string { return codes }, widths: map[int]float64{}, bytes: 1}
	if isComplete(f.V.Key("ToUnicode")) {
		made.decode = f.Encoder().Decode
	}
	if f.V.Key("Subtype").Name() == "Type0" {
		made.measure(f.V.Key("DescendantFonts").Index(0))
		return made
	}
	first := f.FirstChar()
	for i, width := range f.Widths() {
		made.widths[first+i] = width
	}
	return made
}

// measure reads the widths of a font with codes of two bytes (ISO 32000-1, 9.7.4.3): a code followed by the widths from
// there on, or the first and last code of a range followed by their width.
func (f *font) measure(descendant pdf.Value) {
	const most = 1 << 16
	f.bytes, f.defaultWidth = 2, 1000
	if d := descendant.Key("DW"); d.Kind() != pdf.Null {
		f.defaultWidth = d.Float64()
	}
	w := descendant.Key("W")
	for i := 0; i+1 < w.Len(); {
		first, second := int(w.Index(i).Int64()), w.Index(i+1)
		if second.Kind() == pdf.Array {
			for j := range min(second.Len(), most) {
				f.widths[first+j] = second.Index(j).Float64()
			}
			i += 2
			continue
		}
		width := w.Index(i + 2).Float64()
		for code := first; code <= int(second.Int64()) && code-first < most && len(f.widths) < most; code++ {
			f.widths[code] = width
		}
		i += 3
	}
}

// isComplete reports whether a ToUnicode map does not end inside a hexadecimal string: the pdf library loops forever on
// one that does.
func isComplete(stream pdf.Value) bool {
	if stream.Kind() != pdf.Stream {
		return true
	}
	data, err := io.ReadAll(io.LimitReader(stream.Reader(), maxPDFText))
	return err == nil && bytes.LastIndexByte(data, '<') <= bytes.LastIndexByte(data, '>')
}

// width returns the total width of codes, in thousandths of the font size; known is false when that of some code is
// unknown.
func (f *font) width(codes string) (wide float64, known bool) {
	known = true
	for ; len(codes) >= f.bytes; codes = codes[f.bytes:] {
		code := int(codes[0])
		if f.bytes == 2 {
			code = code<<8 | int(codes[1])
		}
		width, there := f.widths[code]
		if !there {
			width = f.defaultWidth
		}
		wide += width
		known = known && width > 0
	}
	return wide, known
}
