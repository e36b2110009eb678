package config

import (
	"cmp"
	"strings"
)

// superMind is where SUPER_MIND_BASE_URL points unless it is set.
const superMind = "https://space.ai-builders.com/backend"

// provider is a server and the key for it. The one that a base URL or key is given for wins, OpenAI before the other.
type provider struct{ name, baseURL, key string }

func chosen(s said) (provider, bool) {
	if key, base := s.value("openai_api_key"), s.value("openai_base_url"); key != "" || base != "" {
		return provider{"openai", strings.TrimRight(base, "/"), strings.TrimSpace(key)}, true
	}
	if key := s.value("super_mind_api_key"); key != "" {
		return provider{"super_mind", versioned(cmp.Or(s.value("super_mind_base_url"), superMind)), strings.TrimSpace(key)}, true
	}
	return provider{}, false
}

// versioned returns base with the /v1 at its end under which its endpoints lie.
func versioned(base string) string {
	base = strings.TrimRight(base, "/")
	if strings.HasSuffix(base, "/v1") {
		return base
	}
	return base + "/v1"
}

// checkReach keeps a key at home: it may go only where its own place, or one that wins over it, says. Otherwise a .env that happens to
// lie in the working folder could have the key of the environment sent to a server of its choice.
func checkReach(s said, key, baseURL string) error {
	secret, keyPlace := s.lookup(key)
	base, basePlace := s.lookup(baseURL)
	if secret == "" || base == "" || s.rank(baseURL) <= s.rank(key) {
		return nil
	}
	return &Error{
		Message: "the server in " + nameOf(baseURL) + " (" + basePlace + ") would get a key that was set elsewhere (" + keyPlace + ")",
		Hint:    "set " + nameOf(baseURL) + " where the key is set, to nothing for the usual server; or set the key beside the server",
	}
}

// nameOf returns the variable of a setting.
func nameOf(key string) string {
	s, _ := settingByKey(key)
	return s.env
}

func embedding(s said) (Embedding, error) {
	p, found := chosen(s)
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
		return e, &Error{Message: "the embedding (" + place + ") is not one of them", Hint: "use openai, local or none"}
	}
	if e.Kind != OpenAI {
		return e, nil
	}
	if !found {
		return e, &Error{
			Message: "the embedding is openai (" + place + "), but there is neither a key nor a server for it",
			Hint:    "set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own, or LENS_EMBEDDING=none",
		}
	}
	e.Provider, e.BaseURL, e.Key = p.name, p.baseURL, p.key
	return e, nil
}

func chat(s said) Chat {
	p, _ := chosen(s)
	return Chat{Provider: p.name, BaseURL: p.baseURL, Key: p.key, Model: s.value("chat_model")}
}
