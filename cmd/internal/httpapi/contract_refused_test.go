package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
)

// refused sends invalid requests to every route.
func (a *audit) refused() {
	plain := start(a.t, func(o *Options) { o.Investigate, o.Sessions = asking(words("no")), knownChats() })
	locked := start(a.t, func(o *Options) { o.Keys = []string{"a key that is long enough"} })
	for path, methods := range a.contract.Paths {
		for method, op := range methods {
			query, body := required(op.Parameters), bodyOf(method, path)
			a.expect(plain, method, path, query, body, 421, codeWrongHost, "Host", "rebound.example")
			a.expect(plain, method, path, query, body, 403, codeForbidden, "Sec-Fetch-Site", "cross-site")
			a.expect(plain, method, path, query, body, 403, codeForbidden, "Origin", "http://rebound.example")
			if op.Security == nil {
				a.expect(locked, method, path, query, body, 401, codeUnauthorized)
			}
			once := start(a.t, func(o *Options) { o.Rate = 1e-9 })
			once.ask("GET", "/healthz", "")
			limited := a.expect(once, method, path, query, body, 429, codeRateLimited)
			if limited.header.Get("Retry-After") == "" {
				a.t.Errorf("%s %s: no Retry-After", method, path)
			}
			a.badQueries(plain, method, path, op.Parameters, body)
			if op.Body != nil {
				a.badBodies(plain, method, path)
			}
		}
	}
	a.expect(plain, "get", "/retrieval/turn/{turn_id}", "", "", 404, codeNotFound)
	if got := plain.ask("GET", "/v1/models/gpt-5", ""); got.status == 404 && got.code() == codeNotFound {
		a.seen["get /v1/models/{model} 404 NOT_FOUND"] = true
		a.check("another model", got, a.contract.Paths["/v1/models/{model}"]["get"].Responses["404"].Content)
	}
	a.expect(plain, "get", "/retrieval/peek", "?query="+strings.Repeat("bread+", 1600), "", 413, codeTooLarge)
	for _, id := range []string{"/sessions/" + uuid.Nil.String()} {
		for method, body := range map[string]string{"GET": "", "PATCH": `{"pinned":true}`, "DELETE": ""} {
			got := plain.ask(method, id, body)
			a.seen[strings.ToLower(method)+" /sessions/{id} 404 NOT_FOUND"] = got.status == 404 && got.code() == codeNotFound
		}
	}
	a.expect(plain, "post", "/chat", "", `{"session_id":"`+uuid.Nil.String()+`","messages":[{"role":"user","content":"when?"}]}`, 404, codeNotFound)
}

// wrong lists values that a schema does not allow, for each kind of parameter.
func wrong(schema *jsonschema.Schema) []string {
	switch {
	case schema.Type == "integer":
		least, most := int(*schema.Minimum), int(*schema.Maximum)
		return []string{
			"", "x", "1.5", "1e2", "+1", "01", " 1", "１", "0x1", "-1", "99999999999999999999999999", strconv.Itoa(least - 1), strconv.Itoa(most + 1), "null",
		}
	case schema.Type == "boolean":
		return []string{"", "1", "TRUE", "nil"}
	case schema.Enum != nil:
		return []string{"", "AUTO", "x", "auto "}
	case schema.Format == "uuid":
		return []string{"", "x", "123", uuid.Nil.String(), "{" + knownSession + "}", "urn:uuid:" + knownSession, strings.ReplaceAll(knownSession, "-", ""), strings.Repeat("f", 10_000)}
	case schema.Type == "number":
		return []string{"", "x", "-0.1", "1.01", "NaN", "Inf", "0x1p-2", "1_0", "null"}
	case len(schema.Examples) > 0: // times
		return []string{"", "x", "2024-13", "2024-02-30", "99999999999", "2024..2023", "NaN", strings.Repeat("9", 5000)}
	case schema.Items != nil && schema.Items.Enum != nil:
		return []string{"", "x", "CLAUDE", "claude,x", "claude " + "x", "claude;chatgpt"}
	case schema.MinLength != nil:
		return []string{""}
	}
	return nil
}

func (a *audit) badQueries(s *service, method, path string, parameters []openAPIParameter, body string) {
	a.t.Helper()
	base := required(parameters)
	and := "?"
	if base != "" {
		and = base + "&"
	}
	bad := []string{and + "nonsense=1", and + "Query=x", and + "provider=x", and + "%71%75%65%72%7a=1", and + "%ff=1", and + "%zz=1", and + strings.Repeat("&a=1", 100)}
	if path != "/retrieve" { // which takes filters of any name
		bad = append(bad, and+"filter.x=1")
	}
	for _, p := range parameters {
		if p.In != "query" {
			continue
		}
		if p.Schema.Items == nil {
			bad = append(bad, and+p.Name+"=1&"+p.Name+"=1")
		}
		bad = append(bad, and+p.Name+"=%ff", and+p.Name+"=%c3%28", and+p.Name+"=%", and+strings.ToUpper(p.Name)+"=1")
		for _, value := range wrong(p.Schema) {
			if isFilter(p.Name) && value != strings.TrimSpace(value) {
				continue // blanks around the value of a filter do not count
			}
			bad = append(bad, and+p.Name+"="+url.QueryEscape(value))
		}
		if p.Required {
			bad = append(bad, "", "?"+p.Name+"=", "?"+p.Name+"=+")
		}
	}
	for _, query := range bad {
		a.expect(s, method, path, query, body, 400, codeInvalid)
	}
}

func (a *audit) badBodies(s *service, method, path string) {
	a.t.Helper()
	good := bodies[path]
	deep := strings.Repeat(`{"a":`, 100_000)
	if unknown := strings.Replace(good, "{", `{"unknown":1,`, 1); speaksOpenAI(path) {
		a.expect(s, method, path, "", unknown, 200, "")
	} else {
		a.expect(s, method, path, "", unknown, 400, codeInvalid)
	}
	for _, body := range []string{
		`x`, `null x`, `[]`, `"x"`, `1`, good + `{}`, strings.Replace(good, `"`, "\"\xff", 1), deep, `{"name":1,"messages":1,"pinned":1}`,
		strings.TrimSuffix(good, "}"), good[:len(good)-1] + "," + good[1:],
	} {
		a.expect(s, method, path, "", body, 400, codeInvalid)
	}
	a.expect(s, method, path, "", good, 400, codeInvalid, "Content-Type", "text/plain")
	a.incompleteBodies(s, method, path)
	a.expect(s, method, path, "", good+strings.Repeat(" ", maxBody), 413, codeTooLarge)
}

func TestPeek_InvalidBin(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{"/retrieval/peek?query=a&bin=fortnight", "/retrieval/activity?bin=0d"} {
		got := s.ask("GET", path, "")
		if got.status != http.StatusBadRequest || got.code() != codeInvalid ||
			!strings.Contains(string(got.body), "bin is not a bin width") {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}

// incompleteBodies sends a body without each member that its schema requires, or with null in its place.
func (a *audit) incompleteBodies(s *service, method, path string) {
	a.t.Helper()
	name := strings.TrimPrefix(a.contract.Paths[path][method].Body.Content[kindJSON].Schema["$ref"], "#/components/schemas/")
	var send func(schema *jsonschema.Schema, value any, whole func(any) any)
	send = func(schema *jsonschema.Schema, value any, whole func(any) any) {
		switch value := value.(type) {
		case map[string]any:
			for _, member := range schema.Required {
				less := maps.Clone(value)
				if delete(less, member); value[member] == nil && !slices.Contains(schema.Properties[member].Types, "null") {
					a.t.Errorf("%s: the body of the test has no %s", path, member)
				}
				a.expect(s, method, path, "", mustEncode(a.t, whole(less)), 400, codeInvalid)
				if less[member] = nil; !slices.Contains(schema.Properties[member].Types, "null") {
					a.expect(s, method, path, "", mustEncode(a.t, whole(less)), 400, codeInvalid)
				}
			}
			for member, below := range value {
				send(schema.Properties[member], below, func(part any) any {
					changed := maps.Clone(value)
					changed[member] = part
					return whole(changed)
				})
			}
		case []any:
			for _, item := range value {
				send(schema.Items, item, func(part any) any { return whole([]any{part}) })
			}
		}
	}
	var value any
	if err := json.Unmarshal([]byte(bodies[path]), &value); err != nil {
		a.t.Fatal(err)
	}
	send(a.contract.Components.Schemas[name], value, func(part any) any { return part })
}

func mustEncode(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
