package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
)

// The parts of an OpenAPI 3.1 document that are used here.
type (
	document struct {
		OpenAPI    string                          `json:"openapi"`
		Info       map[string]string               `json:"info"`
		Security   []map[string][]string           `json:"security"`
		Paths      map[string]map[string]operation `json:"paths"`
		Components components                      `json:"components"`
	}
	components struct {
		Schemas  map[string]*jsonschema.Schema `json:"schemas"`
		Security map[string]map[string]string  `json:"securitySchemes"`
	}
	operation struct {
		ID          string                 `json:"operationId"`
		Summary     string                 `json:"summary"`
		Description string                 `json:"description,omitempty"`
		Security    *[]map[string][]string `json:"security,omitempty"`
		Parameters  []described            `json:"parameters,omitempty"`
		Body        *content               `json:"requestBody,omitempty"`
		Responses   map[string]content     `json:"responses"`
	}
	content struct {
		Description string               `json:"description,omitempty"`
		Required    bool                 `json:"required,omitempty"`
		Content     map[string]mediaType `json:"content,omitempty"`
	}
	mediaType struct {
		Schema map[string]string `json:"schema,omitempty"`
	}
)

// always are the codes that every route may answer with; guardedToo those of the routes that want a key.
var (
	always     = []string{codeInvalid, codeForbidden, codeWrongHost, codeRateLimited, codeInternal}
	guardedToo = []string{codeUnauthorized}
)

// describe returns the OpenAPI document of routes.
func describe(routes []route, version string) ([]byte, error) {
	d := document{
		OpenAPI: "3.1.0",
		Info: map[string]string{
			"title": "Lens", "version": cmp.Or(version, "dev"),
			"description": "Search in one's own chats by words, by meaning and by time. Times are RFC 3339 in UTC. Errors are {\"error\":{code,message,trace_id}}.",
		},
		Security: []map[string][]string{{"key": {}}, {}},
		Paths:    map[string]map[string]operation{},
		Components: components{
			Schemas:  map[string]*jsonschema.Schema{},
			Security: map[string]map[string]string{"key": {"type": "http", "scheme": "bearer", "description": "Needed where the server was given keys."}},
		},
	}
	for _, one := range routes {
		op, err := d.operation(one)
		if err != nil {
			return nil, err
		}
		if d.Paths[one.path] == nil {
			d.Paths[one.path] = map[string]operation{}
		}
		d.Paths[one.path][strings.ToLower(one.method)] = op
	}
	var text bytes.Buffer
	err := WriteJSON(&text, d)
	return text.Bytes(), err
}

func (d *document) operation(one route) (operation, error) {
	op := operation{ID: operationID(one), Summary: one.summary, Description: one.detail, Parameters: one.parameters, Responses: map[string]content{}}
	if one.open {
		op.Security = &[]map[string][]string{}
	}
	if one.body != nil {
		schema, err := d.refer(one.body)
		if err != nil {
			return op, err
		}
		op.Body = &content{Required: true, Content: map[string]mediaType{kindJSON: schema}}
	}
	for _, r := range one.replies {
		schema := mediaType{}
		if r.value != nil {
			var err error
			if schema, err = d.refer(r.value); err != nil {
				return op, err
			}
		}
		kind, _, _ := strings.Cut(r.kind, ";")
		status := strconv.Itoa(r.status)
		if _, another := op.Responses[status]; !another {
			op.Responses[status] = content{Description: r.doc, Content: map[string]mediaType{}}
		}
		op.Responses[status].Content[kind] = schema
	}
	problem, err := d.referProblem(one.path)
	if err != nil {
		return op, err
	}
	for status, all := range byStatus(one) {
		op.Responses[strconv.Itoa(status)] = content{Description: strings.Join(all, " or ") + ".", Content: map[string]mediaType{kindJSON: problem}}
	}
	return op, nil
}

// referProblem is refer for the errors of a path.
func (d *document) referProblem(path string) (mediaType, error) {
	if speaksOpenAI(path) {
		return d.refer(openAIError{})
	}
	return d.refer(errorBody{})
}

// byStatus returns the codes that a route may answer with, by status.
func byStatus(one route) map[int][]string {
	all := map[int][]string{}
	lists := [][]string{always, one.problems}
	if !one.open {
		lists = append(lists, guardedToo)
	}
	if one.body != nil {
		lists = append(lists, []string{codeTooLarge})
	}
	for _, list := range lists {
		for _, code := range list {
			all[statusOf[code]] = append(all[statusOf[code]], code)
		}
	}
	return all
}

// operationID names a route: getRetrievalTurn.
func operationID(one route) string {
	id := strings.ToLower(one.method)
	for word := range strings.FieldsFuncSeq(one.path, func(r rune) bool { return strings.ContainsRune("/{}_.", r) }) {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

var uuidType = reflect.TypeFor[uuid.UUID]()

// foreign are the types whose JSON is not what their Go looks like.
var foreign = map[reflect.Type]*jsonschema.Schema{
	uuidType:                           {Type: "string", Format: "uuid"},
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[spokenText]():      spokenSchema,
	reflect.TypeFor[chatRole]():        {Type: "string", Enum: []any{agent.User, agent.Assistant}},
}

// refer adds the schema of a value's type to the document and returns how to point to it.
func (d *document) refer(value any) (mediaType, error) {
	t := reflect.TypeOf(value)
	name := schemaName(t)
	if _, known := d.Components.Schemas[name]; !known {
		schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: foreign})
		if err != nil {
			return mediaType{}, fmt.Errorf("httpapi: describe %s: %w", name, err)
		}
		if t == reflect.TypeFor[completionsBody]() {
			relax(schema)
		}
		d.Components.Schemas[name] = schema
	}
	return mediaType{map[string]string{"$ref": "#/components/schemas/" + name}}, nil
}

// schemaName is a type's name as clients see it: Peek, Error.
func schemaName(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "Body")
	return strings.ToUpper(name[:1]) + name[1:]
}

func (s *Server) openAPIRoute() route {
	return route{
		method: http.MethodGet, path: "/openapi.json", summary: "This document",
		replies: []reply{{http.StatusOK, kindJSON, "An OpenAPI 3.1 document.", nil}},
		handle: func(w http.ResponseWriter, r *http.Request) error {
			if err := noQuery(r); err != nil {
				return err
			}
			return sendText(w, http.StatusOK, kindJSON, s.document)
		},
	}
}

// OpenAPI returns the document that describes the server.
func (s *Server) OpenAPI() []byte { return s.document }
