package archive

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"

	"lens/store/ingest/input"
	"lens/store/ingest/source"
)

// The types of what can be imported.
type (
	Kind    = input.Kind
	Found   = input.Found
	Machine = input.Machine
)

// Kinds returns all kinds of files with conversations that Lens reads.
func Kinds() []Kind { return input.Kinds() }

// ThisMachine returns where this user's programs keep their files.
func ThisMachine() *Machine {
	data := cmp.Or(os.Getenv("XDG_DATA_HOME"), filepath.Join(xdg.Home, ".local", "share"))
	config, err := os.UserConfigDir()
	if err != nil {
		config = ""
	}
	local := data
	switch runtime.GOOS {
	case "darwin":
		local = config
	case "windows":
		local = os.Getenv("LOCALAPPDATA")
	}
	return &Machine{
		Bases: map[source.Base]string{
			source.Home: xdg.Home, source.Config: config, source.Data: data, source.Local: local,
		},
		Downloads: xdg.UserDirs.Download,
		Getenv:    os.Getenv,
	}
}
