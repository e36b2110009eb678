package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
)

// event is a request to an API Gateway, from a payload of either version.
type event struct {
	version2   bool // payload format 2.0, of an HTTP API; REST APIs send 1.0, which HTTP APIs can be configured to send
	method     string
	path       string // of the route, without the prefix of a stage or a domain
	query      string // as in a URL
	header     http.Header
	body       string
	encoded    bool   // body is base64
	from       string // address of the client
	authorized bool   // the gateway has authenticated the client
}

// parsePayload parses a payload. It returns errNotGatewayRequest.
func parsePayload(payload []byte) (*event, error) {
	var head struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(payload, &head) != nil {
		return nil, errNotGatewayRequest
	}
	e, ok := parseV1(payload)
	if head.Version == "2.0" {
		e, ok = parseV2(payload)
	}
	if !ok || e.method == "" || !strings.HasPrefix(e.path, "/") {
		return nil, errNotGatewayRequest
	}
	return e, nil
}

func parseV1(payload []byte) (*event, bool) {
	var p events.APIGatewayProxyRequest
	if json.Unmarshal(payload, &p) != nil {
		return nil, false
	}
	identity := p.RequestContext.Identity
	e := &event{
		method:     p.HTTPMethod,
		path:       route(p.Resource, p.PathParameters, p.Path),
		body:       p.Body,
		encoded:    p.IsBase64Encoded,
		from:       identity.SourceIP,
		authorized: identity.APIKeyID != "" || identity.UserArn != "" || hasValue(p.RequestContext.Authorizer),
		query:      url.Values(multiValues(p.MultiValueQueryStringParameters, p.QueryStringParameters)).Encode(),
	}
	e.setHeader(multiValues(p.MultiValueHeaders, p.Headers))
	return e, true
}

func parseV2(payload []byte) (*event, bool) {
	var p events.APIGatewayV2HTTPRequest
	if json.Unmarshal(payload, &p) != nil {
		return nil, false
	}
	_, template, _ := strings.Cut(p.RouteKey, " ") // "GET /retrieve", or "$default"
	authorizer := p.RequestContext.Authorizer
	e := &event{
		version2:   true,
		method:     p.RequestContext.HTTP.Method,
		path:       route(template, p.PathParameters, trimStage(p.RawPath, p.RequestContext.Stage)),
		query:      p.RawQueryString,
		body:       p.Body,
		encoded:    p.IsBase64Encoded,
		from:       p.RequestContext.HTTP.SourceIP,
		authorized: authorizer != nil && (authorizer.IAM != nil || authorizer.JWT != nil || hasValue(authorizer.Lambda)),
	}
	e.setHeader(multiValues(nil, p.Headers))
	return e, true
}

// route fills in the gateway's template of a path, such as /{proxy+}. Without a template it returns path.
func route(template string, parameters map[string]string, path string) string {
	if !strings.HasPrefix(template, "/") {
		return path
	}
	var pairs []string
	for name, value := range parameters {
		pairs = append(pairs, "{"+name+"+}", value, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// trimStage removes the name of the stage from the start of a path.
func trimStage(path, stage string) string {
	if rest, ok := strings.CutPrefix(path, "/"+stage); ok && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return path
}

// multiValues returns all, or single as lists of one value if all is empty.
func multiValues(all map[string][]string, single map[string]string) map[string][]string {
	if len(all) > 0 {
		return all
	}
	all = make(map[string][]string, len(single))
	for name, value := range single {
		all[name] = []string{value}
	}
	return all
}

// hasValue reports whether an authorizer left a value: without an authorizer there are only names.
func hasValue(authorizer map[string]any) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(authorizer)), func(value any) bool { return value != nil })
}

// setHeader sets the header, without Accept-Encoding: a gateway must be set up for binary bodies before it passes
// compressed ones on. It can compress them itself.
func (e *event) setHeader(all map[string][]string) {
	e.header = http.Header{}
	for name, values := range all {
		for _, value := range values {
			e.header.Add(name, value)
		}
	}
	e.header.Del("Accept-Encoding")
}

// request returns the HTTP request. Its host is localhost, whatever name the client used for the gateway.
func (e *event) request(ctx context.Context) (*http.Request, error) {
	body := e.body
	if e.encoded {
		plain, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return nil, err
		}
		body = string(plain)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Method, r.URL = e.method, &url.URL{Path: e.path, RawQuery: e.query}
	r.Header, r.Host = e.header, "localhost"
	r.RemoteAddr = net.JoinHostPort(e.from, "0")
	return r, nil
}
