package local

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordPiece is BERT's tokenizer: words and punctuation marks, each split greedily into the longest pieces of the
// vocabulary; a word that cannot be split is [UNK] as a whole. Ids do not include [CLS] and [SEP]: the encoder puts
// those around a window.
type wordPiece struct {
	ids           map[string]int32
	special       map[string]int32 // matched before the text is normalized
	lower         bool
	stripAccents  bool
	splitChinese  bool
	prefix        string
	longest       int // bytes of the longest piece
	maxRunes      int // a longer word is unknown
	unk, cls, sep int32
	top           int32 // the highest id
}

// tokenizerFile is what Lens reads of a tokenizer.json of the library "tokenizers". It ignores truncation and
// padding.
type tokenizerFile struct {
	Added []struct {
		ID      int32  `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer struct {
		Type    string `json:"type"`
		Chinese *bool  `json:"handle_chinese_chars"`
		Accents *bool  `json:"strip_accents"`
		Lower   *bool  `json:"lowercase"`
	} `json:"normalizer"`
	Model struct {
		Type       string           `json:"type"`
		Unknown    string           `json:"unk_token"`
		Prefix     string           `json:"continuing_subword_prefix"`
		MaxRunes   int              `json:"max_input_chars_per_word"`
		Vocabulary map[string]int32 `json:"vocab"`
	} `json:"model"`
}

func openWordPiece(path string) (*wordPiece, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := readWordPiece(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer.json: %w", err)
	}
	return w, nil
}

func readWordPiece(data []byte) (*wordPiece, error) {
	var f tokenizerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Model.Type != "" && f.Model.Type != "WordPiece" {
		return nil, fmt.Errorf("model %q is not WordPiece", f.Model.Type)
	}
	if f.Normalizer.Type != "BertNormalizer" {
		return nil, fmt.Errorf("normalizer %q is not BertNormalizer", f.Normalizer.Type)
	}
	w := &wordPiece{
		ids: f.Model.Vocabulary, special: make(map[string]int32), prefix: f.Model.Prefix, maxRunes: f.Model.MaxRunes,
		lower: orTrue(f.Normalizer.Lower), splitChinese: orTrue(f.Normalizer.Chinese),
	}
	w.stripAccents = w.lower
	if f.Normalizer.Accents != nil {
		w.stripAccents = *f.Normalizer.Accents
	}
	for _, t := range f.Added {
		if t.Special && t.Content != "" {
			w.special[t.Content] = t.ID
			w.top = max(w.top, t.ID)
		}
	}
	return w, w.check(f.Model.Unknown)
}

func (w *wordPiece) check(unknown string) error {
	for piece, id := range w.ids {
		if id < 0 {
			return fmt.Errorf("piece %q has the id %d", piece, id)
		}
		w.longest = max(w.longest, len(piece))
		w.top = max(w.top, id)
	}
	for name, id := range map[string]*int32{unknown: &w.unk, "[CLS]": &w.cls, "[SEP]": &w.sep} {
		var ok bool
		if *id, ok = w.ids[name]; !ok {
			return fmt.Errorf("token %q is missing", name)
		}
	}
	for name, id := range w.special {
		if id < 0 {
			return fmt.Errorf("token %q has the id %d", name, id)
		}
	}
	if w.maxRunes <= 0 {
		w.maxRunes = 100
	}
	return nil
}

func orTrue(b *bool) bool { return b == nil || *b }

// encode appends the ids of text.
func (w *wordPiece) encode(ids []int32, text string) []int32 {
	for text != "" {
		before, id, after, found := w.nextSpecial(text)
		ids = w.encodePlain(ids, before)
		if !found {
			break
		}
		ids = append(ids, id)
		text = after
	}
	return ids
}

// nextSpecial splits text at its first special token, the longest where several begin at one place.
func (w *wordPiece) nextSpecial(text string) (before string, id int32, after string, found bool) {
	at, size := len(text), 0
	for name, value := range w.special {
		if i := strings.Index(text, name); i >= 0 && (i < at || i == at && len(name) > size) {
			at, size, id, found = i, len(name), value, true
		}
	}
	return text[:at], id, text[at+size:], found
}

func (w *wordPiece) encodePlain(ids []int32, text string) []int32 {
	for word := range words(w.normalize(text)) {
		ids = w.cut(ids, word)
	}
	return ids
}

// normalize cleans, separates Chinese characters, strips accents and lowers case, in this order, as BertNormalizer
// does.
func (w *wordPiece) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	for _, r := range text {
		switch {
		case r == 0 || r == utf8.RuneError || isControl(r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case w.splitChinese && isChinese(r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	text = b.String()
	if w.stripAccents && !isASCII(text) {
		text = strings.Map(dropMark, norm.NFD.String(text))
	}
	if w.lower {
		text = strings.ToLower(text)
	}
	return text
}

func dropMark(r rune) rune {
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return r
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isControl reports control, format, private and surrogate characters, except those that count as blanks.
func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.Is(unicode.C, r)
}

// isChinese reports the blocks of CJK ideographs that BERT sets apart; not kana and hangul.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F
}

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~'
	}
	return unicode.IsPunct(r)
}

// words yields the words and the single punctuation marks of text.
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range text {
			blank, mark := r == ' ' || unicode.IsSpace(r), isPunctuation(r)
			if !blank && !mark {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(text[start:i]) {
				return
			}
			start = -1
			if mark && !yield(text[i:i+utf8.RuneLen(r)]) {
				return
			}
		}
		if start >= 0 {
			yield(text[start:])
		}
	}
}

// cut appends the ids of a word's pieces, always the longest that fits; [UNK] when some part matches no piece.
func (w *wordPiece) cut(ids []int32, word string) []int32 {
	if utf8.RuneCountInString(word) > w.maxRunes {
		return append(ids, w.unk)
	}
	before := len(ids)
	var joined [256]byte
	for start := 0; start < len(word); {
		head := joined[:0]
		if start > 0 {
			head = append(head, w.prefix...)
		}
		end := min(len(word), start+w.longest)
		for ; end > start; end-- {
			if id, ok := w.ids[string(append(head, word[start:end]...))]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == start {
			return append(ids[:before], w.unk)
		}
		start = end
	}
	return ids
}
