package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
	"go.yaml.in/yaml/v3"
)

// LoadKeys reads keys.yaml in the configuration folder, which maps commands of the explorer to the keys that replace
// their defaults. If there is no file, it returns nil.
//
//	next-theme: ctrl+t
//	histogram.zoom: [enter, space]
//
// Its errors are invalid.
func LoadKeys(opts Options) (map[string][]string, error) {
	path := filepath.Join(cmp.Or(opts.ConfigDir, filepath.Join(xdg.ConfigHome, "lens")), "keys.yaml")
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
		"write lines like next-theme: ctrl+t; the explorer's palette (:) lists commands and keys", nil,
	)
}

// parseKeys reads a mapping from command names to one key or a list of keys. A scalar may hold several keys, separated
// by blanks.
func parseKeys(content []byte) (map[string][]string, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("not YAML")
	}
	keys := map[string][]string{}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return keys, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: expected a command and its keys", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, node := root.Content[i], root.Content[i+1]
		nodes := []*yaml.Node{node}
		if node.Kind == yaml.SequenceNode {
			nodes = node.Content
		}
		keys[name.Value] = []string{}
		for _, key := range nodes {
			if key.Kind != yaml.ScalarNode {
				return nil, fmt.Errorf("line %d: expected a key or a list of keys", key.Line)
			}
			if !isNull(key) {
				keys[name.Value] = append(keys[name.Value], strings.Fields(key.Value)...)
			}
		}
	}
	return keys, nil
}
