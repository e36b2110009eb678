package local

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"

	"github.com/edsrzf/mmap-go"
	"github.com/x448/float16"
)

// safetensors is a file of the safetensors format: eight bytes with the length of a JSON header, little endian, the
// header, then the tensors. The repository huggingface/safetensors describes the format.
type safetensors struct {
	file    *os.File
	view    mmap.MMap
	entries map[string]tensorEntry
	data    int64 // where the tensors begin
}

type tensorEntry struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

const maxHeader = 16 << 20

func openSafetensors(path string) (*safetensors, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	s := &safetensors{file: file}
	s.entries, s.data, err = readHeader(file, info.Size())
	if err == nil {
		s.view, err = mmap.Map(file, mmap.RDONLY, 0)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", info.Name(), err)
	}
	return s, nil
}

// readHeader returns the tensors of a file of size bytes by name, after checking that each lies inside the file.
func readHeader(r io.Reader, size int64) (map[string]tensorEntry, int64, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, 0, fmt.Errorf("too short for a safetensors file")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > size-8 {
		return nil, 0, fmt.Errorf("a header of %d bytes does not fit", n)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, 0, fmt.Errorf("header: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, 0, fmt.Errorf("header: %w", err)
	}
	delete(raw, "__metadata__")
	entries := make(map[string]tensorEntry, len(raw))
	for name, value := range raw {
		var e tensorEntry
		if err := json.Unmarshal(value, &e); err != nil {
			return nil, 0, fmt.Errorf("tensor %s: %w", name, err)
		}
		if e.Offsets[0] < 0 || e.Offsets[0] > e.Offsets[1] || e.Offsets[1] > size-8-int64(n) {
			return nil, 0, fmt.Errorf("tensor %s: bytes %d to %d are not in the file", name, e.Offsets[0], e.Offsets[1])
		}
		entries[name] = e
	}
	return entries, 8 + int64(n), nil
}

// The types of tensors that Lens reads: 4 and 2 bytes a value.
const (
	typeF32 = "F32"
	typeF16 = "F16"
)

// find returns the entry of name, which may have a prefix such as "bert.".
func (s *safetensors) find(name string, shape []int) (tensorEntry, error) {
	e, ok := s.entries[name]
	for _, prefix := range []string{"bert.", "roberta."} {
		if !ok {
			e, ok = s.entries[prefix+name]
		}
	}
	switch size := e.width() * product(shape); {
	case !ok:
		return e, fmt.Errorf("tensor %s is missing", name)
	case size == 0:
		return e, fmt.Errorf("tensor %s holds %s, not %s or %s", name, e.Type, typeF32, typeF16)
	case !slices.Equal(e.Shape, shape):
		return e, fmt.Errorf("tensor %s has shape %v, not %v", name, e.Shape, shape)
	case e.Offsets[1]-e.Offsets[0] != int64(size):
		return e, fmt.Errorf("tensor %s has %d bytes, not %d", name, e.Offsets[1]-e.Offsets[0], size)
	}
	return e, nil
}

// width returns the bytes of a value, 0 for a type that Lens does not read.
func (e *tensorEntry) width() int {
	switch e.Type {
	case typeF32:
		return 4
	case typeF16:
		return 2
	}
	return 0
}

// floats reads a tensor through the file, not the map: weights that are packed elsewhere need not stay in memory
// twice.
func (s *safetensors) floats(name string, shape ...int) ([]float32, error) {
	e, err := s.find(name, shape)
	if err != nil {
		return nil, err
	}
	v := make([]float32, product(shape))
	read := bytesOf(v)[:e.Offsets[1]-e.Offsets[0]]
	if _, err := s.file.ReadAt(read, s.data+e.Offsets[0]); err != nil {
		return nil, fmt.Errorf("tensor %s: %w", name, err)
	}
	if e.Type == typeF16 {
		for i := len(v) - 1; i >= 0; i-- { // in place, the last one first
			v[i] = float16.Frombits(binary.LittleEndian.Uint16(read[2*i:])).Float32()
		}
	}
	return v, nil
}

// table returns a matrix of which few rows are read; they stay in the mapped file.
func (s *safetensors) table(name string, rows, width int) (table, error) {
	e, err := s.find(name, []int{rows, width})
	if err != nil {
		return table{}, err
	}
	return table{s.view[s.data+e.Offsets[0] : s.data+e.Offsets[1]], e.width()}, nil
}

// table is a matrix in a file, whose values have two or four bytes.
type table struct {
	data  []byte
	bytes int // of a value
}

// row sets x to a row.
func (t *table) row(x []float32, i int) {
	data := t.data[i*len(x)*t.bytes:][:len(x)*t.bytes]
	if t.bytes == 4 {
		copy(bytesOf(x), data)
		return
	}
	for j := range x {
		x[j] = float16.Frombits(binary.LittleEndian.Uint16(data[2*j:])).Float32()
	}
}

func (s *safetensors) close() error {
	err := s.view.Unmap()
	if cerr := s.file.Close(); err == nil {
		err = cerr
	}
	return err
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// bytesOf returns v's memory. Both formats are little endian, as is every machine that Lens is built for.
func bytesOf(v []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), 4*len(v))
}
