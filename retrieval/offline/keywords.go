package offline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"lens/internal/errs"
	"lens/store/terms"
)

// Keywords is a file of synonyms that is read before every query and parsed again when it has changed:
//
//	# keywords.yaml: a query with the word on the left also finds the words on the right.
//	car: [automobile, vehicle]
//	machine learning: ML
//	partner: [<name of your partner>]   # a placeholder: ignored until it is filled in
//	boss: TODO                          # another placeholder
//
// A nil Keywords and a missing file have no synonyms.
type Keywords struct {
	read func() ([]byte, error)

	mu     sync.Mutex
	text   []byte
	parsed Synonyms
	err    error
}

// NewKeywords returns keywords that call read for their text, nil for none. It reads nothing yet.
func NewKeywords(read func() ([]byte, error)) *Keywords { return &Keywords{read: read} }

// CheckKeywords reports what is wrong with the text of a keywords file. Errors: invalid.
func CheckKeywords(text []byte) error {
	_, err := parseKeywords(text)
	return err
}

// Synonyms is a parsed keywords file.
type Synonyms struct {
	Placeholders []string // words whose entry is not filled in yet
	entries      []entry
}

type entry struct {
	word  string
	terms []string // of word
	adds  []string
}

// Synonym is an entry that applies to a query.
type Synonym struct {
	Word string   `json:"word"`
	Adds []string `json:"adds"`
}

// wrongKeywords says what is wrong with a keywords file, without quoting it. Line 0 means no line in particular.
func wrongKeywords(line int, message string) error {
	if line > 0 {
		message = fmt.Sprintf("line %d: %s", line, message)
	}
	return &errs.Error{Code: errs.Invalid, Op: "keywords", Message: message}
}

// The limits of a keywords file.
const (
	maxKeywordsFile = 64 << 10
	maxEntries      = 1000
	maxSynonyms     = 32 // of an entry
	maxKeyword      = 64 // bytes
)

// Current returns the synonyms of the file as it is now. Errors: invalid, and errors of reading.
func (k *Keywords) Current() (Synonyms, error) {
	if k == nil {
		return Synonyms{}, nil
	}
	text, err := k.read()
	if err != nil {
		return Synonyms{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !bytes.Equal(text, k.text) {
		k.text = text
		k.parsed, k.err = parseKeywords(text)
	}
	return k.parsed, k.err
}

// ReadKeywords reads a keywords file, nil where there is none. Errors: unavailable.
func ReadKeywords(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &errs.Error{Code: errs.Unavailable, Op: "keywords", Message: "cannot be opened"}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKeywordsFile+1))
	if err != nil {
		return nil, &errs.Error{Code: errs.Unavailable, Op: "keywords", Message: "cannot be read"}
	}
	return text, nil
}

// parseKeywords reads a mapping from words to one synonym or a list of them.
func parseKeywords(text []byte) (Synonyms, error) {
	if len(text) > maxKeywordsFile {
		return Synonyms{}, wrongKeywords(0, "longer than 64 KiB")
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return Synonyms{}, wrongKeywords(0, "not valid YAML") // without the cause, which quotes the file
	}
	var s Synonyms
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return s, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return s, wrongKeywords(root.Line, "expected words and their synonyms, such as car: [automobile, vehicle]")
	}
	if len(root.Content)/2 > maxEntries {
		return s, wrongKeywords(0, fmt.Sprintf("more than %d entries", maxEntries))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		if err := s.add(root.Content[i], root.Content[i+1], seen); err != nil {
			return Synonyms{}, err
		}
	}
	return s, nil
}

func (s *Synonyms) add(name, node *yaml.Node, seen map[string]bool) error {
	word, err := keyword(name)
	if err != nil {
		return err
	}
	if seen[strings.ToLower(word)] {
		return wrongKeywords(name.Line, "this word already has an entry")
	}
	seen[strings.ToLower(word)] = true
	values := []*yaml.Node{node}
	if node.Kind == yaml.SequenceNode {
		values = node.Content
	}
	if len(values) > maxSynonyms {
		return wrongKeywords(node.Line, fmt.Sprintf("a word can have at most %d synonyms", maxSynonyms))
	}
	e := entry{word: word, terms: terms.Query(word)}
	for _, value := range values {
		if isNull(value) {
			continue
		}
		synonym, err := keyword(value)
		if err != nil {
			return err
		}
		if !isPlaceholder(synonym) {
			e.adds = append(e.adds, synonym)
		}
	}
	if len(e.adds) == 0 || isPlaceholder(word) {
		s.Placeholders = append(s.Placeholders, word)
		return nil
	}
	s.entries = append(s.entries, e)
	return nil
}

// keyword returns a word of the file. It must contain something to search for.
func keyword(node *yaml.Node) (string, error) {
	word := strings.Join(strings.Fields(node.Value), " ")
	switch {
	case node.Kind != yaml.ScalarNode:
		return "", wrongKeywords(node.Line, "expected a word, or a list of words")
	case len(word) > maxKeyword:
		return "", wrongKeywords(node.Line, fmt.Sprintf("a word can have at most %d bytes", maxKeyword))
	case !utf8.ValidString(word) || strings.ContainsFunc(word, unicode.IsControl):
		return "", wrongKeywords(node.Line, "a word contains a control character")
	case len(terms.Query(word)) == 0 && !isPlaceholder(word):
		return "", wrongKeywords(node.Line, "a word has no letters or digits")
	}
	return word, nil
}

// isPlaceholder reports whether a word is yet to be filled in: TODO, an ellipsis, or something in angle brackets or
// braces.
func isPlaceholder(word string) bool {
	inside := func(open, end string) bool { return strings.HasPrefix(word, open) && strings.HasSuffix(word, end) }
	return word == "TODO" || word == "..." || word == "…" || inside("<", ">") || inside("{", "}")
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// Of returns the entries that apply to query: those with all their terms in it.
func (s Synonyms) Of(query string) []Synonym {
	asked := terms.Query(query)
	called := []Synonym{}
	for _, e := range s.entries {
		if !slices.ContainsFunc(e.terms, func(term string) bool { return !slices.Contains(asked, term) }) {
			called = append(called, Synonym{e.word, e.adds})
		}
	}
	return called
}
