// Package config gathers the settings of a run: from flags, the environment, a .env file and config.yaml.
//
// The rules are:
//
//   - The first place that sets something wins: flags, environment, .env in the working folder, config.yaml in the data
//     folder, config.yaml in the configuration folder. A variable that is set to the empty string counts as set: it
//     overrides the files.
//   - Secrets come from the environment or a file, never from a flag. A file that holds one is refused if other users
//     can read it.
//   - A key is never sent to a server that a place of lower precedence than the key's has chosen: Load refuses.
//   - A wrong setting is an invalid error with a hint, returned before anything is opened. No error quotes a value,
//     since it might be a secret.
//
// The package imports nothing else of this module.
package config

import (
	"cmp"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// Config holds the settings of a run. Get it from Load; the zero value names no archive.
type Config struct {
	DataDir     string // absolute; holds logs, caches, and the archive unless DatabaseURL is set
	ModelsDir   string // absolute; holds the built-in models, shared by archives that have none of their own
	ModelHub    string // a mirror of the built-in models; "": where they are published
	ShardsCache int64  // bytes that shards of an index in S3 may take in DataDir; 0: 4 GiB
	DatabaseURL string // postgres://…; "": SQLite in DataDir. May hold a password
	Offline     bool   // dial nothing but loopback
	Security    string // of offline searches that name no level: Standard, Strict or Paranoid
	LogLevel    slog.Level
	Embedding   Embedding
	Chat        Chat
	APIKeys     []string // that the headless server accepts

	origins map[string]string // setting → the place that set it
}

// Embedding says what computes vectors.
type Embedding struct {
	Kind     Kind
	Provider string // names the generation: "openai", "super_mind"
	BaseURL  string // "": OpenAI's
	Key      string // "": none is sent
	Model    string // "": the provider's default, or the first built-in model that is installed

	// What a server's or an unverified model gets before queries and before texts, to the byte; nil: what its name tells.
	QueryPrefix, DocumentPrefix *string
}

// OpenAIURL is the base URL of a server if none is set.
const OpenAIURL = "https://api.openai.com/v1"

// URL returns the base URL of the server.
func (e Embedding) URL() string { return cmp.Or(e.BaseURL, OpenAIURL) }

// Kind is a way to get vectors.
type Kind string

// Unless it is set, Kind is OpenAI if there is a key or a base URL, else Auto.
const (
	Auto   Kind = ""       // a built-in model if one is installed, else keyword search
	OpenAI Kind = "openai" // any server that speaks OpenAI's API
	Local  Kind = "local"  // a built-in model, which must be installed
	None   Kind = "none"   // keyword search only
)

// Levels of security, as retrieval/offline has them.
const (
	Standard = "standard"
	Strict   = "strict"
	Paranoid = "paranoid" // Lens does not look for sources on this machine either
)

// Options says where Load looks. The zero value means the usual places.
type Options struct {
	Flags     map[string]string           // by the keys of config.yaml: only flags that were given
	LookupEnv func(string) (string, bool) // nil: os.LookupEnv
	Dir       string                      // holds .env; "": the working folder
	ConfigDir string                      // holds the general config.yaml; "": lens/ in the XDG folder
	DataDir   string                      // the data folder unless a setting names one; "": lens/ in the XDG folder
	OwnModels bool                        // a model is to be put in the data folder that a flag names
}

// file returns the path of a file in the configuration folder.
func (opts Options) file(name string) string {
	return filepath.Join(cmp.Or(opts.ConfigDir, filepath.Join(xdg.ConfigHome, "lens")), name)
}

// Load reads all places and checks their settings. Its errors are *errs.Error.
func Load(opts Options) (Config, error) {
	if opts.LookupEnv == nil {
		opts.LookupEnv = os.LookupEnv
	}
	all, err := readLayers(opts)
	if err != nil {
		return Config{}, err
	}
	return resolve(all, opts)
}

// Origin returns the place that set a setting, by its key in config.yaml: "flag", "environment", a file, or "default".
func (c Config) Origin(key string) string { return cmp.Or(c.origins[key], "default") }

// KeywordsPath returns the path of the offline retriever's synonyms: keywords.yaml in the configuration folder. Package
// retrieval/offline reads and checks the file.
func KeywordsPath(opts Options) string { return opts.file("keywords.yaml") }
