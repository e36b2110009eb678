package main

import (
	"slices"

	"lens/cmd/internal/doctor"

	"github.com/spf13/cobra"
)

func newDoctorCmd(env *Env) *cobra.Command {
	embeddings, secrets := false, false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the setup and suggest what to do next",
		Long: unwrap(`Checks everything that can be set up, changes nothing, and suggests what to do next.

It also asks the usual ports of Ollama, LM Studio and llama.cpp on this machine which models there are, and prints the
settings to use them; not with --offline, nor if the security level is paranoid.

With --offline, it also cuts itself off from the network, tries every known way out, and shows that each is refused.

With --embeddings, it also lists the turns whose embedded text is unknown: an older Lens kept only its hash.

With --secrets, it also reads every message and names likely keys and tokens, by their kind and where they are; it does
not show them.`),
		Example: `  lens doctor
  lens doctor --embeddings
  lens doctor --secrets
  lens doctor --offline`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd, env, embeddings, secrets) },
	}
	cmd.Flags().BoolVar(&embeddings, "embeddings", false, "list the turns whose embedded text is unknown")
	cmd.Flags().BoolVar(&secrets, "secrets", false, "name likely keys and tokens in the archive")
	return cmd
}

func runDoctor(cmd *cobra.Command, env *Env, embeddings, secrets bool) error {
	var checks []doctor.Check
	if a, err := env.Open(cmd); err != nil {
		checks = []doctor.Check{doctor.Failed("configuration", err)}
	} else {
		a.Keys.OnSecret(env.PIN.fromFile) // a diagnosis asks no questions
		checks = a.Doctor.Diagnose(cmd.Context())
		if embeddings {
			checks = append(checks, a.Archive.CheckEmbeddings(cmd.Context()))
		}
		if secrets {
			found := a.Archive.CheckSecrets(cmd.Context())
			checks = slices.DeleteFunc(checks, func(c doctor.Check) bool { return c.Name == found.Name })
			checks = append(checks, found)
		}
	}
	healthy := !slices.ContainsFunc(checks, func(c doctor.Check) bool { return c.Status == doctor.Fail })
	err := env.Print(map[string]any{"ok": healthy, "checks": checks}, func() { printChecks(env.Out, checks) })
	if err != nil {
		return err
	}
	if !healthy {
		return failure("see the lines marked fail", "some checks failed")
	}
	return cmd.Context().Err()
}

func printChecks(out *screen, checks []doctor.Check) {
	for _, c := range checks {
		mark := string(c.Status)
		switch c.Status {
		case doctor.Warn:
			mark = out.warn(mark)
		case doctor.Fail:
			mark = out.alarm(mark)
		}
		out.printf("%s%s  %-15s  %s\n", mark, "    "[len(c.Status):], c.Name, out.line(c.Message, 1000))
		if c.Hint != "" {
			out.printf("%23s%s %s\n", "", out.sign("→", "->"), out.line(c.Hint, 1000))
		}
		for _, name := range c.Names {
			out.printf("%23s%s\n", "", out.line(name, 1000))
		}
	}
}
