package config

import (
	"cmp"
	"strings"
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

// withV1 appends the /v1 below which the endpoints lie, unless base ends in it.
func withV1(base string) string {
	base = strings.TrimRight(base, "/")
	if strings.HasSuffix(base, "/v1") {
		return base
	}
	return base + "/v1"
}

// checkKeyScope returns an error if a key would go to a server that a place of lower precedence than the key's has
// chosen. Otherwise a .env that happens to lie in the working folder could redirect the environment's key.
func checkKeyScope(s layers, key, baseURL string) error {
	secret, keyPlace := s.lookup(key)
	base, basePlace := s.lookup(baseURL)
	if secret == "" || base == "" || s.indexOf(baseURL) <= s.indexOf(key) {
		return nil
	}
	return &Error{
		Message: "the server in " + envName(baseURL) + " (" + basePlace + ")" +
			" would get a key that is set elsewhere (" + keyPlace + ")",
		Hint: "set " + envName(baseURL) + " where the key is set (empty for the default server)," +
			" or set the key where the server is set",
	}
}

// envName returns the environment variable of a setting.
func envName(key string) string {
	s, _ := settingByKey(key)
	return s.env
}

func embedding(s layers) (Embedding, error) {
	p, found := selectProvider(s)
	e := Embedding{Model: s.value("embedding_model")}
	value, place := s.lookup("embedding")
	switch kind := Kind(strings.ToLower(value)); kind {
	case Auto:
		if found {
			e.Kind = OpenAI
		}
	case OpenAI, Local, None:
		e.Kind = kind
	default:
		return e, &Error{Message: "unknown embedding (" + place + ")", Hint: "use openai, local or none"}
	}
	if e.Kind != OpenAI {
		return e, nil
	}
	if !found {
		return e, &Error{
			Message: "the embedding is openai (" + place + "), but neither a key nor a server is set",
			Hint:    "set OPENAI_API_KEY, or OPENAI_BASE_URL for your own server, or LENS_EMBEDDING=none",
		}
	}
	e.Provider, e.BaseURL, e.Key = p.name, p.baseURL, p.key
	return e, nil
}

func chat(s layers) Chat {
	p, _ := selectProvider(s)
	return Chat{Provider: p.name, BaseURL: p.baseURL, Key: p.key, Model: s.value("chat_model")}
}
