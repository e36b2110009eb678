package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"lens/store"
)

// manifest is what export_manifest.json says of the files that together are conversations.json.
type manifest struct {
	LogicalFiles map[string]struct {
		Files []shardName `json:"files"`
	} `json:"logical_files"`
}

// shardName is a path, given as a string or as an object with one.
type shardName string

// UnmarshalJSON takes either form; anything else is no shard.
func (s *shardName) UnmarshalJSON(b []byte) error {
	var plain string
	if json.Unmarshal(b, &plain) == nil {
		*s = shardName(plain)
		return nil
	}
	var object struct{ Path, Name string }
	if json.Unmarshal(b, &object) == nil {
		*s = shardName(object.Path)
		if object.Path == "" {
			*s = shardName(object.Name)
		}
	}
	return nil
}

const maxManifest = 16 << 20

// manifests returns the names that manifests among entries list. A manifest that cannot be understood says nothing: the files
// have names, too.
func (f *finder) manifests(entries []entry) (map[string]bool, error) {
	listed := make(map[string]bool)
	for _, e := range entries {
		if path.Base(e.name) != "export_manifest.json" || e.size > maxManifest {
			continue
		}
		if err := f.admit(e); err != nil {
			return nil, err
		}
		m, err := f.readManifest(e)
		if err != nil {
			return nil, err
		}
		for _, name := range m.LogicalFiles["conversations.json"].Files {
			if name != "" {
				listed[cleanName(path.Join(path.Dir(e.name), string(name)))] = true
			}
		}
	}
	return listed, nil
}

// readManifest fails when the archive does, not when the manifest is no manifest.
func (f *finder) readManifest(e entry) (manifest, error) {
	var m manifest
	whole := File{Size: e.size, open: e.open}
	r, err := whole.Open(f.ctx)
	if err != nil {
		return m, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	var damaged *store.Error
	if errors.As(err, &damaged) {
		return m, err
	}
	if json.Unmarshal(data, &m) != nil {
		return manifest{}, nil
	}
	return m, nil
}

// gaps returns the names of the shards whose number lies between those of two that are there, folder by folder.
func gaps(there []entry) []string {
	type span struct {
		width, low, high int
		numbers          map[int]bool
	}
	folders := make(map[string]*span)
	for _, e := range there {
		match := conversationFile.FindStringSubmatch(path.Base(e.name))
		if match == nil || match[1] == "" {
			continue
		}
		n, err := strconv.Atoi(match[1])
		if err != nil || n > maxShard {
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

// maxShard keeps a file called conversations-999999999.json from being missed a billion times.
const maxShard = 99_999
