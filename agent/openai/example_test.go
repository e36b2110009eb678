package openai_test

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
)

func Example() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	served := make(chan error)
	go func() {
		served <- agenttest.Serve(listener, agenttest.Script{Replies: []agenttest.Reply{{Text: "In May 2024."}}})
	}()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

	model := openai.New(client, openai.Options{BaseURL: "http://" + listener.Addr().String() + "/v1", Model: "a-model"})
	question := agent.Prompt{Messages: []agent.Message{{Role: agent.User, Text: "When was that?"}}}
	for delta, err := range model.Stream(context.Background(), question) {
		if err != nil {
			panic(err)
		}
		fmt.Print(delta.Text)
	}
	listener.Close()
	<-served
	// Output: In May 2024.
}
