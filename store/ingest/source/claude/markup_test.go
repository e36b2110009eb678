package claude

import "testing"

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"One.": "One.",
		"<antThinking>Perhaps.</antThinking> One.":                                     "One.",
		"<antThinking>One.":                                                            "<antThinking>One.",
		"A.<antThinking>x</antThinking>\n\nB. <antThinking>y</antThinking>C.":          "A.\n\nB. C.",
		`Here: <antArtifact identifier="y" title="a > b">\n# Hi\n</antArtifact> Done.`: "Here: [artifact: a > b] Done.",
		`<antArtifact identifier="y">cut off`:                                          "[artifact: y]",
		"Write <antArtifact> and </antArtifact> around it.":                            "Write <antArtifact> and </antArtifact> around it.",
		"Write <antArtifact":                                                           "Write <antArtifact",
	} {
		if got := shown(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
