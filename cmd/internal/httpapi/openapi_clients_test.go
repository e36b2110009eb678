package httpapi

import (
	"encoding/json"
	"strings"
	"testing"

	"lens/internal/npmtest"
)

func TestOpenAPI_Redocly(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	out := npmtest.Run(t, "openapi-lint.mjs", []string{"@redocly/cli@2.3.0"}, []string{"OPENAPI_URL=" + s.url + "/openapi.json"})
	var problems []string
	if err := json.Unmarshal(out, &problems); err != nil || len(problems) > 0 {
		t.Errorf("%v:\n%s", err, strings.Join(problems, "\n"))
	}
}

func TestOpenAPI_GeneratedClient(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	packages := []string{"openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@22.10.0"}
	out := npmtest.Run(t, "openapi-client.mjs", packages, []string{"LENS_URL=" + s.url})
	var got struct {
		Total, Read, Compared int
		Same                  bool
		Missing               []string
		Code, Hint, Model     string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Total == 0 || !got.Same || got.Read != 1 || strings.Join(got.Missing, " ") != "ffffffff" || got.Compared != 2 {
		t.Errorf("got %+v", got)
	}
	if got.Code != codeInvalid || got.Model != "lens" {
		t.Errorf("got %+v", got)
	}
}
