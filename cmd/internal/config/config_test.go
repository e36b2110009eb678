package config_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/cmd/internal/config"
	"lens/internal/errs"
)

// machine has its own working folder, data folder, configuration folder, environment and flags.
type machine struct {
	t               *testing.T
	work, data, etc string
	env, flags      map[string]string
}

func newMachine(t *testing.T) *machine {
	root := t.TempDir()
	m := &machine{
		t: t, work: root + "/work", data: root + "/data", etc: root + "/etc",
		env: map[string]string{}, flags: map[string]string{},
	}
	for _, dir := range []string{m.work, m.data, m.etc} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m *machine) write(path, content string, mode os.FileMode) {
	m.t.Helper()
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		m.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // regardless of the umask
		m.t.Fatal(err)
	}
}

func (m *machine) load() (config.Config, error) {
	return config.Load(config.Options{
		Flags: m.flags, Dir: m.work, ConfigDir: m.etc, DataDir: m.data,
		LookupEnv: func(name string) (string, bool) { v, ok := m.env[name]; return v, ok },
	})
}

func (m *machine) mustLoad() config.Config {
	m.t.Helper()
	c, err := m.load()
	if err != nil {
		m.t.Fatal(err)
	}
	return c
}

func TestLoad_Precedence(t *testing.T) {
	m := newMachine(t)
	expect := func(want, origin string) {
		t.Helper()
		c := m.mustLoad()
		if c.Chat.Model != want || !strings.HasSuffix(c.Origin("chat_model"), origin) {
			t.Errorf("got %q from %s, want %q from %s", c.Chat.Model, c.Origin("chat_model"), want, origin)
		}
	}
	expect("", "default")
	m.write(m.etc+"/config.yaml", "chat_model: general", 0o644)
	expect("general", "etc/config.yaml")
	m.write(m.data+"/config.yaml", "chat_model: own", 0o644)
	expect("own", "data/config.yaml")
	m.write(m.work+"/.env", "LENS_CHAT_MODEL=dotenv", 0o600)
	expect("dotenv", ".env")
	m.env["LENS_CHAT_MODEL"] = "environment"
	expect("environment", "environment")
	m.flags["chat_model"] = "flag"
	expect("flag", "flag")
}

func TestLoad_ChatLimits(t *testing.T) {
	m := newMachine(t)
	if got := m.mustLoad().Chat; got != (config.Chat{}) {
		t.Errorf("by default: got %+v", got)
	}
	m.write(m.etc+"/config.yaml", "chat_first_token: 4m\nchat_next_token: 90s\nchat_time: 1h30m\nchat_rounds: 4\n", 0o644)
	m.write(m.work+"/.env", "LENS_CHAT_TURNS=5\nLENS_CHAT_TOKENS=6000\nLENS_CHAT_ANSWER_TOKENS=700\nLENS_CHAT_ROUNDS=3", 0o600)
	m.env["LENS_CHAT_FIRST_TOKEN"], m.env["LENS_CHAT_TURNS"] = "5m", "" // which leaves the default
	want := config.Chat{
		FirstToken: 5 * time.Minute, NextToken: 90 * time.Second, Time: 90 * time.Minute, Rounds: 3, Tokens: 6000, Answer: 700,
	}
	if got := m.mustLoad().Chat; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	m.flags["chat_time"] = "2m"
	if got := m.mustLoad().Chat.Time; got != 2*time.Minute {
		t.Errorf("with a flag: got %v", got)
	}
}

func TestLoad_EmptyVariableOverridesFiles(t *testing.T) {
	m := newMachine(t)
	m.write(m.work+"/.env", "OPENAI_API_KEY=from-the-file", 0o600)
	if got := m.mustLoad().Embedding; got.Kind != config.OpenAI || got.Key != "from-the-file" {
		t.Errorf("from the file alone: got %+v", got)
	}
	m.env["OPENAI_API_KEY"] = ""
	if got := m.mustLoad().Embedding; got.Kind != config.Auto || got.Key != "" {
		t.Errorf("with an empty variable: got %+v", got)
	}
}

func TestLoad_Provider(t *testing.T) {
	for _, c := range []struct {
		name string
		env  map[string]string
		want config.Embedding
	}{
		{"nothing", nil, config.Embedding{Kind: config.Auto}},
		{
			"a key",
			map[string]string{"OPENAI_API_KEY": "k"},
			config.Embedding{Kind: config.OpenAI, Provider: "openai", Key: "k"},
		},
		{
			"own server without a key",
			map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:11434/v1/", "LENS_EMBEDDING_MODEL": "m"},
			config.Embedding{Kind: config.OpenAI, Provider: "openai", BaseURL: "http://127.0.0.1:11434/v1", Model: "m"},
		},
		{
			"super_mind with its default server",
			map[string]string{"SUPER_MIND_API_KEY": "s"},
			config.Embedding{
				Kind: config.OpenAI, Provider: "super_mind", BaseURL: "https://space.ai-builders.com/backend/v1",
				Key: "s",
			},
		},
		{
			"super_mind on another server",
			map[string]string{"SUPER_MIND_API_KEY": "s", "SUPER_MIND_BASE_URL": "http://localhost:1/x/v1/"},
			config.Embedding{Kind: config.OpenAI, Provider: "super_mind", BaseURL: "http://localhost:1/x/v1", Key: "s"},
		},
		{
			"off despite a key",
			map[string]string{"OPENAI_API_KEY": "k", "LENS_EMBEDDING": "none"},
			config.Embedding{Kind: config.None},
		},
		{"built in", map[string]string{"LENS_EMBEDDING": "Local"}, config.Embedding{Kind: config.Local}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.env = c.env
			if got := m.mustLoad().Embedding; got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestLoad_Prefixes(t *testing.T) {
	const query, document = "LENS_EMBEDDING_QUERY_PREFIX", "LENS_EMBEDDING_DOCUMENT_PREFIX"
	set := func(text string) *string { return &text }
	for name, c := range map[string]struct {
		dotenv, yaml    string
		env             map[string]string
		query, document *string
	}{
		"unset":                    {},
		"to the byte":              {env: map[string]string{query: " query:  ", document: "\tpassage:"}, query: set(" query:  "), document: set("\tpassage:")},
		"set and empty":            {env: map[string]string{query: "", document: ""}, query: set(""), document: set("")},
		"a line feed":              {env: map[string]string{query: `Instruct: x\nQuery: `}, query: set("Instruct: x\nQuery: ")},
		"quoted in .env":           {dotenv: query + `="a\nb "` + "\n" + document + `='c\nd '`, query: set("a\nb "), document: set("c\nd ")},
		"in config.yaml":           {yaml: `embedding_query_prefix: "a\nb "` + "\n" + `embedding_document_prefix: 'c\nd '`, query: set("a\nb "), document: set("c\nd ")},
		"empty in config.yaml":     {yaml: "embedding_query_prefix:\n", query: set("")},
		"the environment is first": {yaml: "embedding_query_prefix: a", env: map[string]string{query: ""}, query: set("")},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.env = c.env
			m.write(m.work+"/.env", c.dotenv, 0o600)
			m.write(m.etc+"/config.yaml", c.yaml, 0o600)
			got := m.mustLoad().Embedding
			if !reflect.DeepEqual(got.QueryPrefix, c.query) || !reflect.DeepEqual(got.DocumentPrefix, c.document) {
				t.Errorf("got %+v", got)
			}
		})
	}
	for _, bad := range []string{strings.Repeat("x", 1001), "a\xff", "a\x00b"} {
		m := newMachine(t)
		m.env = map[string]string{document: bad}
		if _, err := m.load(); errs.CodeOf(err) != errs.Invalid || strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad[:3], err)
		}
	}
}

func TestLoad_KeyScope(t *testing.T) {
	const key, base = "OPENAI_API_KEY", "OPENAI_BASE_URL"
	for _, c := range []struct {
		name, dotenv, yaml string
		env                map[string]string
		refused            bool
		baseURL            string
	}{
		{
			name: "a server from .env for a key of the environment", env: map[string]string{key: "k"},
			dotenv: base + "=https://thief.example/v1", refused: true,
		},
		{
			name: "a server from config.yaml for a key from .env", dotenv: key + "=k",
			yaml: "openai_base_url: https://thief.example/v1", refused: true,
		},
		{
			name: "super_mind", env: map[string]string{"SUPER_MIND_API_KEY": "k"},
			dotenv:  "SUPER_MIND_BASE_URL=https://thief.example/v1",
			refused: true,
		},
		{name: "both from .env", dotenv: key + "=k\n" + base + "=http://h/v1", baseURL: "http://h/v1"},
		{
			name: "a server of higher precedence", env: map[string]string{base: "http://h/v1"}, dotenv: key + "=k",
			baseURL: "http://h/v1",
		},
		{name: "a server without a key", dotenv: base + "=http://h/v1", baseURL: "http://h/v1"},
		{
			name: "a key overridden with an empty value", env: map[string]string{key: ""}, dotenv: base + "=http://h/v1",
			baseURL: "http://h/v1",
		},
		{
			name: "a server overridden with an empty value", env: map[string]string{key: "k", base: ""},
			dotenv: base + "=https://thief.example/v1",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.env = c.env
			m.write(m.work+"/.env", c.dotenv, 0o600)
			m.write(m.data+"/config.yaml", c.yaml, 0o600)
			got, err := m.load()
			var failure *errs.Error
			if refused := errors.As(err, &failure) &&
				strings.Contains(failure.Hint, "BASE_URL where the key is set"); refused != c.refused {
				t.Fatalf("got refused = %v (%v), want %v", refused, err, c.refused)
			}
			if got.Embedding.BaseURL != c.baseURL || c.refused && got.Embedding.Key != "" {
				t.Errorf("got %+v", got.Embedding)
			}
		})
	}
}

func TestLoad_ErrorsWithoutTheValue(t *testing.T) {
	const secret = "hunter2"
	for _, c := range []struct {
		name, message string
		env, flags    map[string]string
		yaml          string
	}{
		{
			name: "another database", env: map[string]string{"LENS_DATABASE_URL": "mysql://u:" + secret + "@h/db"},
			message: "not a Postgres URL",
		},
		{name: "not a URL", flags: map[string]string{"database_url": "::" + secret}, message: "not a Postgres URL"},
		{
			name: "a base URL with a password", env: map[string]string{"OPENAI_BASE_URL": "https://u:" + secret + "@h/v1"},
			message: "openai_base_url",
		},
		{
			name: "a base URL without a host", env: map[string]string{"SUPER_MIND_BASE_URL": secret},
			message: "super_mind_base_url",
		},
		{name: "a hub without a host", env: map[string]string{"LENS_MODEL_HUB": secret}, message: "model_hub"},
		{name: "unknown embedding", env: map[string]string{"LENS_EMBEDDING": secret}, message: "unknown value of embedding"},
		{
			name: "embedding without a server", env: map[string]string{"LENS_EMBEDDING": "openai"},
			message: "no key or server",
		},
		{name: "unknown level", flags: map[string]string{"log_level": secret}, message: "unknown log level"},
		{name: "unknown security", flags: map[string]string{"security": secret}, message: "unknown security level"},
		{name: "offline neither true nor false", yaml: "offline: " + secret, message: "true or false"},
		{
			name: "a cache size that is a word", env: map[string]string{"LENS_SHARDS_CACHE": secret},
			message: "shards_cache (environment) is not a number of MB",
		},
		{name: "a cache size of 0", yaml: "shards_cache: 0", message: "is not a number of MB"},
		{
			name: "a time without a unit", env: map[string]string{"LENS_CHAT_TIME": "90"},
			message: "chat_time (environment) is not a time between 1s and 24h",
		},
		{name: "a time that is a word", flags: map[string]string{"chat_first_token": secret}, message: "chat_first_token (flag) is not"},
		{name: "no time", yaml: "chat_next_token: 0s", message: "is not a time between"},
		{name: "a day and more", yaml: "chat_time: 25h", message: "is not a time between"},
		{name: "one round", yaml: "chat_rounds: 1", message: "is not a number between 2 and 50"},
		{name: "turns in words", env: map[string]string{"LENS_CHAT_TURNS": secret}, message: "chat_turns (environment) is not a number"},
		{name: "more tokens than any investigation", yaml: "chat_tokens: 50001", message: "is not a number between 2000 and 50000"},
		{name: "unknown setting", yaml: "embeding: " + secret, message: "line 1: unknown setting"},
		{name: "not a mapping", yaml: "- " + secret, message: "line 1"},
		{
			name: "a mapping for a value", yaml: "\nembedding: {" + secret + ": 1}",
			message: "line 2: embedding must be one value",
		},
		{name: "not YAML", yaml: "{" + secret, message: "not YAML"},
		{name: "data folder that sets data_dir", yaml: "data_dir: /" + secret, message: "cannot set data_dir"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.env, m.flags = c.env, c.flags
			if c.yaml != "" {
				m.write(m.data+"/config.yaml", c.yaml, 0o600)
			}
			_, err := m.load()
			var failure *errs.Error
			if !errors.As(err, &failure) || failure.Hint == "" || failure.Code != errs.Invalid {
				t.Fatalf("got %v, want an *errs.Error with a hint", err)
			}
			if !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %q, want it to contain %q", err, c.message)
			}
			if strings.Contains(err.Error()+failure.Hint, secret) {
				t.Errorf("%q quotes the value", err)
			}
		})
	}
}

func TestLoad_SecretsInReadableFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits here")
	}
	for _, c := range []struct {
		name, file, content string
		mode                os.FileMode
		refused             bool
	}{
		{"private .env", "work/.env", "OPENAI_API_KEY=k", 0o600, false},
		{"readable .env", "work/.env", "OPENAI_API_KEY=k", 0o644, true},
		{".env readable by the group", "work/.env", "LENS_CHAT_MODEL=m", 0o640, true},
		{"another program's readable .env", "work/.env", "PORT=3000\nnot even ( well formed", 0o644, false},
		{"readable config.yaml with a key", "data/config.yaml", "openai_api_key: k", 0o644, true},
		{"readable config.yaml without a key", "data/config.yaml", "embedding: none", 0o644, false},
		{"readable general config.yaml with a key", "etc/config.yaml", "api_keys: [a, b]", 0o604, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			m.write(filepath.Join(filepath.Dir(m.work), c.file), c.content, c.mode)
			_, err := m.load()
			if refused := err != nil; refused != c.refused {
				t.Fatalf("refused = %v: %v", refused, err)
			}
			if c.refused && !strings.Contains(err.Error(), "readable by other users") {
				t.Errorf("got %q, want the reason", err)
			}
		})
	}
}

func TestLoad_BrokenDotenv(t *testing.T) {
	m := newMachine(t)
	m.write(m.work+"/.env", "OPENAI_API_KEY=\"hunter2", 0o600)
	if _, err := m.load(); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a broken line: got %v", err)
	}
	m.write(m.work+"/.env", "OPENAI_API_KEY="+strings.Repeat("x", 2<<20), 0o600)
	if _, err := m.load(); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a huge file: got %v", err)
	}
	if err := errors.Join(os.Remove(m.work+"/.env"), os.Mkdir(m.work+"/.env", 0o755)); err != nil {
		t.Fatal(err)
	}
	m.mustLoad()
}

func TestLoad_ListsLevelsFolders(t *testing.T) {
	m := newMachine(t)
	m.write(m.etc+"/config.yaml", "api_keys: [one, ' two ']\nlog_level: debug\noffline: true\nsecurity: Paranoid\ndatabase_url: ~\n", 0o600)
	t.Chdir(m.work)
	m.flags["data_dir"] = "relative"
	c := m.mustLoad()
	if len(c.APIKeys) != 2 || c.APIKeys[1] != "two" || c.LogLevel != slog.LevelDebug || !c.Offline || c.Security != config.Paranoid || c.DatabaseURL != "" {
		t.Errorf("got %+v", c)
	}
	if !filepath.IsAbs(c.DataDir) || filepath.Base(c.DataDir) != "relative" {
		t.Errorf("got data folder %q", c.DataDir)
	}
	if want := filepath.Join(m.data, "models"); c.ModelsDir != want {
		t.Errorf("got models folder %q, want %q", c.ModelsDir, want)
	}
	for _, name := range []string{".bge.partial", "tiny"} { // the folder has models of its own once one is complete
		if err := os.MkdirAll(filepath.Join(c.DataDir, "models", name), 0o700); err != nil {
			t.Fatal(err)
		}
		own := m.mustLoad().ModelsDir == filepath.Join(c.DataDir, "models")
		if own != (name == "tiny") {
			t.Errorf("with %s: own models %v", name, own)
		}
	}
	if err := os.RemoveAll(c.DataDir); err != nil {
		t.Fatal(err)
	}
	m.env["LENS_MODELS_DIR"] = "elsewhere"
	if got := m.mustLoad().ModelsDir; !filepath.IsAbs(got) || filepath.Base(got) != "elsewhere" {
		t.Errorf("got models folder %q", got)
	}
	delete(m.flags, "data_dir")
	m.write(m.etc+"/config.yaml", "data_dir: ~/chats", 0o644)
	home, _ := os.UserHomeDir()
	if got := m.mustLoad().DataDir; got != filepath.Join(home, "chats") {
		t.Errorf("got data folder %q", got)
	}
}

func TestSecrets(t *testing.T) {
	m := newMachine(t)
	m.env = map[string]string{"OPENAI_API_KEY": "k", "LENS_API_KEYS": "a,b", "LENS_DATABASE_URL": "postgres://u:p@h/d"}
	if got := fmt.Sprint(m.mustLoad().Secrets()); got != "[postgres://u:p@h/d k k a b p p]" {
		t.Error(got)
	}
}

func TestSecrets_DatabasePasswords(t *testing.T) {
	for address, want := range map[string][]string{
		"postgres://h/d":                          nil,
		"postgres://u@h/d?sslmode=disable":        nil,
		"postgres://h:p%40q:r@h:1,i:2/d":          {"p%40q:r", "p@q:r"},
		"postgresql:///d?user=u&password=p%20q":   {"p%20q", "p q"},
		"postgres://u:a@h/?sslpassword=b&x=c#d@e": {"a", "a", "b", "b"},
	} {
		c := config.Config{DatabaseURL: address}
		if got := c.Secrets(); got[0] != address || !slices.Equal(got[1:], want) {
			t.Errorf("%s: got %q, want %q", address, got[1:], want)
		}
	}
}

func ExampleLoad() {
	c, err := config.Load(config.Options{
		Flags:     map[string]string{"embedding": "none"},
		LookupEnv: func(string) (string, bool) { return "", false },
		Dir:       "nowhere", ConfigDir: "nowhere", DataDir: "/var/lib/lens",
	})
	fmt.Println(c.DataDir, c.Embedding.Kind, c.Origin("embedding"), err)
	// Output: /var/lib/lens none flag <nil>
}
