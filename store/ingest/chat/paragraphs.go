package chat

import "strings"

// Paragraphs joins the texts that are not blank with empty lines.
func Paragraphs(texts []string) string {
	var kept []string
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n\n")
}
