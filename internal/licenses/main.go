// Command licenses prints the licenses of everything that is linked into Lens, for its release archives: those of Go,
// of every module, and of the packages in a module that have their own (in Lens itself, only the latter).
//
//	go run ./internal/licenses linux/amd64 windows/amd64
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

func main() {
	linked, err := modules(os.Args[1:])
	if err == nil {
		err = write(os.Stdout, linked)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// module is a linked module with the paths of its license files.
type module struct {
	name, version string
	files         []string
}

// listedPackage is a package in the output of go list.
type listedPackage struct {
	Dir, ImportPath string
	Module          *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// modules returns Go and the modules that are linked into the programs on any of the platforms, such as linux/amd64,
// sorted by name. A module without a license is an error.
func modules(platforms []string) ([]module, error) {
	if len(platforms) == 0 {
		return nil, errors.New("no platform given, such as linux/amd64")
	}
	found := map[string]*module{}
	for _, p := range platforms {
		packages, err := list(p)
		if err != nil {
			return nil, err
		}
		for _, one := range packages {
			if one.Module == nil {
				continue
			}
			if one.Module.Main { // what a package of Lens has from others
				files, err := licensesBetween(one.Dir, one.Dir)
				if err != nil {
					return nil, err
				}
				if len(files) > 0 {
					found[one.ImportPath] = &module{name: one.ImportPath, version: "(data)", files: files}
				}
				continue
			}
			m := found[one.Module.Path]
			if m == nil {
				m = &module{name: one.Module.Path, version: one.Module.Version}
				found[m.name] = m
			}
			files, err := licensesBetween(one.Dir, one.Module.Dir)
			if err != nil {
				return nil, err
			}
			m.files = append(m.files, files...)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	all := []module{{"Go", runtime.Version(), []string{filepath.Join(strings.TrimSpace(string(root)), "LICENSE")}}}
	for _, m := range found {
		if len(m.files) == 0 {
			return nil, fmt.Errorf("%s %s has no license", m.name, m.version)
		}
		slices.Sort(m.files)
		m.files = slices.Compact(m.files)
		all = append(all, *m)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Compare(a.name, b.name) })
	return all, nil
}

// list returns the packages that are linked into the programs on a platform.
func list(platform string) (packages []listedPackage, err error) {
	system, machine, _ := strings.Cut(platform, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,Module", "lens/cmd/lens", "lens/cmd/lens-lambda")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list for %s: %w", platform, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var one listedPackage
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, one)
	}
}

// isLicense matches the names of license files and of other legal notices.
var isLicense = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice|patents|authors)([.-]|$)`)

// licensesBetween returns the license files in dir and in its parents, up to top.
func licensesBetween(dir, top string) (files []string, err error) {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Type().IsRegular() && isLicense.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
				files = append(files, filepath.Join(dir, e.Name()))
			}
		}
		if dir == top || len(dir) < len(top) {
			return files, nil
		}
		dir = filepath.Dir(dir)
	}
}

// write prints all licenses, each under the name of its module.
func write(w io.Writer, linked []module) error {
	if _, err := fmt.Fprintln(w, "Lens includes the work of others, under these licenses."); err != nil {
		return err
	}
	for _, m := range linked {
		for _, file := range m.files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			title := fmt.Sprintf("%s %s: %s", m.name, m.version, filepath.Base(file))
			underline := strings.Repeat("-", len(title))
			if _, err := fmt.Fprintf(w, "\n%s\n%s\n\n%s\n", title, underline, bytes.TrimSpace(text)); err != nil {
				return err
			}
		}
	}
	return nil
}
