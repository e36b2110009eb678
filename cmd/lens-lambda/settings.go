package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"lens/cmd/internal/config"
	"lens/internal/errs"
)

// settings come from environment variables:
//
//	LENS_SHARDS        location of the index: s3://bucket/prefix, or a folder, for instance of a mounted file system
//	LENS_API_KEYS      keys that clients send as Authorization: Bearer, for a gateway that does not authorize them
//	LENS_MODELS_DIR    folder of built-in models (default: models/ in the function's package, else in a layer)
//	LENS_DATA_DIR      folder whose shards/ caches downloads (default: lens/ in the folder for temporary files)
//	LENS_SHARDS_CACHE  limit of that cache in MB, at most the function's storage (default: 4096)
//
//	LENS_EMBEDDING, LENS_EMBEDDING_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL
//	                   the model that embeds queries, as for lens (default: the built-in one of the index)
//
// The AWS SDK reads variables of its own.
type settings struct {
	config.Config
	shards string
}

func load() (s settings, err error) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") == "" {
		return s, &errs.Error{
			Code: errs.Invalid, Op: "config",
			Message: "this program runs only on AWS Lambda",
			Hint:    "use lens serve --shards to answer the same requests elsewhere",
		}
	}
	if s.shards = os.Getenv("LENS_SHARDS"); s.shards == "" {
		return s, &errs.Error{
			Code: errs.Invalid, Op: "config",
			Message: "LENS_SHARDS is not set",
			Hint:    "set it to the destination of lens shard publish, such as s3://bucket/prefix",
		}
	}
	dataDir := filepath.Join(os.TempDir(), "lens")
	if s.Config, err = config.Load(config.Options{LookupEnv: lookupEnv, DataDir: dataDir}); err != nil {
		return s, err
	}
	for _, key := range s.APIKeys {
		if len(key) < minKeyLength {
			return s, &errs.Error{
				Code: errs.Invalid, Op: "config",
				Message: fmt.Sprintf("a key of LENS_API_KEYS is shorter than %d characters", minKeyLength),
				Hint:    "use, for example, the output of: openssl rand -hex 32",
			}
		}
	}
	return s, nil
}

// minKeyLength is the minimum length of an API key: shorter keys can be guessed.
const minKeyLength = 16

// lookupEnv is os.LookupEnv with a default for LENS_MODELS_DIR.
func lookupEnv(name string) (string, bool) {
	value, ok := os.LookupEnv(name)
	if name == "LENS_MODELS_DIR" && !ok {
		return modelsDir(), true
	}
	return value, ok
}

// layers is the folder in which Lambda mounts the layers of a function.
const layers = "/opt"

func modelsDir() string {
	packaged := filepath.Join(cmp.Or(os.Getenv("LAMBDA_TASK_ROOT"), "."), "models")
	if _, err := os.Stat(packaged); err == nil {
		return packaged
	}
	return filepath.Join(layers, "models")
}
