package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"lens/internal/npmtest"
	"lens/internal/pypitest"
)

const clientsKey = "a key that is long enough"

// forClients starts a server for a third-party client.
func forClients(t *testing.T) *service {
	t.Helper()
	return start(t, func(o *Options) { asksModel(baking("Let me look."))(o); o.Keys = []string{clientsKey} })
}

func TestCompletions_GoOpenAIClient(t *testing.T) {
	s := forClients(t)
	config := openai.DefaultConfig(clientsKey)
	config.BaseURL, config.HTTPClient = s.url+"/v1", s.client
	client := openai.NewClientWithConfig(config)
	request := openai.ChatCompletionRequest{
		Model: "lens", Temperature: 0.5, Messages: []openai.ChatCompletionMessage{{Role: "system", Content: "Be short."}, {Role: "user", Content: "When did I bake?"}},
	}
	whole, err := client.CreateChatCompletion(t.Context(), request)
	if err != nil || whole.Choices[0].Message.Content != bakedAnswer || whole.Usage.TotalTokens != 220 || whole.Choices[0].FinishReason != openai.FinishReasonStop {
		t.Errorf("%v: %+v", err, whole)
	}
	request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	if said, used := goOpenAIStream(t, client, request); said != bakedAnswer || used != 220 {
		t.Errorf("said %q with %d tokens", said, used)
	}
	listed, err := client.ListModels(t.Context())
	if err != nil || len(listed.Models) != 1 || listed.Models[0].ID != "lens" {
		t.Errorf("%v: %+v", err, listed)
	}
	request.Model = "another"
	var refused *openai.APIError
	_, err = client.CreateChatCompletion(t.Context(), request)
	if !errors.As(err, &refused) || refused.HTTPStatusCode != 404 || refused.Type != "invalid_request_error" || refused.Code != codeNotFound {
		t.Errorf("refused with %#v", err)
	}
}

func goOpenAIStream(t *testing.T, client *openai.Client, request openai.ChatCompletionRequest) (said string, used int) {
	t.Helper()
	stream, err := client.CreateChatCompletionStream(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return said, used
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range chunk.Choices {
			said += c.Delta.Content
		}
		if chunk.Usage != nil {
			used = chunk.Usage.TotalTokens
		}
	}
}

func TestCompletions_OfficialNPMClient(t *testing.T) {
	t.Parallel()
	s := forClients(t)
	out := npmtest.Run(t, "openai-client.mjs", []string{"openai@6.49.0"}, []string{"OPENAI_BASE_URL=" + s.url + "/v1", "OPENAI_API_KEY=" + clientsKey})
	var got struct {
		Models        []string
		Whole, Stream string
		Turns         []string
		Total         int
		Refused       struct {
			Status                    int
			Code, Type, Message, Kind string
		}
		Image string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Join(got.Models, " ") != "lens" || got.Whole != bakedAnswer || len(got.Turns) != 1 || got.Turns[0] != breadID || got.Stream != bakedAnswer || got.Total != 220 {
		t.Errorf("got %+v", got)
	}
	if r := got.Refused; r.Status != 404 || r.Code != codeNotFound || r.Type != "invalid_request_error" || r.Kind != "NotFoundError" || !strings.Contains(got.Image, "lens reads text only") {
		t.Errorf("got %+v", got)
	}
}

func TestCompletions_OfficialPythonClient(t *testing.T) {
	t.Parallel()
	s := forClients(t)
	out := pypitest.Run(t, "openai_client.py", []string{"openai==3.54.0"}, []string{"OPENAI_BASE_URL=" + s.url + "/v1", "OPENAI_API_KEY=" + clientsKey})
	type failure struct {
		Status           int
		Code, Type, Kind string
	}
	var got struct {
		Models, Turns, Finish []string
		Model, Whole, Stream  string
		Total                 int
		Refused, Empty        failure
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if strings.Join(got.Models, " ") != "lens" || got.Model != "lens" || got.Whole != bakedAnswer || got.Stream != bakedAnswer || got.Total != 220 {
		t.Errorf("got %+v", got)
	}
	if strings.Join(got.Turns, " ") != breadID || strings.Join(got.Finish, " ") != "stop stop" {
		t.Errorf("got %+v", got)
	}
	if (got.Refused != failure{404, codeNotFound, "invalid_request_error", "NotFoundError"}) || got.Empty.Status != 400 || got.Empty.Kind != "BadRequestError" {
		t.Errorf("refused: %+v, %+v", got.Refused, got.Empty)
	}
}
