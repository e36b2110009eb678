package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/muesli/mango"
	mcobra "github.com/muesli/mango-cobra"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"

	"lens/retrieval/query"
	tui "lens/tui/app"
)

// Help that belongs to no verb: lens help searching, lens help keys, and the manual page, which has it, too.

// newSearchingTopic returns the page "Searching", which is a command that cannot run: for cobra, a topic of help.
func newSearchingTopic(env *Env) *cobra.Command {
	topic := &cobra.Command{Use: "searching", Short: "What a query can hold: phrases, exclusions and filters"}
	topic.SetHelpFunc(func(*cobra.Command, []string) { printGuide(env.Out) })
	return topic
}

// newKeysTopic returns the page about the keys of the explorer.
func newKeysTopic(env *Env) *cobra.Command {
	topic := &cobra.Command{Use: "keys", Short: "The keys of the explorer, and the names for keys.yaml"}
	topic.SetHelpFunc(func(*cobra.Command, []string) {
		env.Out.println("Keys of the explorer. keys.yaml in the configuration folder gives other keys to these names.")
		env.Out.println()
		for _, line := range keyLines(tui.Bindings(context.Background())) {
			env.Out.println(line)
		}
	})
	return topic
}

// keyLines lists names, keys and what they do in columns that hold the longest of each.
func keyLines(all []tui.Binding) (lines []string) {
	name, keys := 0, 0
	for _, b := range all {
		name, keys = max(name, len(b.Name)), max(keys, len(b.Keys))
	}
	for _, b := range all {
		lines = append(lines, fmt.Sprintf("  %-*s  %-*s  %s", name, b.Name, keys, b.Keys, b.Does))
	}
	return lines
}

func printGuide(out *screen) {
	for _, part := range query.Guide() {
		out.println()
		out.println(out.bold(part.Title))
		out.println()
		printParagraph(out, "  ", part.Text)
		for _, e := range part.Examples {
			out.println()
			out.println("    " + e.Typed)
			text := upperFirst(e.Finds) + "."
			if e.Names != "" {
				text += " (" + e.Names + ")"
			}
			printParagraph(out, "        ", text)
		}
	}
	out.println()
}

// printParagraph breaks a text at blanks into lines of the screen's width.
func printParagraph(out *screen, indent, text string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(indent)+len(line)+1+len(word) > out.width {
			out.println(indent + line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	out.println(indent + line)
}

// newManCmd returns the hidden verb that packagers use.
func newManCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "Write the manual page", Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			page, err := mcobra.NewManPage(1, cmd.Root())
			if err != nil {
				return err
			}
			env.Out.println(withGuide(page).Build(roff.NewDocument()))
			return nil
		},
	}
}

// withGuide adds the page "Searching" to a manual page.
func withGuide(page *mango.ManPage) *mango.ManPage {
	for _, part := range query.Guide() {
		lines := []string{part.Text}
		for _, e := range part.Examples {
			line := "* " + e.Typed
			if e.Names != "" {
				line += " (" + e.Names + ")"
			}
			lines = append(lines, line+" \u2014 "+e.Finds)
		}
		page = page.WithSection("Searching: "+part.Title, strings.Join(lines, "\n"))
	}
	return page
}
