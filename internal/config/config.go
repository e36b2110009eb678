// Package config gathers what a run of Lens was told: by flags, by the environment, by a .env file and by config.yaml.
//
// The rules are:
//
//   - The first place that says something wins: flags, environment, .env in the working folder, config.yaml in the data folder,
//     config.yaml in the configuration folder. A variable that is set to nothing says nothing, loudly: it silences the files.
//   - Secrets come by environment or file, never by flag, and a file that holds one is refused when others can read it.
//   - A key goes to no server that a place below the key's own has chosen: that is refused.
//   - What does not fit is an *Error with a next step, before anything is opened. No error quotes a value, which might be a secret.
//
// It imports nothing of ours.
package config

import (
	"cmp"
	"log/slog"
	"os"
)

// Config is what a run was told. Its zero value is no archive: it comes from Load.
type Config struct {
	DataDir     string // absolute; holds the archive unless DatabaseURL says otherwise, logs and caches
	ModelsDir   string // absolute; holds the built-in models, of all archives
	ModelHub    string // where built-in models are pulled from; "": where they are published
	ShardsCache int64  // bytes that shards of an index in S3 may take in DataDir; 0: 4 GiB
	DatabaseURL string // postgres://…; "": SQLite in DataDir. May hold a password
	Offline     bool   // nothing but loopback is ever dialled
	LogLevel    slog.Level
	Embedding   Embedding
	Chat        Chat
	APIKeys     []string // that the headless server accepts

	origins map[string]string // setting → the place that said it
}

// Embedding says who makes vectors.
type Embedding struct {
	Kind     Kind
	Provider string // names the generation: "openai", "super_mind"
	BaseURL  string // "": OpenAI's
	Key      string // "": none is sent
	Model    string // "": the provider's default, or the first built-in model that is there
}

// Kind is a way to get vectors.
type Kind string

// Unless it is said, Kind is OpenAI when there is a key or a base URL, else Auto.
const (
	Auto   Kind = ""       // a built-in model that is there, else keyword search
	OpenAI Kind = "openai" // any server that speaks OpenAI's API
	Local  Kind = "local"  // a built-in model, which must be there
	None   Kind = "none"   // keyword search only
)

// Chat says which model talks.
type Chat struct {
	Provider string
	BaseURL  string
	Key      string
	Model    string
}

// Options says where Load looks. The zero value looks where a person expects it to.
type Options struct {
	Flags     map[string]string           // by the keys of config.yaml: only flags that were given
	LookupEnv func(string) (string, bool) // nil: os.LookupEnv
	Dir       string                      // where .env is looked for; "": the working folder
	ConfigDir string                      // where config.yaml is looked for besides the data folder; "": lens/ in the XDG folder
	DataDir   string                      // the data folder unless something else is said; "": lens/ in the XDG folder
}

// Load reads all places and checks what they say. Its errors are *Error.
func Load(opts Options) (Config, error) {
	if opts.LookupEnv == nil {
		opts.LookupEnv = os.LookupEnv
	}
	layers, err := gather(opts)
	if err != nil {
		return Config{}, err
	}
	return resolve(layers, opts)
}

// Origin says which place set a setting, by its key in config.yaml: "flag", "environment", a file, or "default".
func (c Config) Origin(key string) string { return cmp.Or(c.origins[key], "default") }
