package main

import (
	"bytes"
	"net"
	"os/exec"
	"strings"
	"testing"
)

// TestSearch_RefusedUnlessCutOff gives the search a socket as stdin, so that it cannot cut itself off. It must refuse
// before it opens anything, and record that.
func TestSearch_RefusedUnlessCutOff(t *testing.T) {
	env := environmentOf(t.TempDir())
	runLens(t, env, "import", "testdata/fixtures/chats.json")
	socket, err := net.Dial("udp", "127.0.0.1:9") // to which nothing is sent
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	input, err := socket.(*net.UDPConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	for _, args := range [][]string{{"search", "sourdough", "--security", "strict"}, {"offline-query", "--offline"}, {"search", "sourdough", "--json"}} {
		cmd := exec.Command("lens", args...)
		var out, complaints bytes.Buffer
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, input, &out, &complaints
		err = cmd.Run()
		if strings.Contains(complaints.String(), "guard") {
			t.Skip("THIS KERNEL OFFERS NO FILTER, so nothing is refused")
		}
		said := strings.Join(strings.Fields(out.String()), "")
		want := map[bool]string{true: `{"decision":"revert","reason":"network_block_failed","error":`}[args[len(args)-1] == "--json"]
		if cmd.ProcessState.ExitCode() != int(locked) || !strings.HasPrefix(said, want) || want == "" && said != "" || !strings.Contains(complaints.String(), "descriptor 0 is a network socket from another program") {
			t.Errorf("%v: %v, %q, %q", args, err, &out, &complaints)
		}
	}
	if verified := runLens(t, env, "audit", "verify", "--json"); !strings.Contains(verified, `"reverts": 3`) {
		t.Errorf("the audit log: %s", verified)
	}
}
