package config

import (
	"cmp"
	"path/filepath"

	"github.com/adrg/xdg"
)

// KeywordsPath returns the path of the offline retriever's synonyms: keywords.yaml in the configuration folder. Package
// retrieval/offline reads and checks the file.
func KeywordsPath(opts Options) string {
	return filepath.Join(cmp.Or(opts.ConfigDir, filepath.Join(xdg.ConfigHome, "lens")), "keywords.yaml")
}
