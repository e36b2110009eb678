package config

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// resolve turns the layers into a Config and checks each setting.
func resolve(s layers, opts Options) (Config, error) {
	c := Config{
		DatabaseURL: strings.TrimSpace(s.value("database_url")),
		ModelHub:    strings.TrimRight(s.value("model_hub"), "/"),
		APIKeys:     splitList(s.value("api_keys")),
		origins:     s.origins(),
	}
	steps := []func() error{
		func() (err error) { c.DataDir, err = absolute(dataDir(s, opts)); return err },
		func() (err error) { c.ModelsDir, err = absolute(modelsDir(s, opts)); return err },
		func() (err error) { c.ShardsCache, err = megabytes(s, "shards_cache"); return err },
		func() (err error) { c.Offline, err = boolean(s, "offline"); return err },
		func() (err error) { c.Security, err = security(s); return err },
		func() (err error) { c.LogLevel, err = level(s); return err },
		func() (err error) { c.Embedding, err = embedding(s); return err },
		func() (err error) { c.Chat, err = chat(s); return err },
		func() error { return checkDatabase(c.DatabaseURL, c.Origin("database_url")) },
		func() error { return checkBaseURL(s, "openai_base_url") },
		func() error { return checkBaseURL(s, "super_mind_base_url") },
		func() error { return checkBaseURL(s, "model_hub") },
		func() error { return checkKeyScope(s, "openai_api_key", "openai_base_url") },
		func() error { return checkKeyScope(s, "super_mind_api_key", "super_mind_base_url") },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// modelsDir returns the folder of the built-in models as written, with ~ expanded. The default is models/ in the data
// folder. A data folder that a flag names has its own only once a model was put there: archives share their models.
func modelsDir(s layers, opts Options) string {
	if dir := s.value("models_dir"); dir != "" {
		return expandHome(dir)
	}
	if own := filepath.Join(dataDir(s, opts), "models"); opts.OwnModels || holdsModel(own) {
		return own
	}
	return filepath.Join(dataDir(s[1:], opts), "models")
}

// holdsModel reports whether a folder has a model. Folders of unfinished downloads begin with a dot.
func holdsModel(dir string) bool {
	entries, _ := os.ReadDir(dir) // an unreadable one has none that can be used
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() && e.Name()[0] != '.' })
}

func absolute(dir string) (string, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", wrong("cannot find the working folder", "use absolute paths", err)
	}
	return full, nil
}

func boolean(s layers, key string) (bool, error) {
	value, place := s.lookup(key)
	if value == "" {
		return false, nil
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return false, wrong(key+" ("+place+") must be true or false", "use true or false", nil)
	}
	return on, nil
}

// megabytes returns a setting that is given in MB, in bytes; 0 if it is not set.
func megabytes(s layers, key string) (int64, error) {
	value, place := s.lookup(key)
	if value == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 1 {
		return 0, wrong(key+" ("+place+") is not a number of MB", "use a number such as 4096", nil)
	}
	return n << 20, nil
}

func security(s layers) (string, error) {
	value, place := s.lookup("security")
	switch value = strings.ToLower(value); value {
	case "":
		return Standard, nil
	case Standard, Strict, Paranoid:
		return value, nil
	}
	return "", wrongAt(place, "unknown security level ("+place+")", "use standard, strict or paranoid")
}

func level(s layers) (slog.Level, error) {
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
	return 0, wrongAt(place, "unknown log level ("+place+")", "use debug, info, warn or error")
}

// splitList splits at commas and drops empty items.
func splitList(value string) []string {
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
	return wrongAt(place,
		"the database URL ("+place+") is not a Postgres URL",
		"write postgres://user:password@host:5432/name, or leave it unset to use SQLite",
	)
}

func checkBaseURL(s layers, key string) error {
	value, place := s.lookup(key)
	if value == "" {
		return nil
	}
	u, err := url.Parse(value)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil {
		return nil
	}
	return wrong(
		key+" ("+place+") is not an http or https URL",
		"write it like http://127.0.0.1:11434/v1, without user and password; set the key in its own variable", nil,
	)
}
