package agent

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// templateText filters a text that comes in pieces of n bytes.
func templateText(text string, n int) (string, bool) {
	var f templateFilter
	var out strings.Builder
	for text != "" {
		said, cut := f.write(text[:min(n, len(text))])
		out.WriteString(said)
		if cut {
			return out.String(), true
		}
		text = text[min(n, len(text)):]
	}
	said, cut := f.close()
	return out.String() + said, cut
}

func TestTemplateFilter_Cuts(t *testing.T) {
	for text, want := range map[string]string{
		"<|im_start|>user\n<|im_start|>user\n":                  "",
		"You baked in May.<|im_end|>\n<|im_start|>user\nAnd?":   "You baked in May.",
		"You baked in May.<|im_end|>\nuser\nAnd?":               "You baked in May.",
		"In May [1].<|eot_id|><|start_header_id|>user":          "In May [1].",
		"In May.</s>\n\nIn June":                                "In May.",
		"In May.</s> [INST] And? [/INST]":                       "In May.",
		"<|im_end|>user\n<|im_end|>user\n":                      "",
		"In May.<end_of_turn>model\nIn June":                    "In May.",
		"In May.<|im_end|>assistant":                            "In May.",
		"[/INST]\nIn May.":                                      "",
		"In May.<end_of_turn>\n<start_of_turn>user\nAnd?":       "In May.",
		"In May.\n<|assistant|>\nIn June":                       "In May.\n",
		"In May.\n\n<think>\nWas it?":                           "In May.\n\n",
		"In May.<|im_end|><|im_end|><|im_end|>":                 "In May.",
		"In May.<|endoftext|>" + strings.Repeat("\n", 300):      "In May.",
		"Use `</s>`.<|im_end|>\n<|im_start|>":                   "Use `</s>`.",
		"```\n<|im_end|>\n```\nSo.<|im_end|>\nassistant\nSo on": "```\n<|im_end|>\n```\nSo.",
		"<<SYS>>\nYou are":                                      "",
		"größer.<|eot_id|>\n\nassistant":                        "größer.",
	} {
		for _, n := range []int{1, 2, 3, 5, 1000} {
			if got, cut := templateText(text, n); got != want || !cut {
				t.Errorf("%q by %d: got %q, cut %t", text, n, got, cut)
			}
		}
	}
}

// Behind the marker of archive text, a model copies what it has read: nothing of that is an answer, or cites.
func TestTemplateFilter_ArchiveText(t *testing.T) {
	const fence = "<archive-0123456789abcdef>"
	for text, want := range map[string]string{
		"In May. " + fence + "\n[2] turn x":                     "In May. ",
		fence + "\n[2] turn":                                    "",
		"In May <archive-0123> and\n<archive-0123456789abcdee>": "In May <archive-0123> and\n<archive-0123456789abcdee>",
		"It is `" + fence + "`.":                                "It is `" + fence + "`.",
	} {
		for _, n := range []int{1, 7, 1000} {
			f := templateFilter{fence: fence}
			var got strings.Builder
			for rest := text; rest != ""; rest = rest[min(n, len(rest)):] {
				said, _ := f.write(rest[:min(n, len(rest))])
				got.WriteString(said)
			}
			said, cut := f.close()
			got.WriteString(said)
			if got.String() != want || cut != (want != text) {
				t.Errorf("%q in parts of %d: %q, cut %v", text, n, got.String(), cut)
			}
		}
	}
}

// An answer that is about markers is whole, and so is one that ends with one.
func TestTemplateFilter_Whole(t *testing.T) {
	same := []string{
		"", "So.", "a < b and c[0] <- d", "See [1], [2].", "[INS", "<|", "<thing>", "<s>old</s>\nnew", "<s>old</s>",
		"ChatML ends a message with `<|im_end|>`\nand begins one with `<|im_start|>`\n",
		"```\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n```\n",
		"    <|im_start|> is the first.\n<|im_start|> is, too.",
		"You asked what <|im_end|>, </s> and <think> mean; \"<|eot_id|>\"\nwas another.",
		"In ChatML, a user.<|im_end|>users write", "x<|im_end|>user: y\n",
		"The word</s>. And <|im_end|> and\n- <|eot_id|>\n- <|im_end|>\n",
		"<think> is a tag.\n[/INST] is another.", "[/INST] In May.", "<<SYS>> You are",
		"| `</s>` | end |\n|---|---|\n| <|im_end|> | end |\n",
		"In a line: <|im_start|>user\n",
		"\\`<|im_start|>` stands\n",
	}
	for _, text := range same {
		for _, n := range []int{1, 2, 7, 1000} {
			if got, cut := templateText(text, n); got != text || cut {
				t.Errorf("%q by %d: got %q, cut %t", text, n, got, cut)
			}
		}
	}
	for text, want := range map[string]string{
		"In May.</s>": "In May.", "In May.<|im_end|>\n": "In May.", "In May.\n<|eot_id|> ": "In May.\n", "<|im_end|>": "",
	} {
		for _, n := range []int{1, 4, 1000} {
			if got, cut := templateText(text, n); got != want || cut {
				t.Errorf("%q by %d: got %q, cut %t", text, n, got, cut)
			}
		}
	}
}

func FuzzTemplateFilter(f *testing.F) {
	for _, text := range []string{
		"In May.<|im_end|>\n<|im_start|>user", "``<|im_end|>`` </s>\n</s> x", "```\n<|im_start|>\n```\n[INST]x", "<s></s>\n<think>\n",
		"\\`[/INST]\n", "ü</s>\xff",
	} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, n int) {
		if len(text) > 1<<12 {
			return
		}
		whole, cut := templateText(text, len(text)+1)
		if split, alike := templateText(text, 1+max(0, n)%20); split != whole || alike != cut {
			t.Errorf("%q, cut %t; in pieces %q, cut %t", whole, cut, split, alike)
		}
		if !strings.HasPrefix(text, whole) && utf8.ValidString(text) {
			t.Errorf("%q is no beginning of it", whole)
		}
	})
}
