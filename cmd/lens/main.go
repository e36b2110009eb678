// Command lens imports a person's chats and explores them by meaning and time.
//
// A verb is a file; what they share is in session.go (what a run was told), screen.go (where it prints) and exit.go (how it ends).
package main

import "os"

// version is set by the linker.
var version = "dev"

func main() { os.Exit(run(os.Args[1:])) }
