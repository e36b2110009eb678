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
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, false, fmt.Errorf("not YAML") // without the cause: it quotes the file
	}
	values = map[string]string{}
	if len(document.Content) == 0 || isNull(document.Content[0]) {
		return values, false, nil
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, false, fmt.Errorf("line %d: expected KEY: VALUE, such as embedding: none", root.Line)
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, node := root.Content[i], root.Content[i+1]
		s, known := settingByKey(name.Value)
		if !known {
			return nil, false, fmt.Errorf("line %d: unknown setting", name.Line)
		}
		value, ok := scalarValue(node)
		if !ok {
			return nil, false, fmt.Errorf("line %d: %s must be one value", node.Line, s.key)
		}
		values[s.key] = value
		secret = secret || s.secret && value != ""
	}
	return values, secret, nil
}

func scalarValue(node *yaml.Node) (string, bool) {
	switch node.Kind {
	case yaml.ScalarNode:
		if isNull(node) {
			return "", true
		}
		return node.Value, true
	case yaml.SequenceNode:
		values := make([]string, len(node.Content))
		for i, item := range node.Content {
			if item.Kind != yaml.ScalarNode {
				return "", false
			}
			values[i] = item.Value
		}
		return strings.Join(values, ","), true
	}
	return "", false
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
