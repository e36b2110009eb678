package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"lens/internal/config"
)

// settings is what the function is told:
//
//	LENS_SHARDS            where the index is: s3://bucket/prefix, or a folder such as that of a mounted file system
//	LENS_API_KEYS          keys that are let in by Authorization: Bearer, for a gateway that lets everybody in
//	LENS_MODELS_DIR        folder of built-in models; by default models/ in the function's package, or else in a layer
//	LENS_EMBEDDING, LENS_EMBEDDING_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL   which model embeds queries, where that is not the built-in
//	                       one of the index, as for lens
//	LENS_DATA_DIR          folder in which shards/ keeps what was fetched; by default lens/ in the temporary one
//	LENS_SHARDS_CACHE      MB that it may take, which should be no more than the function's storage; by default 4096
//
// and what the AWS SDK takes from its own variables.
type settings struct {
	config.Config
	shards string
}

func load() (s settings, err error) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") == "" {
		return s, &config.Error{Message: "this program runs on AWS Lambda alone", Hint: "lens serve --shards answers the same requests anywhere"}
	}
	if s.shards = os.Getenv("LENS_SHARDS"); s.shards == "" {
		return s, &config.Error{Message: "LENS_SHARDS does not say where the index is", Hint: "set it to s3://bucket/prefix, where lens shard publish has put it"}
	}
	if s.Config, err = config.Load(config.Options{LookupEnv: lookup, DataDir: filepath.Join(os.TempDir(), "lens")}); err != nil {
		return s, err
	}
	for _, key := range s.APIKeys {
		if len(key) < leastKey {
			return s, &config.Error{Message: fmt.Sprintf("a key of LENS_API_KEYS is shorter than %d characters", leastKey), Hint: "use, for instance, the output of: openssl rand -hex 32"}
		}
	}
	return s, nil
}

// leastKey is how many characters a key must have: shorter ones are guessed.
const leastKey = 16

// lookup is the environment, where models lie by default included.
func lookup(name string) (string, bool) {
	value, said := os.LookupEnv(name)
	if name == "LENS_MODELS_DIR" && !said {
		return modelsDir(), true
	}
	return value, said
}

// layers is where Lambda puts the layers of a function.
const layers = "/opt"

func modelsDir() string {
	packaged := filepath.Join(cmp.Or(os.Getenv("LAMBDA_TASK_ROOT"), "."), "models")
	if _, err := os.Stat(packaged); err == nil {
		return packaged
	}
	return filepath.Join(layers, "models")
}
