package local

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"lens/internal/lazyregexp"
)

// normalizerFile holds the settings of all kinds of normalizers.
type normalizerFile struct {
	Type     string            `json:"type"`
	Parts    []*normalizerFile `json:"normalizers"`
	Clean    *bool             `json:"clean_text"`
	Chinese  *bool             `json:"handle_chinese_chars"`
	Accents  *bool             `json:"strip_accents"`
	Lower    *bool             `json:"lowercase"`
	Charsmap []byte            `json:"precompiled_charsmap"`
	Left     *bool             `json:"strip_left"`
	Right    *bool             `json:"strip_right"`
	Pattern  struct {
		Text  string `json:"String"`
		Regex string `json:"Regex"`
	} `json:"pattern"`
	Content string `json:"content"`
}

func (f *normalizerFile) read() (normalizer, error) {
	if f == nil {
		return func(text string) string { return text }, nil
	}
	switch f.Type {
	case "Sequence":
		return f.sequence()
	case "BertNormalizer":
		n := &bertNormalizer{clean: orTrue(f.Clean), splitChinese: orTrue(f.Chinese), lower: orTrue(f.Lower)}
		n.stripAccents = n.lower
		if f.Accents != nil {
			n.stripAccents = *f.Accents
		}
		return n.normalize, nil
	case "Precompiled":
		m, err := readCharsmap(f.Charsmap)
		if err != nil {
			return nil, err
		}
		return m.normalize, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "Strip":
		return f.strip, nil
	case "Replace":
		return f.replace()
	}
	return nil, fmt.Errorf("normalizer %q is not supported", f.Type)
}

func (f *normalizerFile) sequence() (normalizer, error) {
	var parts []normalizer
	for _, part := range f.Parts {
		n, err := part.read()
		if err != nil {
			return nil, err
		}
		parts = append(parts, n)
	}
	return func(text string) string {
		for _, normalize := range parts {
			text = normalize(text)
		}
		return text
	}, nil
}

func (f *normalizerFile) strip(text string) string {
	if orTrue(f.Left) {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if orTrue(f.Right) {
		text = strings.TrimRightFunc(text, unicode.IsSpace)
	}
	return text
}

// blanks is the only regular expression that is known to mean the same here as in the library tokenizers.
var blanks = lazyregexp.New(` {2,}`)

func (f *normalizerFile) replace() (normalizer, error) {
	switch {
	case f.Pattern.Regex == blanks().String():
		return func(text string) string { return blanks().ReplaceAllLiteralString(text, f.Content) }, nil
	case f.Pattern.Regex == "" && f.Pattern.Text != "":
		return func(text string) string { return strings.ReplaceAll(text, f.Pattern.Text, f.Content) }, nil
	}
	return nil, fmt.Errorf("normalizer Replace of %q is not supported", f.Pattern.Regex)
}

func orTrue(b *bool) bool { return b == nil || *b }
