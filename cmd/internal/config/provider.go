package config

import (
	"cmp"
	"strings"
	"unicode/utf8"
)

// defaultSuperMindURL is used unless SUPER_MIND_BASE_URL is set.
const defaultSuperMindURL = "https://space.ai-builders.com/backend"

// provider is a server and its key.
type provider struct{ name, baseURL, key string }

// selectProvider returns the provider that a key or a base URL is set for: OpenAI first, then super_mind.
func selectProvider(s layers) (provider, bool) {
	if key, base := s.value("openai_api_key"), s.value("openai_base_url"); key != "" || base != "" {
		return provider{"openai", strings.TrimRight(base, "/"), strings.TrimSpace(key)}, true
	}
	if key := s.value("super_mind_api_key"); key != "" {
		base := cmp.Or(s.value("super_mind_base_url"), defaultSuperMindURL)
		return provider{"super_mind", withV1(base), strings.TrimSpace(key)}, true
	}
	return provider{}, false
}

// withV1 appends /v1 to base if it is missing.
func withV1(base string) string {
	base = strings.TrimRight(base, "/")
	if strings.HasSuffix(base, "/v1") {
		return base
	}
	return base + "/v1"
}

// checkKeyScope rejects a base URL from a source of lower precedence than the key's. Otherwise a .env that happens to
// be in the working directory could redirect the key from the environment.
func checkKeyScope(s layers, keySetting, baseSetting string) error {
	secret, keySource := s.lookup(keySetting)
	base, baseSource := s.lookup(baseSetting)
	if secret == "" || base == "" || s.indexOf(baseSetting) <= s.indexOf(keySetting) {
		return nil
	}
	return wrong(
		"the server in "+envName(baseSetting)+" ("+baseSource+") would receive a key from elsewhere ("+keySource+")",
		"set "+envName(baseSetting)+" where the key is set (empty for the default server),"+
			" or set the key where the server is set", nil,
	)
}

// envName returns the environment variable of a setting.
func envName(key string) string {
	s, _ := settingByKey(key)
	return s.env
}

func embedding(s layers) (Embedding, error) {
	p, found := selectProvider(s)
	e := Embedding{Model: s.value("embedding_model")}
	var err error
	if e.QueryPrefix, err = prefix(s, "embedding_query_prefix"); err != nil {
		return e, err
	}
	if e.DocumentPrefix, err = prefix(s, "embedding_document_prefix"); err != nil {
		return e, err
	}
	value, place := s.lookup("embedding")
	switch kind := Kind(strings.ToLower(value)); kind {
	case Auto:
		if found {
			e.Kind = OpenAI
		}
	case OpenAI, Local, None:
		e.Kind = kind
	default:
		return e, wrong("unknown value of embedding ("+place+")", "use openai, local or none", nil)
	}
	if e.Kind != OpenAI {
		return e, nil
	}
	if !found {
		return e, wrong(
			"embedding is openai ("+place+"), but no key or server is set",
			"set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server, or LENS_EMBEDDING=none", nil,
		)
	}
	e.Provider, e.BaseURL, e.Key = p.name, p.baseURL, p.key
	return e, nil
}

// maxPrefix is the length of a prefix in bytes: both are in an index of the database, whose rows are bounded.
const maxPrefix = 1000

// prefix returns a prefix to the byte, but for \n, which is a line feed; nil if it is not set.
func prefix(s layers, key string) (*string, error) {
	value, place := s.lookup(key)
	if place == "" {
		return nil, nil
	}
	value = strings.ReplaceAll(value, `\n`, "\n")
	if len(value) > maxPrefix || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return nil, wrong(key+" ("+place+") is too long or not UTF-8", "use at most 1000 bytes", nil)
	}
	return &value, nil
}
