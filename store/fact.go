package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// A fact is a term of the keyword index that stands for a property of a turn. A filter is therefore a lookup like that
// of a word, on every backend and in every shard, and forgetting a text also removes its facts. A fact does not count
// toward the length of a text.
//
// The facts of a chunk begin with "=": they are the keys of its metadata with their values. Those of a turn begin with
// ":", whatever its chunk says: "=model=x" and ":model=x" have nothing to do with each other. No word of a text begins
// with either.

// maxFact is the maximum length of a fact in bytes. A longer fact, or one that no database could
// store, is replaced by its hash. maxFacts is the maximum number of searchable facts of a chunk.
const (
	maxFact  = 64
	maxFacts = 256
	maxDepth = 64 // of nested metadata
)

// Fact returns the term for key having value.
func Fact(key, value string) string { return factTerm("=", key+"="+value) }

// factTerm returns mark followed by a fact, or by its hash.
func factTerm(mark, fact string) string {
	if len(mark)+len(fact) <= maxFact && utf8.ValidString(fact) && strings.IndexByte(fact, 0) < 0 {
		return mark + fact
	}
	sum := sha256.Sum256([]byte(fact))
	return mark + "#" + hex.EncodeToString(sum[:16])
}

// IsFact reports whether a term is a fact.
func IsFact(term string) bool { return len(term) > 0 && (term[0] == '=' || term[0] == ':') }

// Facts returns the distinct facts of a chunk in ascending order: those of its Meta, and id,
// client_tag, filename, path and mime under these names. The key of a nested member is the path to it,
// joined by dots; an element of a list has the key of the list. Numbers and booleans keep their
// spelling; null yields no fact. Facts beyond maxFacts are not searchable.
func (c *Chunk) Facts() []string {
	if c == nil {
		return nil
	}
	var facts []string
	d := &c.Document
	for _, field := range [][2]string{
		{"id", c.ID}, {"client_tag", d.ClientTag}, {"filename", d.Filename}, {"path", d.Path}, {"mime", d.MIME},
	} {
		if field[1] != "" {
			facts = append(facts, Fact(field[0], field[1]))
		}
	}
	if len(c.Meta) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(c.Meta))
		decoder.UseNumber()
		facts, _ = metaFacts(facts, decoder, "", maxDepth) // invalid JSON ends the list
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// errTooMuch stops at metadata with more than maxFacts members or deeper than maxDepth.
var errTooMuch = errors.New("metadata has too many members or levels")

// metaFacts appends the facts of the next value, which belongs to key.
func metaFacts(facts []string, d *json.Decoder, key string, depth int) ([]string, error) {
	token, err := d.Token()
	if err != nil {
		return facts, err
	}
	if len(facts) >= maxFacts || depth == 0 {
		return facts, errTooMuch
	}
	switch v := token.(type) {
	case json.Delim:
		return nestedFacts(facts, d, key, depth-1, v == '{')
	case string:
		return append(facts, Fact(key, v)), nil
	case json.Number:
		return append(facts, Fact(key, v.String())), nil
	case bool:
		value := "false"
		if v {
			value = "true"
		}
		return append(facts, Fact(key, value)), nil
	}
	return facts, nil
}

// nestedFacts appends the facts of the members of an object or the elements of a list, up to its end.
func nestedFacts(facts []string, d *json.Decoder, key string, depth int, object bool) ([]string, error) {
	for d.More() {
		name := key
		if object {
			token, err := d.Token()
			if err != nil {
				return facts, err
			}
			member, ok := token.(string)
			if !ok {
				return facts, io.ErrUnexpectedEOF
			}
			if name = member; key != "" {
				name = key + "." + member
			}
		}
		var err error
		if facts, err = metaFacts(facts, d, name, depth); err != nil {
			return facts, err
		}
	}
	_, err := d.Token() // the closing bracket
	return facts, err
}
