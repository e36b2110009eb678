package config

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
)

// flagPlace is the place of the settings from flags.
const flagPlace = "flag"

// readLayers reads all places in order. The data folder must be known before its config.yaml can be read, so that file
// cannot set data_dir.
func readLayers(opts Options) (layers, error) {
	dotenv, err := readDotenv(filepath.Join(opts.Dir, ".env"))
	if err != nil {
		return nil, err
	}
	general, err := readYAML(opts.file("config.yaml"))
	if err != nil {
		return nil, err
	}
	above := layers{{flagPlace, opts.Flags}, fromEnvironment(opts.LookupEnv), dotenv}
	own, err := readYAML(filepath.Join(dataDir(append(above, general), opts), "config.yaml"))
	if err != nil {
		return nil, err
	}
	if _, moves := own.values["data_dir"]; moves && own.place != general.place {
		return nil, wrong(
			own.place+" cannot set data_dir: the file is in the data folder",
			"use --data or LENS_DATA_DIR, or move the setting to the config.yaml of your configuration folder", nil,
		)
	}
	return append(above, own, general), nil
}

// dataDir returns the data folder as written, with ~ expanded.
func dataDir(s layers, opts Options) string {
	return expandHome(cmp.Or(s.value("data_dir"), opts.DataDir, filepath.Join(xdg.DataHome, "lens")))
}

// expandHome replaces a leading ~ by the home folder, since no shell does so in a file.
func expandHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}
