package ingest_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/store/ingest"
)

// uuids matches the ids that differ between the copies of a multiplied export.
var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// multipliedExport writes a file with copies of the real export, each with ids of its own, and returns its path and size.
func multipliedExport(b *testing.B, copies int) (path string, size int64) {
	b.Helper()
	export, err := os.ReadFile(testenv.Shared(b, "exports/real-2023/conversations.json"))
	if err != nil {
		b.Fatal(err)
	}
	inner := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(export), []byte("[")), []byte("]"))
	path = filepath.Join(b.TempDir(), "conversations.json")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	for i := range copies {
		w.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		w.Write(uuids.ReplaceAllFunc(inner, func(id []byte) []byte {
			return []byte(uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "%s %d", id, i)).String())
		}))
	}
	w.WriteString("]")
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	return path, info.Size()
}

// BenchmarkImport_RealExport imports forty copies of the real export, 113 MB, into SQLite and checks the receipt.
// LENS_BENCH_COPIES sets another number (360 make 1 GB). The peak memory is that of the whole process.
func BenchmarkImport_RealExport(b *testing.B) {
	copies := 40
	if n, err := strconv.Atoi(os.Getenv("LENS_BENCH_COPIES")); err == nil {
		copies = n
	}
	path, size := multipliedExport(b, copies)
	b.SetBytes(size)
	for b.Loop() {
		st := newArchive(b)
		receipt, err := ingest.Import(b.Context(), st, []string{path}, ingest.Options{})
		if err != nil || receipt.Check() != nil || receipt.Turns.New != 647*copies {
			b.Fatal(err, receipt)
		}
	}
	if peak, ok := peakMemory(); ok {
		b.ReportMetric(peak, "peak-MiB")
	}
}

// peakMemory returns the process's peak memory in MiB, if the system reports it.
func peakMemory() (mib float64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0, false
	}
	kib, err := strconv.ParseFloat(string(found[1]), 64)
	return kib / 1024, err == nil
}
