// Command lens imports a person's chats and explores them by meaning and time.
//
// Each verb has a file of its own. They share session.go (the settings of a run), screen.go (its output) and exit.go
// (its end).
package main

import "os"

// version is set by the linker.
var version = "dev"

func main() { os.Exit(run(os.Args[1:])) }
