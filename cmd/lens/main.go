// Command lens imports a person's chats and explores them by meaning and time.
//
// A verb is a function newVERBCmd(env *Env) in a file VERB.go, which holds its flags, its run and its printing; root.go
// lists the verbs. They share Env (env.go: both screens, the global flags, the archive), flags.go and args.go,
// prompt.go and pinreader.go, and exit.go, which is the only file that knows exit codes and prints errors.
package main

import "os"

// version is set by the linker.
var version = "dev"

func main() { os.Exit(run(os.Args[1:])) }
