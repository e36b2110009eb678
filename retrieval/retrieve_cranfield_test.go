package retrieval_test

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/embed/local"
)

// Cranfield is 1,400 abstracts with 225 judged questions; it lies beside the repository, if at all.
const cranfieldFolder = "../../shared/data/cranfield"

func lines[T any](t *testing.T, name string) (all []T) {
	t.Helper()
	f, err := os.Open(filepath.Join(cranfieldFolder, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("SKIPPED: nothing is compared on Cranfield: there is no " + f.Name())
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var one T
		if err := d.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

type abstract struct{ ID, Text string }

// TestShardsAnswerTheQuestionsOfCranfieldAsTheArchiveDoes compares whole answers, and with a real model how good they are.
func TestShardsAnswerTheQuestionsOfCranfieldAsTheArchiveDoes(t *testing.T) {
	alone(t)
	if _, err := os.Stat(cranfieldFolder); err != nil {
		t.Skip("SKIPPED: nothing is compared on Cranfield: it is not there")
	}
	questions, files := lines[abstract](t, "queries.jsonl"), []string{filepath.Join(cranfieldFolder, "chunks.jsonl")}
	if dir := os.Getenv("LENS_TEST_USE_LITE"); dir != "" {
		model, err := local.Open(filepath.Clean(dir), local.Spec{Name: "use-lite"})
		if err != nil {
			t.Fatal(err)
		}
		defer model.Close()
		all := shelved(t, files, model, 1_000_000)
		sameAnswers(t, all, questions)
		goodAnswers(t, all["many shards"], questions)
		return
	}
	sameAnswers(t, shelved(t, files, &wordy{dim: 64}, 500_000), questions)
}

func sameAnswers(t *testing.T, all map[string]retrieves, questions []abstract) {
	t.Helper()
	for _, q := range questions {
		for _, mode := range []retrieval.Mode{retrieval.Dense, retrieval.Hybrid} {
			opts := retrieval.RetrieveOptions{K: 10, Mode: mode}
			want := told(t, all["archive"], q.Text, opts)
			for _, other := range []string{"one shard", "many shards"} {
				if got := told(t, all[other], q.Text, opts); got != want {
					t.Fatalf("question %s, %s:\narchive %s\n%s %s", q.ID, mode, want, other, got)
				}
			}
		}
	}
}

// goodAnswers compares nDCG@10, of binary relevance, with what keywords alone reach.
func goodAnswers(t *testing.T, from retrieves, questions []abstract) {
	t.Helper()
	judgements, err := os.ReadFile(filepath.Join(cranfieldFolder, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	relevant := map[string]map[string]bool{}
	for line := range strings.Lines(string(judgements)) {
		fields := strings.Fields(line)
		if relevant[fields[0]] == nil {
			relevant[fields[0]] = map[string]bool{}
		}
		relevant[fields[0]][fields[1]] = true
	}
	for mode, floor := range map[retrieval.Mode]float64{retrieval.Dense: 0, retrieval.Hybrid: .516} {
		sum := 0.0
		for _, q := range questions {
			found, err := from.Retrieve(t.Context(), q.Text, retrieval.RetrieveOptions{K: 10, Mode: mode})
			if err != nil {
				t.Fatal(err)
			}
			gain, ideal := 0.0, 0.0
			for i, hit := range found.Results {
				if relevant[q.ID][hit.ID] {
					gain += 1 / math.Log2(float64(i+2))
				}
			}
			for i := range min(10, len(relevant[q.ID])) {
				ideal += 1 / math.Log2(float64(i+2))
			}
			sum += gain / ideal
		}
		mean := sum / float64(len(questions))
		t.Logf("Cranfield, %s: nDCG@10 %.4f over %d questions", mode, mean, len(questions))
		if mean < floor {
			t.Errorf("%s: nDCG@10 %.4f, at least %.3f is wanted", mode, mean, floor)
		}
	}
}
