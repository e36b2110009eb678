package source

// Place is a folder in which a program keeps its sessions. Lens looks there for names and sizes, and opens nothing.
type Place struct {
	Base   Base
	Folder string   // below the base, with slashes: ".codex". An import of it finds the sessions
	Var    string   // the environment variable that names the folder instead: "CODEX_HOME"; "": there is none
	Files  []string // the names of the sessions, below the folder: "sessions/**/*.jsonl", as path.Match; ** is any folders
}

// Base is a folder of the user's that programs keep things in.
type Base int

// The bases, on Linux, macOS and Windows.
const (
	Home   Base = iota // ~
	Config             // $XDG_CONFIG_HOME or ~/.config; ~/Library/Application Support; %APPDATA%
	Data               // $XDG_DATA_HOME or ~/.local/share, on every system
	Local              // as Data; ~/Library/Application Support; %LOCALAPPDATA%
)
