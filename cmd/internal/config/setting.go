package config

import "slices"

// setting names one setting: key in config.yaml and among flags, env in the environment and .env.
type setting struct {
	key, env string
	secret   bool // refused in a file that other users can read
}

var settings = []setting{
	{key: "data_dir", env: "LENS_DATA_DIR"},
	{key: "database_url", env: "LENS_DATABASE_URL", secret: true},
	{key: "embedding", env: "LENS_EMBEDDING"},
	{key: "embedding_model", env: "LENS_EMBEDDING_MODEL"},
	{key: "embedding_query_prefix", env: "LENS_EMBEDDING_QUERY_PREFIX"},
	{key: "embedding_document_prefix", env: "LENS_EMBEDDING_DOCUMENT_PREFIX"},
	{key: "models_dir", env: "LENS_MODELS_DIR"},
	{key: "model_hub", env: "LENS_MODEL_HUB"},
	{key: "shards_cache", env: "LENS_SHARDS_CACHE"},
	{key: "chat_model", env: "LENS_CHAT_MODEL"},
	{key: "chat_first_token", env: "LENS_CHAT_FIRST_TOKEN"},
	{key: "chat_next_token", env: "LENS_CHAT_NEXT_TOKEN"},
	{key: "chat_time", env: "LENS_CHAT_TIME"},
	{key: "chat_rounds", env: "LENS_CHAT_ROUNDS"},
	{key: "chat_turns", env: "LENS_CHAT_TURNS"},
	{key: "chat_tokens", env: "LENS_CHAT_TOKENS"},
	{key: "chat_answer_tokens", env: "LENS_CHAT_ANSWER_TOKENS"},
	{key: "api_keys", env: "LENS_API_KEYS", secret: true},
	{key: "openai_api_key", env: "OPENAI_API_KEY", secret: true},
	{key: "openai_base_url", env: "OPENAI_BASE_URL"},
	{key: "super_mind_api_key", env: "SUPER_MIND_API_KEY", secret: true},
	{key: "super_mind_base_url", env: "SUPER_MIND_BASE_URL"},
	{key: "security", env: "LENS_SECURITY"},
	{key: "offline"},
	{key: "log_level"},
}

func settingByKey(key string) (setting, bool) {
	if i := slices.IndexFunc(settings, func(s setting) bool { return s.key == key }); i >= 0 {
		return settings[i], true
	}
	return setting{}, false
}

// layer holds the settings of one place, by key.
type layer struct {
	place  string // for people: "environment"
	values map[string]string
}

// layers holds the settings of all places. The first one that has a key wins.
type layers []layer

// lookup returns the value of key, and the place that set it.
func (s layers) lookup(key string) (value, place string) {
	if i := s.indexOf(key); i < len(s) {
		return s[i].values[key], s[i].place
	}
	return "", ""
}

// indexOf returns the index of the first layer that sets key, len(s) for none.
func (s layers) indexOf(key string) int {
	i := slices.IndexFunc(s, func(l layer) bool { _, ok := l.values[key]; return ok })
	if i < 0 {
		return len(s)
	}
	return i
}

func (s layers) value(key string) string {
	v, _ := s.lookup(key)
	return v
}

// origins returns the place of every setting that has one.
func (s layers) origins() map[string]string {
	all := make(map[string]string, len(settings))
	for _, one := range settings {
		if _, place := s.lookup(one.key); place != "" {
			all[one.key] = place
		}
	}
	return all
}

// fromEnvironment returns the variables that are set, also those that are set to the empty string.
func fromEnvironment(lookup func(string) (string, bool)) layer {
	values := map[string]string{}
	for _, s := range settings {
		if s.env == "" {
			continue
		}
		if v, ok := lookup(s.env); ok {
			values[s.key] = v
		}
	}
	return layer{"environment", values}
}
