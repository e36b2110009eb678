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

// A fact is a term of the keyword index that says something of a chunk instead of standing in its text: that its metadata has a key
// with a value. So a filter by metadata is a look-up like that of a word, on every backend and in every shard, and what forgets a
// text forgets its facts. A fact begins with "=", which no word of a text does, and does not count for a text's length.

// maxFact is the length in bytes beyond which a fact is known by its hash, as is one that no database could store; maxFacts is how
// many of one chunk can be found.
const (
	maxFact  = 64
	maxFacts = 256
	maxDepth = 64 // of metadata that is looked at
)

// Fact returns the term that says that key has value.
func Fact(key, value string) string {
	fact := "=" + key + "=" + value
	if len(fact) <= maxFact && utf8.ValidString(fact) && strings.IndexByte(fact, 0) < 0 {
		return fact
	}
	sum := sha256.Sum256([]byte(key + "=" + value))
	return "=#" + hex.EncodeToString(sum[:16])
}

// IsFact reports whether a term is a fact.
func IsFact(term string) bool { return len(term) > 0 && term[0] == '=' }

// Facts returns the facts of a chunk, each once, in ascending order: what its Meta says, and under the names that they have outside
// its id, client_tag, filename, path and mime. A member of a member has the names of both with a dot between them, an element of a
// list the name of the list; numbers and truth values are as they are written, null says nothing. What lies behind maxFacts of them
// cannot be found.
func (c *Chunk) Facts() []string {
	if c == nil {
		return nil
	}
	var facts []string
	d := &c.Document
	for _, known := range [][2]string{
		{"id", c.ID}, {"client_tag", d.ClientTag}, {"filename", d.Filename}, {"path", d.Path}, {"mime", d.MIME},
	} {
		if known[1] != "" {
			facts = append(facts, Fact(known[0], known[1]))
		}
	}
	if len(c.Meta) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(c.Meta))
		decoder.UseNumber()
		facts, _ = metaFacts(facts, decoder, "", maxDepth) // what is no JSON says nothing more
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// errEnough stops the reading of metadata with more than maxFacts members, or deeper than maxDepth.
var errEnough = errors.New("enough")

// metaFacts adds the facts of the next value, which is that of key.
func metaFacts(facts []string, d *json.Decoder, key string, depth int) ([]string, error) {
	token, err := d.Token()
	if err != nil {
		return facts, err
	}
	if len(facts) >= maxFacts || depth == 0 {
		return facts, errEnough
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

// nestedFacts adds those of the members of an object or the elements of a list, up to its end.
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
	_, err := d.Token() // the bracket
	return facts, err
}
