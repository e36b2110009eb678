package main

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/cleantext"
	"lens/internal/errs"
	"lens/internal/shell"
)

func newSourcesCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "sources",
		Short: "List what Lens reads, and what of it is on this machine",
		Long: unwrap(`Lists the services and programs whose chats Lens reads, with how to get them, and what this machine has:
the sessions that coding tools keep, and files in the downloads folder that are named like exports. It looks only at
names and sizes and opens no file; with LENS_SECURITY=paranoid it does not look. If there is an archive that it can open
without asking for a PIN, it also lists what lens refresh reads again.

lens import --detect says what is in a file or folder.`),
		Example: `  lens sources
  lens sources --json | jq -r '.found[].path'`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSources(cmd, env) },
	}
}

// sources is what lens sources prints as JSON.
type sources struct {
	Followed []string        `json:"followed"`         // that lens refresh reads again
	Locked   bool            `json:"locked,omitempty"` // so that these are unknown
	Looked   bool            `json:"looked"`           // false: paranoid
	Found    []archive.Found `json:"found"`
	Readable []archive.Kind  `json:"readable"`
}

func runSources(cmd *cobra.Command, env *Env) error {
	cfg, err := env.Config(cmd)
	if err != nil {
		return err
	}
	out := sources{Followed: []string{}, Found: []archive.Found{}, Readable: archive.Kinds()}
	if err := out.findFollowed(cmd, env); err != nil {
		return err
	}
	if look := lookAround(cfg, archive.ThisMachine()); look != nil {
		out.Looked = true
		found, err := look(cmd.Context())
		if err != nil {
			return err
		}
		out.Found = append(out.Found, found...)
	}
	return env.Print(out, func() { printSources(env.Out, out) })
}

// findFollowed asks the archive, if there is one, without asking for a PIN.
func (s *sources) findFollowed(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	a.Keys.OnSecret(env.PIN.fromFile)
	followed, err := a.Archive.Followed(cmd.Context())
	switch errs.CodeOf(err) {
	case "":
		s.Followed = append(s.Followed, followed...)
	case errs.NotFound: // there is none
	case errs.Locked:
		s.Locked = true
	default: // the rest of the list does not need it
		env.Err.printf("cannot list earlier imports: %s\n", cause(err))
	}
	return nil
}

// lookAround returns what looks for chats on a machine, nil if nothing may.
func lookAround(cfg config.Config, m *archive.Machine) func(context.Context) ([]archive.Found, error) {
	if cfg.Security == config.Paranoid {
		return nil
	}
	return m.Look
}

func printSources(out *screen, s sources) {
	switch {
	case !s.Looked:
		out.println("With LENS_SECURITY=paranoid, Lens does not look for chats on this machine.")
	case len(s.Found) == 0:
		out.println("No chats were found in the usual places on this machine.")
	default:
		printFound(out, s.Found, s.Followed)
	}
	printImportedBefore(out, s)
	out.println()
	out.println(out.bold("Lens reads"))
	for _, k := range s.Readable {
		out.printf("  %-22s%s\n", kindName(k), out.line(k.Get, out.width-24))
	}
	out.printf("  %-22s%s\n", "documents", "a folder of md, txt, html, pdf, docx, org or code files")
	out.printf("  %-22s%s\n", "chunks", `JSON Lines of {"id","text","meta":{…}}`)
}

// kindName names a kind so that it fits its column.
func kindName(k archive.Kind) string {
	if k.Generic {
		return "other messages"
	}
	return k.Name
}

// printImportedBefore lists the paths that are read again, and the command that does so.
func printImportedBefore(out *screen, s sources) {
	if s.Locked {
		out.printf("\n%s\n", "The archive is locked: lens refresh --list shows what it reads again.")
	}
	if len(s.Followed) == 0 {
		return
	}
	out.printf("\n%s  %s\n", out.bold("Imported before"), out.faint("lens refresh reads what is new there"))
	for _, path := range s.Followed {
		out.printf("  %s\n", out.line(shortPath(path), out.width-2))
	}
}

// printFound lists what the machine has, and the command that imports the rest of it.
func printFound(out *screen, found []archive.Found, followed []string) {
	out.println(out.bold("On this machine") + "  " + out.faint("by name and size; no file was opened"))
	var paths []string
	for i := range found {
		f := &found[i]
		path := shellPath(f.Path)
		imported := slices.Contains(followed, f.Path)
		if f.Files > 0 && !imported && cleantext.Line(f.Path) == f.Path && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
		out.printf("  %-22s%s\n", f.Name, out.line(shortPath(f.Path), out.width-24))
		facts := foundFacts(f)
		if imported {
			facts = append(facts, "imported before")
		}
		out.printf("  %-22s%s\n", "", out.faint(out.list(facts...)))
	}
	if len(paths) > 0 {
		out.printf("\nlens import %s\n", strings.Join(paths, " "))
	}
}

// foundFacts says what is known of a place without opening it.
func foundFacts(f *archive.Found) []string {
	var facts []string
	if f.Files > 0 {
		files := count(f.Files, "file")
		if f.More {
			files = "more than " + files
		}
		facts = append(facts, files, bytesOf(f.Bytes), "last changed "+f.Newest.Local().Format(time.DateOnly))
	}
	if f.Closed {
		facts = append(facts, "cannot be opened")
	}
	return facts
}

// shortPath returns a path with ~ for the home folder.
func shortPath(path string) string {
	home, err := os.UserHomeDir()
	if rest, inside := strings.CutPrefix(path, home+string(filepath.Separator)); err == nil && inside {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// shellPath returns a path as one types it: short, or quoted where a shell would change it.
func shellPath(path string) string {
	rest, inside := strings.CutPrefix(shortPath(path), "~") // which stays as it is in quotation marks
	if runtime.GOOS != "windows" && inside && shell.IsPlain(rest) {
		return "~" + rest
	}
	return shell.Quote(path)
}
