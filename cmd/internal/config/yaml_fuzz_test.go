package config

import (
	"strings"
	"testing"
)

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{
		"", "embedding: none", "api_keys: [a, b]", "- 1", "a: &x [*x]", "database_url: ~", "{", "embedding: {a: b}",
		"? [1]\n: 2",
		"log_level: !!binary aGk=", "\x00", "embedding: none\nembedding: local",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		values, secret, err := parseYAML(content)
		if err != nil && (values != nil || secret) {
			t.Error("got values with an error")
		}
		for key := range values {
			if _, known := settingByKey(key); !known {
				t.Errorf("unknown setting %q", key)
			}
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Error("an error quotes a value")
		}
	})
}
