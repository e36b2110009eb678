package local

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/edsrzf/mmap-go"
)

// tfjs is a TensorFlow.js graph model: model.json lists the weights in the order in which they lie, back to back,
// in the shards.
type tfjs struct {
	shards  []*os.File
	views   []mmap.MMap
	sizes   []int64
	entries map[string]tfjsEntry
}

type tfjsEntry struct {
	Name  string `json:"name"`
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`

	offset int64
}

type tfjsManifest struct {
	Manifest []struct {
		Paths   []string    `json:"paths"`
		Weights []tfjsEntry `json:"weights"`
	} `json:"weightsManifest"`
}

func openTFJS(dir string) (*tfjs, error) {
	data, err := os.ReadFile(filepath.Join(dir, "model.json"))
	if err != nil {
		return nil, err
	}
	paths, entries, total, err := readManifest(data)
	if err != nil {
		return nil, fmt.Errorf("model.json: %w", err)
	}
	t := &tfjs{entries: entries}
	have := int64(0)
	for _, name := range paths {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.close()
			return nil, err
		}
		t.shards = append(t.shards, file)
		info, err := file.Stat()
		if err != nil {
			t.close()
			return nil, err
		}
		t.sizes = append(t.sizes, info.Size())
		have += info.Size()
		if info.Size() == 0 { // an empty file cannot be mapped
			continue
		}
		view, err := mmap.Map(file, mmap.RDONLY, 0)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.views = append(t.views, view)
	}
	if have != total {
		t.close()
		return nil, fmt.Errorf("the shards hold %d bytes, but model.json lists %d", have, total)
	}
	return t, nil
}

// readManifest returns the shards' names, the weights by name and their total size in bytes.
func readManifest(data []byte) (paths []string, entries map[string]tfjsEntry, total int64, err error) {
	var m tfjsManifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, nil, 0, err
	}
	if len(m.Manifest) != 1 {
		return nil, nil, 0, fmt.Errorf("%d weight groups, not one", len(m.Manifest))
	}
	entries = make(map[string]tfjsEntry)
	for _, e := range m.Manifest[0].Weights {
		size := int64(4)
		for _, d := range e.Shape {
			if d < 0 || d > 1<<24 || size > 1<<32 {
				return nil, nil, 0, fmt.Errorf("weight %s: shape %v is out of bounds", e.Name, e.Shape)
			}
			size *= int64(d)
		}
		if e.Type != "float32" && e.Type != "int32" {
			return nil, nil, 0, fmt.Errorf("weight %s holds %s", e.Name, e.Type)
		}
		e.offset = total
		total += size
		entries[e.Name] = e
	}
	for _, name := range m.Manifest[0].Paths {
		if name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
			return nil, nil, 0, fmt.Errorf("shard %q is not a plain file name", name)
		}
	}
	return m.Manifest[0].Paths, entries, total, nil
}

// find returns the weight of name. Leading dimensions of one, which convolutions leave behind, are ignored.
func (t *tfjs) find(name string, shape []int) (tfjsEntry, error) {
	e, ok := t.entries[name]
	got := e.Shape
	for len(got) > len(shape) && got[0] == 1 {
		got = got[1:]
	}
	switch {
	case !ok:
		return e, fmt.Errorf("weight %s is missing", name)
	case e.Type != "float32":
		return e, fmt.Errorf("weight %s holds %s, not float32", name, e.Type)
	case !slices.Equal(got, shape):
		return e, fmt.Errorf("weight %s has shape %v, not %v", name, e.Shape, shape)
	}
	return e, nil
}

// floats returns a weight.
func (t *tfjs) floats(name string, shape ...int) ([]float32, error) {
	e, err := t.find(name, shape)
	if err != nil {
		return nil, err
	}
	v := make([]float32, product(shape))
	if err := t.readAt(bytesOf(v), e.offset); err != nil {
		return nil, fmt.Errorf("weight %s: %w", name, err)
	}
	return v, nil
}

// table returns a matrix of which few rows are read; they stay in the mapped shards.
func (t *tfjs) table(name string, rows, width int) (shardTable, error) {
	e, err := t.find(name, []int{rows, width})
	return shardTable{t.views, e.offset}, err
}

// shardTable is a matrix whose rows lie back to back in shards, of which each may end inside a row.
type shardTable struct {
	views  []mmap.MMap
	offset int64
}

// row sets x to a row.
func (t *shardTable) row(x []float32, i int) {
	into, skip := bytesOf(x), t.offset+4*int64(i)*int64(len(x))
	for _, view := range t.views {
		if skip >= int64(len(view)) {
			skip -= int64(len(view))
			continue
		}
		if into, skip = into[copy(into, view[skip:]):], 0; len(into) == 0 {
			return
		}
	}
}

// readAt fills b from the shards as if they were one file.
func (t *tfjs) readAt(b []byte, offset int64) error {
	for i, file := range t.shards {
		if offset >= t.sizes[i] {
			offset -= t.sizes[i]
			continue
		}
		n := min(int64(len(b)), t.sizes[i]-offset)
		if _, err := file.ReadAt(b[:n], offset); err != nil {
			return err
		}
		if b, offset = b[n:], 0; len(b) == 0 {
			return nil
		}
	}
	if len(b) > 0 {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (t *tfjs) close() error {
	var first error
	for _, view := range t.views {
		if err := view.Unmap(); err != nil && first == nil {
			first = err
		}
	}
	for _, file := range t.shards {
		if err := file.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
