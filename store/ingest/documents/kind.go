package documents

import (
	"path"
	"strings"
)

// kind is a document format: its MIME type and its reader, which returns a short reason when it fails.
type kind struct {
	mime string
	read func(data []byte) (t text, reason string)
}

// Known reports whether Parse reads files with this name.
func Known(name string) bool {
	_, ok := kindOf(name)
	return ok
}

func kindOf(name string) (kind, bool) {
	base := strings.ToLower(path.Base(name))
	switch ext := path.Ext(base); ext {
	case ".md", ".markdown", ".mdx":
		return kind{"text/markdown", fromText(readMarkdown)}, true
	case ".txt", ".text", ".rst", ".adoc", ".tex":
		return kind{"text/plain", fromText(readPlain)}, true
	case ".org":
		return kind{"text/org", fromText(readOrg)}, true
	case ".html", ".htm", ".xhtml":
		return kind{"text/html", readHTML}, true
	case ".pdf":
		return kind{"application/pdf", readPDF}, true
	case ".docx":
		return kind{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", readDocx}, true
	default:
		if language, ok := languages[ext]; ok {
			return kind{"text/x-" + language, fromText(readCode)}, true
		}
	}
	switch base {
	case "readme", "license", "notes", "todo", "changelog":
		return kind{"text/plain", fromText(readPlain)}, true
	case "makefile", "dockerfile":
		return kind{"text/x-" + base, fromText(readCode)}, true
	}
	return kind{}, false
}

// languages maps the extensions of code files to languages.
var languages = map[string]string{
	".bash":  "shell",
	".c":     "c",
	".cc":    "c++",
	".clj":   "clojure",
	".cpp":   "c++",
	".cs":    "csharp",
	".css":   "css",
	".cxx":   "c++",
	".dart":  "dart",
	".el":    "emacs-lisp",
	".erl":   "erlang",
	".ex":    "elixir",
	".fish":  "shell",
	".go":    "go",
	".h":     "c",
	".hpp":   "c++",
	".hs":    "haskell",
	".java":  "java",
	".jl":    "julia",
	".js":    "javascript",
	".jsx":   "javascript",
	".kt":    "kotlin",
	".lua":   "lua",
	".m":     "objective-c",
	".mjs":   "javascript",
	".ml":    "ocaml",
	".nix":   "nix",
	".php":   "php",
	".pl":    "perl",
	".proto": "protobuf",
	".ps1":   "powershell",
	".py":    "python",
	".r":     "r",
	".rb":    "ruby",
	".rs":    "rust",
	".scala": "scala",
	".scss":  "scss",
	".sh":    "shell",
	".sql":   "sql",
	".swift": "swift",
	".tf":    "terraform",
	".toml":  "toml",
	".ts":    "typescript",
	".tsx":   "typescript",
	".vim":   "vim",
	".vue":   "vue",
	".yaml":  "yaml",
	".yml":   "yaml",
	".zig":   "zig",
	".zsh":   "shell",
}
