package config

import (
	"cmp"
	"path/filepath"

	"github.com/adrg/xdg"
)

// readLayers reads all places in order. The data folder must be known before its config.yaml can be read, so that file
// cannot set data_dir.
func readLayers(opts Options) (layers, error) {
	dotenv, err := readDotenv(filepath.Join(opts.Dir, ".env"))
	if err != nil {
		return nil, err
	}
	general, err := readYAML(filepath.Join(cmp.Or(opts.ConfigDir, filepath.Join(xdg.ConfigHome, "lens")), "config.yaml"))
	if err != nil {
		return nil, err
	}
	above := layers{{"flag", opts.Flags}, fromEnvironment(opts.LookupEnv), dotenv}
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
	if path == "~" {
		return xdg.Home
	}
	if rest, ok := cutHome(path); ok {
		return filepath.Join(xdg.Home, rest)
	}
	return path
}

func cutHome(path string) (rest string, ok bool) {
	if len(path) > 1 && path[0] == '~' && (path[1] == '/' || path[1] == filepath.Separator) {
		return path[2:], true
	}
	return "", false
}
