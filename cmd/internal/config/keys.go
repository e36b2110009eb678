package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"
)

// LoadKeys reads keys.yaml in the configuration folder, which maps commands of the explorer to the keys that replace
// their defaults. If there is no file, it returns nil.
//
//	next-theme: ctrl+t
//	histogram.look-into: [enter, space]
//
// Its errors are invalid.
func LoadKeys(opts Options) (map[string][]string, error) {
	path := opts.file("keys.yaml")
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		var keys map[string][]string
		if keys, err = parseKeys(content); err == nil {
			return keys, nil
		}
	}
	return nil, wrong(
		path+": "+err.Error(),
		"write lines like next-theme: ctrl+t; lens help keys lists the commands and their keys", nil,
	)
}

// parseKeys reads a mapping from command names to one key or a list of keys. A scalar may hold several keys, separated
// by blanks.
func parseKeys(content []byte) (map[string][]string, error) {
	entries, err := parseMapping(content, "a command and its keys")
	if err != nil {
		return nil, err
	}
	keys := make(map[string][]string, len(entries))
	for _, e := range entries {
		keys[e.name] = []string{}
		for _, key := range e.values {
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: expected a key or a list of keys", key.Line)
			}
			if !isNull(key) {
				keys[e.name] = append(keys[e.name], strings.Fields(key.Value)...)
			}
		}
	}
	return keys, nil
}
