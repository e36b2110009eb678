package documents

import (
	"path"
	"strings"
)

// kind is a format: how it is called, and how its text is read. reason says in a few words why it cannot be.
type kind struct {
	mime string
	read func(data []byte) (t text, reason string)
}

// Known reports whether a file of this name is one that Parse reads.
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

// languages are what files of code are called by.
var languages = map[string]string{
	".go": "go", ".py": "python", ".js": "javascript", ".mjs": "javascript", ".jsx": "javascript", ".ts": "typescript", ".tsx": "typescript",
	".rs": "rust", ".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hpp": "c++", ".cs": "csharp", ".java": "java",
	".kt": "kotlin", ".swift": "swift", ".m": "objective-c", ".rb": "ruby", ".php": "php", ".pl": "perl", ".lua": "lua", ".r": "r",
	".jl": "julia", ".hs": "haskell", ".ml": "ocaml", ".scala": "scala", ".clj": "clojure", ".el": "emacs-lisp", ".ex": "elixir",
	".erl": "erlang", ".zig": "zig", ".dart": "dart", ".sh": "shell", ".bash": "shell", ".zsh": "shell", ".fish": "shell",
	".ps1": "powershell", ".sql": "sql", ".css": "css", ".scss": "scss", ".vue": "vue", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml",
	".tf": "terraform", ".proto": "protobuf", ".nix": "nix", ".vim": "vim",
}
