package httpapi

import (
	"strings"
	"testing"
)

func TestChat_LogsTurnsWithoutText(t *testing.T) {
	for path, body := range map[string]string{"/chat": `{"messages":[{"role":"user","content":"When did I bake?"}]}`, completionsPath: asked} {
		s := start(t, asksModel(baking("Let me look.")))
		got := s.ask("POST", path, body)
		var lines []string
		for line := range strings.Lines(s.log.String()) {
			if strings.Contains(line, "investigation answered") {
				lines = append(lines, line)
			}
		}
		if len(lines) != 1 || !strings.Contains(lines[0], `"hydrated":["`+breadID+`"]`) || !strings.Contains(lines[0], `"trace":"`+got.header.Get("X-Request-Id")+`"`) {
			t.Errorf("%s: logged %q", path, lines)
		}
		for _, text := range []string{"bake", "Bread", "Rye", "flour", "look"} {
			if strings.Contains(s.log.String(), text) {
				t.Errorf("%s: %q is logged: %s", path, text, s.log)
			}
		}
	}
}
