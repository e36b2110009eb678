package config

import (
	"cmp"
	"path/filepath"

	"github.com/adrg/xdg"
)

// KeywordsPath is where the offline retriever's synonyms are: keywords.yaml in the configuration folder. What may stand in it, and that it
// does, is retrieval/offline's to say.
func KeywordsPath(opts Options) string {
	return filepath.Join(cmp.Or(opts.ConfigDir, filepath.Join(xdg.ConfigHome, "lens")), "keywords.yaml")
}
