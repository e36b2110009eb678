package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/cmd/internal/servers"
)

// portVariable tells the lens of a script which port stands for Ollama's. None of the usual ports is asked.
const portVariable = "LENS_TEST_SERVER_PORT"

func scriptServers() []servers.Place {
	port, err := strconv.Atoi(os.Getenv(portVariable))
	if err != nil {
		return []servers.Place{}
	}
	return []servers.Place{{Program: "Ollama", Port: port}}
}

// modelserver NAME=CAPABILITY… starts a server of models as Ollama has them, for the rest of the script.
func modelServer(ts *testscript.TestScript, _ bool, args []string) {
	mux := http.NewServeMux()
	var list, shown []string
	for _, arg := range args {
		name, capability, _ := strings.Cut(arg, "=")
		list = append(list, fmt.Sprintf(`{"id":%q}`, name))
		shown = append(shown, name, fmt.Sprintf(`{"capabilities":[%q]}`, capability))
	}
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(list, ","))
	})
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, r *http.Request) {
		var asked [200]byte
		n, _ := r.Body.Read(asked[:])
		for i := 0; i < len(shown); i += 2 {
			if strings.Contains(string(asked[:n]), fmt.Sprintf("%q", shown[i])) {
				fmt.Fprint(w, shown[i+1])
			}
		}
	})
	server := httptest.NewServer(mux)
	ts.Defer(server.Close)
	ts.Setenv(portVariable, server.URL[strings.LastIndexByte(server.URL, ':')+1:])
}
