package embed_test

import (
	"testing"

	"lens/retrieval/embed"
)

func TestPrefixesOf(t *testing.T) {
	const (
		instruct = "Instruct: Given a question, retrieve the passages of a chat history that answer it\nQuery:"
		passages = "Represent this sentence for searching relevant passages: "
	)
	for model, want := range map[string]embed.Prefixes{
		"nomic-embed-text":                          {Query: "search_query: ", Document: "search_document: "},
		"nomic-embed-text:latest":                   {Query: "search_query: ", Document: "search_document: "},
		"text-embedding-nomic-embed-text-v1.5":      {Query: "search_query: ", Document: "search_document: "},
		"/models/nomic-embed-text-v1.5.Q4_K_M.gguf": {Query: "search_query: ", Document: "search_document: "},
		"nomic-ai/modernbert-embed-base":            {Query: "search_query: ", Document: "search_document: "},
		"intfloat/multilingual-e5-small":            {Query: "query: ", Document: "passage: "},
		"E5_large.v2":                               {Query: "query: ", Document: "passage: "},
		"multilingual-e5-large-instruct":            {Query: instruct + " "},
		"e5-mistral-7b-instruct":                    {Query: instruct + " "},
		"Alibaba-NLP/gte-Qwen2-1.5B-instruct":       {Query: instruct + " "},
		"Qwen/Qwen3-Embedding-0.6B":                 {Query: instruct},
		"qwen3-embedding:0.6b":                      {Query: instruct},
		"snowflake-arctic-embed2":                   {Query: "query: "},
		"Snowflake/snowflake-arctic-embed-l-v2.0":   {Query: "query: "},
		"snowflake-arctic-embed:335m":               {Query: passages},
		"Snowflake/snowflake-arctic-embed-m-v1.5":   {Query: passages},
		"BAAI/bge-small-en-v1.5":                    {Query: passages},
		"mixedbread-ai/mxbai-embed-large-v1":        {Query: passages},
		"embeddinggemma:300m":                       {Query: "task: search result | query: ", Document: "title: none | text: "},
		"text-embedding-3-large":                    {},
		"bge-m3":                                    {},
		"bge-small-zh-v1.5":                         {},
		"all-minilm:l6-v2":                          {},
		"thenlper/gte-base":                         {},
		"granite-embedding:278m":                    {},
		"nomic-embed-code":                          {},
		"base5":                                     {}, // no word e5
		"not-modernbert-but-embed":                  {},
		"unknown":                                   {},
		"":                                          {},
	} {
		if got := embed.PrefixesOf(model); got != want {
			t.Errorf("%s: %+v, want %+v", model, got, want)
		}
	}
}
