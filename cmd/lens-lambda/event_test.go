package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// seen is a request as the server behind the gateway sees it.
type seen struct {
	method, path, query, body, from, header string
	authorized                              bool
}

// see passes a payload to a function and returns the request that its handler sees.
func see(t testing.TB, payload []byte, reply func(w http.ResponseWriter)) (got seen, answered []byte, err error) {
	f := &function{key: "the-key", log: slog.New(slog.DiscardHandler), stopping: t.Context()}
	f.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = seen{r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.RemoteAddr, strings.Join(r.Header.Values("X-Mine"), "|"), r.Header.Get("Authorization") == "Bearer the-key"}
		if r.Host != "localhost" || r.URL.String() == "" {
			t.Errorf("%s at %q", r.URL, r.Host)
		}
		if reply != nil {
			reply(w)
		}
	})
	answered, err = f.Invoke(context.Background(), payload)
	return got, answered, err
}

func TestEvent_EveryPayload(t *testing.T) {
	for name, c := range map[string]struct {
		payload string
		want    seen
	}{
		"of a REST API": {
			`{"resource":"/retrieve","path":"/base/retrieve","httpMethod":"GET","headers":{"x-mine":"b"},"multiValueHeaders":{"x-mine":["a","b"]},
			 "queryStringParameters":{"q":"b"},"multiValueQueryStringParameters":{"q":["ä&b","c"]},"requestContext":{"stage":"prod","path":"/prod/retrieve","identity":{"sourceIp":"2001:db8::1","apiKeyId":"x"}},"body":null,"isBase64Encoded":false}`,
			seen{"GET", "/retrieve", "q=%C3%A4%26b&q=c", "", "[2001:db8::1]:0", "a|b", true},
		},
		"of one that hands everything on": {
			`{"resource":"/{proxy+}","path":"/base/v1/retrieve","httpMethod":"POST","pathParameters":{"proxy":"v1/retrieve"},"queryStringParameters":{"q":"b"},"body":"aMOkbGxv","isBase64Encoded":true,"requestContext":{"authorizer":{"principalId":"x"}}}`,
			seen{"POST", "/v1/retrieve", "q=b", "hällo", ":0", "", true},
		},
		"1.0 of an HTTP API": {
			`{"version":"1.0","resource":"$default","path":"/retrieve","httpMethod":"GET","headers":{"X-Mine":"a"},"requestContext":{"authorizer":{"claims":null,"scopes":null},"identity":{"sourceIp":"192.0.2.1"}}}`,
			seen{"GET", "/retrieve", "", "", "192.0.2.1:0", "a", false},
		},
		"2.0 with a stage": {
			`{"version":"2.0","routeKey":"$default","rawPath":"/prod/retrieve","rawQueryString":"q=a%20b&q=c&x","headers":{"x-mine":"a,b"},"requestContext":{"stage":"prod","http":{"method":"GET","sourceIp":"192.0.2.1"},"authorizer":{"jwt":{"claims":{"sub":"x"}}}}}`,
			seen{"GET", "/retrieve", "q=a%20b&q=c&x", "", "192.0.2.1:0", "a,b", true},
		},
		"2.0 with a route": {
			`{"version":"2.0","routeKey":"ANY /{proxy+}","rawPath":"/key/retrieve","pathParameters":{"proxy":"retrieve"},"requestContext":{"stage":"$default","http":{"method":"GET"}},"body":"x"}`,
			seen{"GET", "/retrieve", "", "x", ":0", "", false},
		},
		"2.0 of a stage that is called like the route": {
			`{"version":"2.0","routeKey":"$default","rawPath":"/retrieve/retrieve","requestContext":{"stage":"retrieve","http":{"method":"GET"}}}`,
			seen{"GET", "/retrieve", "", "", ":0", "", false},
		},
		"2.0 of a stage whose name only begins like the route": {
			`{"version":"2.0","routeKey":"$default","rawPath":"/retrieve","requestContext":{"stage":"re","http":{"method":"GET"},"authorizer":{"lambda":{"x":null}}}}`,
			seen{"GET", "/retrieve", "", "", ":0", "", false},
		},
	} {
		if got, _, err := see(t, []byte(c.payload), nil); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, c.want)
		}
	}
	for _, payload := range []string{``, `[]`, `null`, `{}`, `{"version":2}`, `{"version":"2.0"}`, `{"httpMethod":"GET"}`, `{"httpMethod":"GET","path":"retrieve"}`, `{"httpMethod":{},"path":"/"}`, `{"Records":[]}`} {
		if got, _, err := see(t, []byte(payload), nil); err != errNotGatewayRequest {
			t.Errorf("%s: %v, %+v", payload, err, got)
		}
	}
}

func TestResponse_BinaryOrTooLarge(t *testing.T) {
	const payload = `{"version":"2.0","rawPath":"/","requestContext":{"http":{"method":"GET"}}}`
	answer := func(body []byte) (r reply) {
		_, text, err := see(t, []byte(payload), func(w http.ResponseWriter) {
			w.Header().Add("X-Mine", "a")
			w.Header().Add("X-Mine", "b")
			_, _ = w.Write(body)
		})
		must(t, err)
		must(t, json.Unmarshal(text, &r))
		return r
	}
	if r := answer([]byte{0xFF, 0}); !r.IsBase64Encoded || r.Body != base64.StdEncoding.EncodeToString([]byte{0xFF, 0}) || r.StatusCode != 200 || r.Headers["X-Mine"] != "a, b" {
		t.Errorf("got %+v", r)
	}
	if r := answer([]byte("<ä>")); r.IsBase64Encoded || r.Body != "<ä>" {
		t.Errorf("got %+v", r)
	}
	if r := answer(bytes.Repeat([]byte("x"), maxResponse)); r.StatusCode != 413 || !strings.Contains(r.Body, "TOO_LARGE") {
		t.Errorf("got %d, %.100s", r.StatusCode, r.Body)
	}
}

// FuzzInvoke passes any payload to a function: it must not panic, and must return a response that the gateway can read,
// or errNotGatewayRequest.
func FuzzInvoke(f *testing.F) {
	for _, payload := range []any{restPayload("/retrieve", map[string][]string{"q": {"a", "ä"}}), httpPayload("/retrieve", "q=a&%zz"), object{"version": "2.0"}} {
		text, err := json.Marshal(payload)
		must(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"resource":"/{a}","pathParameters":{"a":"{a}","":"x"},"httpMethod":"\u0000","path":"/%","headers":{"":"\n"}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		got, answered, err := see(t, payload, func(w http.ResponseWriter) { _, _ = w.Write(payload) })
		if err != nil {
			if err != errNotGatewayRequest {
				t.Fatal(err)
			}
			return
		}
		var r reply
		if err := json.Unmarshal(answered, &r); err != nil || r.StatusCode < 200 || r.StatusCode == 500 {
			t.Fatalf("%v: %s", err, answered)
		}
		if r.StatusCode == 200 && (!strings.HasPrefix(got.path, "/") || got.method == "") {
			t.Fatalf("%+v", got)
		}
		if sent := []byte(r.Body); r.StatusCode == 200 && !r.IsBase64Encoded && !slices.Equal(sent, payload) {
			t.Fatalf("got %q, want %q", sent, payload)
		}
	})
}
