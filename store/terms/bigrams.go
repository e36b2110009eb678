package terms

import (
	"unicode"
	"unicode/utf8"
)

// spaceless are the scripts whose text is cut into bigrams. The sound marks of Kana are in the script "Common".
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	{R16: []unicode.Range16{
		{Lo: 0x30fc, Hi: 0x30fc, Stride: 1},
		{Lo: 0xff70, Hi: 0xff70, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	}},
}

// firstSpaceless is the first character of these scripts, in Thai.
const firstSpaceless = '\u0e01'

// bigrams emits every pair of adjacent characters of a run as a term; a run of one character is a term
// itself. With singles it also emits each Han character of a longer run. The bytes are valid only
// during the call.
func bigrams(run string, singles bool, emit func(term []byte)) {
	text := lower(nil, fold(run))
	previous := -1
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if singles && unicode.Is(unicode.Han, r) && len(text) > size {
			emit(text[i : i+size])
		}
		if previous >= 0 {
			emit(text[previous : i+size])
		}
		previous, i = i, i+size
	}
	if previous == 0 {
		emit(text)
	}
}
