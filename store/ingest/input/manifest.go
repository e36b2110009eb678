package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"lens/internal/errs"
)

// manifest is the part of export_manifest.json that lists the parts of conversations.json.
type manifest struct {
	LogicalFiles map[string]struct {
		Files []partName `json:"files"`
	} `json:"logical_files"`
}

// partName is the path of a part. A manifest gives it as a string or in an object.
type partName string

// UnmarshalJSON accepts either form; anything else gives an empty name.
func (s *partName) UnmarshalJSON(b []byte) error {
	var plain string
	if json.Unmarshal(b, &plain) == nil {
		*s = partName(plain)
		return nil
	}
	var object struct{ Path, Name string }
	if json.Unmarshal(b, &object) == nil {
		*s = partName(object.Path)
		if object.Path == "" {
			*s = partName(object.Name)
		}
	}
	return nil
}

const maxManifest = 16 << 20

// manifests returns the names listed in the manifests among entries. An invalid manifest is ignored, and one that
// cannot be read counts as broken: the parts are also recognized by their names. Only a canceled context is an error.
func (f *finder) manifests(prefix string, entries []entry) (map[string]bool, error) {
	listed := make(map[string]bool)
	for _, e := range entries {
		if path.Base(e.name) != "export_manifest.json" || e.size > maxManifest {
			continue
		}
		err := f.alone(prefix+e.name, func() error {
			m, err := f.readManifest(e)
			for _, name := range m.LogicalFiles["conversations.json"].Files {
				if name != "" {
					listed[cleanName(path.Join(path.Dir(e.name), string(name)))] = true
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return listed, nil
}

// readManifest fails when reading fails, but not when the manifest is invalid.
func (f *finder) readManifest(e entry) (manifest, error) {
	var m manifest
	if err := f.budget.admit(e); err != nil {
		return m, err
	}
	file := File{Size: e.size, open: e.open}
	r, err := file.Open(f.ctx)
	if err != nil {
		return m, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	var damaged *errs.Error
	if errors.As(err, &damaged) {
		return m, err
	}
	if json.Unmarshal(data, &m) != nil {
		return manifest{}, nil
	}
	return m, nil
}

// gaps returns, for each folder, the names of the parts that are missing between its first and its last.
func gaps(present []entry) []string {
	type span struct {
		width, low, high int
		numbers          map[int]bool
	}
	folders := make(map[string]*span)
	for _, e := range present {
		match := conversationFile().FindStringSubmatch(path.Base(e.name))
		if match == nil || match[1] == "" {
			continue
		}
		n, err := strconv.Atoi(match[1])
		if err != nil || n > maxPart {
			continue
		}
		s := folders[path.Dir(e.name)]
		if s == nil {
			s = &span{width: len(match[1]), low: n, high: n, numbers: map[int]bool{}}
			folders[path.Dir(e.name)] = s
		}
		s.low, s.high, s.numbers[n] = min(s.low, n), max(s.high, n), true
	}
	var missing []string
	for folder, s := range folders {
		for n := s.low; n < s.high; n++ {
			if !s.numbers[n] {
				missing = append(missing, path.Join(folder, fmt.Sprintf("conversations-%0*d.json", s.width, n)))
			}
		}
	}
	return missing
}

// maxPart bounds part numbers: conversations-999999999.json must not cause a billion missing parts.
const maxPart = 99_999
