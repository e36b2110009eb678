package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// plain converts a node of a template to plain values. A function such as !Ref becomes {"!Ref": …}.
func plain(n *yaml.Node) any {
	var value any
	switch n.Kind {
	case yaml.MappingNode:
		m := object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		value = m
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, one := range n.Content {
			list[i] = plain(one)
		}
		value = list
	default:
		value = n.Value
	}
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return object{n.Tag: value}
	}
	return value
}

func template(t *testing.T) object {
	t.Helper()
	text, err := os.ReadFile("template.yaml")
	must(t, err)
	var document yaml.Node
	must(t, yaml.Unmarshal(text, &document))
	return plain(document.Content[0]).(object)
}

// at returns the value at a path like Resources.Role.Properties; nil if there is none.
func at(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.(object)
		v = m[name]
	}
	return v
}

// each calls fn for every mapping in v.
func each(v any, fn func(object)) {
	switch v := v.(type) {
	case object:
		fn(v)
		for _, one := range v {
			each(one, fn)
		}
	case []any:
		for _, one := range v {
			each(one, fn)
		}
	}
}

// listed returns the elements of v if it is a list, else v alone.
func listed(v any) []any {
	if list, is := v.([]any); is {
		return list
	}
	return []any{v}
}

func TestTemplate_Permissions(t *testing.T) {
	allowed := map[string]string{
		"s3:GetObject":         "map[!Sub:arn:${AWS::Partition}:s3:::${IndexBucket}/${IndexPrefix}indexes/*]",
		"s3:ListBucket":        "map[!Sub:arn:${AWS::Partition}:s3:::${IndexBucket}]",
		"logs:CreateLogStream": "map[!GetAtt:Logs.Arn]",
		"logs:PutLogEvents":    "map[!GetAtt:Logs.Arn]",
	}
	policies := at(template(t), "Resources.Role.Properties.Policies")
	each(policies, func(statement object) {
		if statement["Effect"] == nil {
			return
		}
		for _, action := range listed(statement["Action"]) {
			want, known := allowed[action.(string)]
			if got := fmt.Sprint(statement["Resource"]); !known || got != want || statement["Effect"] != "Allow" {
				t.Errorf("%s of %s", action, got)
			}
			delete(allowed, action.(string))
		}
		if statement["Condition"] != nil {
			t.Errorf("a condition, which makes missing objects look forbidden: %v", statement)
		}
	})
	if len(allowed) > 0 {
		t.Errorf("not allowed: %v", allowed)
	}
	if managed := at(template(t), "Resources.Role.Properties.ManagedPolicyArns"); managed != nil {
		t.Errorf("also allowed: %v", managed)
	}
}

func TestTemplate_KeysAndRateLimits(t *testing.T) {
	all := template(t)
	methods := 0
	for name, resource := range at(all, "Resources").(object) {
		switch at(resource, "Type") {
		case "AWS::ApiGateway::Method":
			methods++
			if at(resource, "Properties.ApiKeyRequired") != "true" {
				t.Errorf("%s needs no key", name)
			}
		case "AWS::Lambda::Url", "AWS::ApiGatewayV2::Api":
			t.Errorf("%s is another route into the function", name)
		case "AWS::Lambda::Permission":
			if at(resource, "Properties.Principal") != "apigateway.amazonaws.com" || !strings.Contains(fmt.Sprint(at(resource, "Properties.SourceArn")), "${Api}/") {
				t.Errorf("%s admits others", name)
			}
		}
	}
	if methods == 0 {
		t.Error("no route leads to the function")
	}
	for path, want := range map[string]any{
		"Resources.Function.Properties.ReservedConcurrentExecutions": object{"!Ref": "Concurrency"},
		"Resources.Function.Properties.Runtime":                      "provided.al2023",
		"Resources.Function.Properties.Timeout":                      object{"!Ref": "Timeout"},
		"Parameters.Timeout.MaxValue":                                "29",
		"Resources.Plan.Properties.Throttle.RateLimit":               object{"!Ref": "RequestsPerSecond"},
		"Resources.Plan.Properties.Throttle.BurstLimit":              object{"!Ref": "RequestsAtOnce"},
		"Resources.Plan.Properties.Quota.Limit":                      object{"!Ref": "RequestsPerDay"},
		"Resources.Logs.Properties.RetentionInDays":                  object{"!Ref": "LogDays"},
		"Resources.Function.Properties.LoggingConfig.LogGroup":       object{"!Ref": "Logs"},
	} {
		if got := at(all, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

// TestTemplate_GatewayErrors checks that the gateway's own errors have the form of errorResponse, and that none is
// missing.
func TestTemplate_GatewayErrors(t *testing.T) {
	all := template(t)
	status := map[string]string{
		"INVALID_API_KEY": "401 UNAUTHENTICATED", "UNAUTHORIZED": "401 UNAUTHENTICATED", "MISSING_AUTHENTICATION_TOKEN": "404 NOT_FOUND", "ACCESS_DENIED": "403 FORBIDDEN",
		"REQUEST_TOO_LARGE": "413 TOO_LARGE", "THROTTLED": "429 RATE_LIMITED", "QUOTA_EXCEEDED": "429 RATE_LIMITED",
		"DEFAULT_4XX": "<nil> INVALID_ARGUMENT", "DEFAULT_5XX": "503 UNAVAILABLE",
	}
	before := listed(at(all, "Resources.Deployment.DependsOn"))
	for name, resource := range at(all, "Resources").(object) {
		if at(resource, "Type") != "AWS::ApiGateway::GatewayResponse" {
			continue
		}
		kind, _ := at(resource, "Properties.ResponseType").(string)
		text, _ := at(resource, "Properties.ResponseTemplates").(object)["application/json"].(string)
		var got struct {
			Error struct{ Code, Message string }
		}
		must(t, json.Unmarshal([]byte(text), &got))
		if want := errorResponse(0, got.Error.Code, got.Error.Message, "$context.requestId").body.String(); !sameJSON(t, text, want) || got.Error.Message == "" {
			t.Errorf("%s: %s, want %s", kind, text, want)
		}
		if got := fmt.Sprint(at(resource, "Properties.StatusCode"), " ", got.Error.Code); got != status[kind] {
			t.Errorf("%s has status %s, want %s", kind, got, status[kind])
		}
		if !slices.Contains(before, any(name)) {
			t.Errorf("%s may be created after the deployment, which then lacks it", name)
		}
		delete(status, kind)
	}
	if len(status) > 0 {
		t.Errorf("without a response of their own: %v", status)
	}
}

func sameJSON(t *testing.T, texts ...string) bool {
	t.Helper()
	values := make([]any, len(texts))
	for i, text := range texts {
		must(t, json.Unmarshal([]byte(text), &values[i]))
	}
	return reflect.DeepEqual(values[0], values[1])
}

func TestTemplate_Concurrency(t *testing.T) {
	all := template(t)
	most, err := strconv.Atoi(at(all, "Parameters.Concurrency.Default").(string))
	must(t, err)
	if n, err := strconv.Atoi(at(all, "Parameters.RequestsAtOnce.Default").(string)); err != nil || n > most {
		t.Errorf("%d are admitted, but only %d answered: %v", n, most, err)
	}
}

var substituted = regexp.MustCompile(`\$\{([^}]+)\}`)

func TestTemplate_References(t *testing.T) {
	all := template(t)
	named := map[string]bool{}
	each(all, func(m object) {
		for function, value := range m {
			switch text := fmt.Sprint(value); function {
			case "!Ref":
				named[text] = true
			case "!GetAtt":
				name, _, _ := strings.Cut(text, ".")
				named[name] = true
			case "!Sub":
				for _, found := range substituted.FindAllStringSubmatch(text, -1) {
					name, _, _ := strings.Cut(found[1], ".")
					named[name] = true
				}
			case "!If":
				named[value.([]any)[0].(string)] = true
			case "DependsOn":
				for _, one := range listed(value) {
					named[one.(string)] = true
				}
			}
		}
	})
	there := []string{"AWS::NoValue", "AWS::StackName", "AWS::Partition", "AWS::Region", "AWS::AccountId", "AWS::URLSuffix"}
	for _, section := range []string{"Parameters", "Conditions", "Resources"} {
		for name := range at(all, section).(object) {
			there = append(there, name)
			if section != "Resources" && !named[name] {
				t.Errorf("nothing uses %s", name)
			}
		}
	}
	for name := range named {
		if !slices.Contains(there, name) {
			t.Errorf("there is no %s", name)
		}
	}
	source, err := os.ReadFile("settings.go")
	must(t, err)
	for name := range at(all, "Resources.Function.Properties.Environment.Variables").(object) {
		if !strings.Contains(string(source), name) {
			t.Errorf("the function does not know %s", name)
		}
	}
}
