package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML reads the config.yaml at path. A missing file is an empty layer.
func readYAML(path string) (layer, error) {
	content, readableByOthers, err := readSettings(path)
	if err != nil {
		return layer{}, err
	}
	values, secret, err := parseYAML(content)
	if err != nil {
		return layer{}, wrong(path+": "+err.Error(), "correct config.yaml; the settings are "+settingNames(), nil)
	}
	if secret && readableByOthers {
		return layer{}, readableByOthersError(path)
	}
	return layer{path, values}, nil
}

// parseYAML reads a mapping from settings to scalars or lists of scalars, which it joins by commas. secret reports
// whether one of the settings is a secret. Errors name lines and keys, never values.
func parseYAML(content []byte) (values map[string]string, secret bool, err error) {
	entries, err := parseMapping(content, "KEY: VALUE, such as embedding: none")
	if err != nil {
		return nil, false, err
	}
	values = make(map[string]string, len(entries))
	for _, e := range entries {
		s, known := settingByKey(e.name)
		if !known {
			return nil, false, fmt.Errorf("line %d: unknown setting", e.line)
		}
		var items []string
		for _, item := range e.values {
			if item.Kind != yaml.ScalarNode {
				return nil, false, fmt.Errorf("line %d: %s must be one value", item.Line, s.key)
			}
			if !isNull(item) {
				items = append(items, item.Value)
			}
		}
		values[s.key] = strings.Join(items, ",")
		secret = secret || s.secret && values[s.key] != ""
	}
	return values, secret, nil
}

// entry is a line of a mapping, whose values are one node or those of a list.
type entry struct {
	name   string
	line   int
	values []*yaml.Node
}

// parseMapping reads a YAML mapping; errors say that it expects want.
func parseMapping(content []byte, want string) ([]entry, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("not YAML") // without the cause: it quotes the file
	}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return nil, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: expected %s", root.Line, want)
	}
	var entries []entry
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, node := root.Content[i], root.Content[i+1]
		e := entry{name.Value, name.Line, []*yaml.Node{node}}
		if node.Kind == yaml.SequenceNode {
			e.values = node.Content
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Tag == "!!null" }

// settingNames returns the keys of all settings, sorted.
func settingNames() string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.key
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
