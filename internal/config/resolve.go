package config

import (
	"cmp"
	"log/slog"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// resolve turns what was said into a Config, or says what does not fit.
func resolve(s said, opts Options) (Config, error) {
	c := Config{
		DatabaseURL: strings.TrimSpace(s.value("database_url")),
		ModelHub:    strings.TrimRight(s.value("model_hub"), "/"),
		APIKeys:     list(s.value("api_keys")),
		Chat:        chat(s),
		origins:     s.origins(),
	}
	steps := []func() error{
		func() (err error) { c.DataDir, err = absolute(dataDir(s, opts)); return err },
		func() (err error) { c.ModelsDir, err = absolute(modelsDir(s, opts)); return err },
		func() (err error) { c.ShardsCache, err = megabytes(s, "shards_cache"); return err },
		func() (err error) { c.Offline, err = boolean(s, "offline"); return err },
		func() (err error) { c.LogLevel, err = level(s); return err },
		func() (err error) { c.Embedding, err = embedding(s); return err },
		func() error { return checkDatabase(c.DatabaseURL, c.Origin("database_url")) },
		func() error { return checkBaseURL(s, "openai_base_url") },
		func() error { return checkBaseURL(s, "super_mind_base_url") },
		func() error { return checkBaseURL(s, "model_hub") },
		func() error { return checkReach(s, "openai_api_key", "openai_base_url") },
		func() error { return checkReach(s, "super_mind_api_key", "super_mind_base_url") },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// modelsDir returns the folder of the built-in models as it was written: models/ in the usual data folder unless it is said. A flag that
// names another archive does not move it, so that archives share their models.
func modelsDir(s said, opts Options) string {
	return expandHome(cmp.Or(s.value("models_dir"), filepath.Join(dataDir(s[1:], opts), "models")))
}

func absolute(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", &Error{Message: "the working folder cannot be told", Hint: "name folders in full, beginning at the root", Err: err}
	}
	return full, nil
}

func boolean(s said, key string) (bool, error) {
	value, place := s.lookup(key)
	if value == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return false, &Error{Message: key + " (" + place + ") must be true or false", Hint: "say true or false"}
	}
	return on, nil
}

// megabytes returns how many bytes a setting allows; 0 when it is not said.
func megabytes(s said, key string) (int64, error) {
	value, place := s.lookup(key)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 1 {
		return 0, &Error{Message: key + " (" + place + ") is no number of MB", Hint: "say how many MB, such as 4096"}
	}
	return n << 20, nil
}

func level(s said) (slog.Level, error) {
	value, place := s.lookup("log_level")
	switch strings.ToLower(value) {
	case "", "warn", "warning":
		return slog.LevelWarn, nil
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, &Error{Message: "the log level (" + place + ") is not one of them", Hint: "use debug, info, warn or error"}
}

// list splits at commas and drops what is empty.
func list(value string) []string {
	var items []string
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item != "" {
			items = append(items, item)
		}
	}
	return items
}

func checkDatabase(value, place string) error {
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") {
		return nil
	}
	return &Error{
		Message: "the database URL (" + place + ") is not a Postgres URL",
		Hint:    "write postgres://user:password@host:5432/name, or leave it out to use SQLite",
	}
}

func checkBaseURL(s said, key string) error {
	value, place := s.lookup(key)
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		return nil
	}
	return &Error{
		Message: key + " (" + place + ") is not an http or https URL",
		Hint:    "write it like http://127.0.0.1:11434/v1, without user and password; a key goes into its own variable",
	}
}
