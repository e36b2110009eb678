package embed

import (
	"slices"
	"strings"
)

// Prefixes are what a model was trained to read before queries and before documents. The zero value has none.
type Prefixes struct{ Query, Document string }

const (
	instruct = "Instruct: Given a question, retrieve the passages of a chat history that answer it\nQuery:"
	passages = "Represent this sentence for searching relevant passages: "
)

// knownPrefixes are taken from the models' cards. The first row that matches counts.
var knownPrefixes = []struct {
	name     string // words, as wordsOf splits them; others may stand in place of …
	not      string // a word that the name must not have
	prefixes Prefixes
}{
	{"nomic embed text", "", Prefixes{"search_query: ", "search_document: "}},
	{"modernbert embed", "", Prefixes{"search_query: ", "search_document: "}},
	{"e5", "instruct", Prefixes{"query: ", "passage: "}},
	{"e5 … instruct", "", Prefixes{instruct + " ", ""}},
	{"gte qwen2", "", Prefixes{instruct + " ", ""}},
	{"qwen3 embedding", "", Prefixes{instruct, ""}},
	{"snowflake arctic embed2", "", Prefixes{"query: ", ""}},
	{"snowflake arctic embed … v2 0", "", Prefixes{"query: ", ""}},
	{"bge … en v1 5", "", Prefixes{passages, ""}},
	{"mxbai embed large", "", Prefixes{passages, ""}},
	{"snowflake arctic embed", "", Prefixes{passages, ""}},
	{"embeddinggemma", "", Prefixes{"task: search result | query: ", "title: none | text: "}},
}

// PrefixesOf returns the prefixes of a model, which servers do not add, by its name: none if the name is unknown.
func PrefixesOf(model string) Prefixes {
	words := wordsOf(model)
	for _, k := range knownPrefixes {
		if contains(words, k.name) && !slices.Contains(words, k.not) {
			return k.prefixes
		}
	}
	return Prefixes{}
}

// wordsOf splits the name of a model, which may have a publisher, a file's path, a tag or a quantization around it.
func wordsOf(model string) []string {
	return strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return strings.ContainsRune("-_/:.", r) })
}

// contains reports whether words has the parts of name between …, in their order.
func contains(words []string, name string) bool {
	for part := range strings.SplitSeq(name, " … ") {
		wanted := strings.Fields(part)
		for !hasPrefix(words, wanted) {
			if len(words) == 0 {
				return false
			}
			words = words[1:]
		}
		words = words[len(wanted):]
	}
	return true
}

func hasPrefix(words, wanted []string) bool {
	return len(words) >= len(wanted) && slices.Equal(words[:len(wanted)], wanted)
}
