// Command cmd serves a scripted chat model on loopback, for trying Lens manually:
//
//	go run ./agent/agenttest/cmd script.yaml
package main

import (
	"fmt"
	"net"
	"os"

	"lens/agent/agenttest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: go run ./agent/agenttest/cmd SCRIPT.yaml")
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	script, err := agenttest.Read(file)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("export OPENAI_BASE_URL=http://%s/v1 LENS_CHAT_MODEL=scripted LENS_EMBEDDING=none\n", listener.Addr())
	return agenttest.Serve(listener, script)
}
