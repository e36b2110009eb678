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

// event is a request as it was made to an API Gateway, whichever payload it came in.
type event struct {
	second  bool // payload 2.0: of an HTTP API. The first is a REST API's, which HTTP APIs can be told to use
	method  string
	path    string // as its route is called here: without what a stage or a domain puts before it
	query   string // as in a URL
	header  http.Header
	body    string
	encoded bool   // the body is base64
	from    string // address of who asks
	vouched bool   // the gateway has let in who asks, and not merely everybody
}

// parseEvent reads a payload. Error: errNoEvent.
func parseEvent(payload []byte) (*event, error) {
	var head struct {
		Version string `json:"version"`
	}
	if json.Unmarshal(payload, &head) != nil {
		return nil, errNoEvent
	}
	e, ok := parseFirst(payload)
	if head.Version == "2.0" {
		e, ok = parseSecond(payload)
	}
	if !ok || e.method == "" || !strings.HasPrefix(e.path, "/") {
		return nil, errNoEvent
	}
	return e, nil
}

func parseFirst(payload []byte) (*event, bool) {
	var p events.APIGatewayProxyRequest
	if json.Unmarshal(payload, &p) != nil {
		return nil, false
	}
	who := p.RequestContext.Identity
	e := &event{
		method: p.HTTPMethod, path: route(p.Resource, p.PathParameters, p.Path), body: p.Body, encoded: p.IsBase64Encoded, from: who.SourceIP,
		vouched: who.APIKeyID != "" || who.UserArn != "" || saysAnything(p.RequestContext.Authorizer),
		query:   url.Values(orSingle(p.MultiValueQueryStringParameters, p.QueryStringParameters)).Encode(),
	}
	e.setHeader(orSingle(p.MultiValueHeaders, p.Headers))
	return e, true
}

func parseSecond(payload []byte) (*event, bool) {
	var p events.APIGatewayV2HTTPRequest
	if json.Unmarshal(payload, &p) != nil {
		return nil, false
	}
	_, template, _ := strings.Cut(p.RouteKey, " ") // "GET /retrieve", or "$default"
	who := p.RequestContext.Authorizer
	e := &event{
		second: true, method: p.RequestContext.HTTP.Method, path: route(template, p.PathParameters, unstaged(p.RawPath, p.RequestContext.Stage)),
		query: p.RawQueryString, body: p.Body, encoded: p.IsBase64Encoded, from: p.RequestContext.HTTP.SourceIP,
		vouched: who != nil && (who.IAM != nil || who.JWT != nil || saysAnything(who.Lambda)),
	}
	e.setHeader(orSingle(nil, p.Headers))
	return e, true
}

// route returns the path that a gateway's template like /{proxy+} stands for; without one, the path as it was asked for.
func route(template string, parameters map[string]string, asked string) string {
	if !strings.HasPrefix(template, "/") {
		return asked
	}
	var pairs []string
	for name, value := range parameters {
		pairs = append(pairs, "{"+name+"+}", value, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}

// unstaged returns a path without the name of the stage that it begins with.
func unstaged(path, stage string) string {
	if rest, ok := strings.CutPrefix(path, "/"+stage); ok && (rest == "" || rest[0] == '/') {
		return "/" + strings.TrimPrefix(rest, "/")
	}
	return path
}

// orSingle returns all values, or where those are not given the one that is.
func orSingle(all map[string][]string, single map[string]string) map[string][]string {
	if len(all) > 0 {
		return all
	}
	all = make(map[string][]string, len(single))
	for name, value := range single {
		all[name] = []string{value}
	}
	return all
}

// saysAnything reports whether what an authorizer left says anything: one that is not there leaves names without values.
func saysAnything(authorizer map[string]any) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(authorizer)), func(value any) bool { return value != nil })
}

func (e *event) setHeader(all map[string][]string) {
	e.header = http.Header{}
	for name, values := range all {
		for _, value := range values {
			e.header.Add(name, value)
		}
	}
}

// request returns the request. By which name the gateway was called is no concern of the server behind it: it is called localhost.
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
	r.Method, r.URL, r.Header, r.Host = e.method, &url.URL{Path: e.path, RawQuery: e.query}, e.header, "localhost"
	r.RemoteAddr = net.JoinHostPort(e.from, "0")
	return r, nil
}
