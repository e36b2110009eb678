"""Makes two tiny models of random weights, as sentence-transformers stores them, and what other programs compute
with them: a BERT whose words are cut by WordPiece, and an XLM-RoBERTa, in 16 bits, whose words are cut by a unigram
model behind a map of characters as SentencePiece compiles it.

usage: python3 make.py           (pip install onnxruntime onnx tokenizers safetensors sentencepiece numpy)
       python3 make.py FOLDER    tokens and vectors of a folder with real weights: FOLDER/golden.json

The ids are those of the tokenizers package, the vectors those of ONNX Runtime on the graph of ../minilm/reference.py.
"""
import io, json, os, random, sys, tempfile, unicodedata

import numpy as np
import onnxruntime as ort
import sentencepiece as spm
from safetensors.numpy import load_file, save_file
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "minilm"))
from reference import graph  # noqa: E402

SCRIPTS = {
    "Latin": "When did I start baking bread, and which flour did I use? The quick brown fox jumps over the lazy dog.",
    "Latin, accents": "Äpfel und Öl für die Großmutter; El niño comió jalapeños en São Paulo, đường phố Hà Nội, İstanbul.",
    "Cyrillic": "Привет, как дела? Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Όλα καλά; Ο Οδυσσέας.",
    "Arabic": "مرحبا بالعالم، كيف حالك اليوم؟ خرجنا إلى النهر.",
    "Hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה. שָׁלוֹם",
    "Devanagari": "नमस्ते दुनिया, आज मौसम कैसा है? हम नदी तक पैदल गए।",
    "Bengali": "ওহে বিশ্ব, তুমি কেমন আছো? আমরা নদীতে গিয়েছিলাম।",
    "Tamil": "வணக்கம் உலகம், நீங்கள் எப்படி இருக்கிறீர்கள்?",
    "Telugu": "నమస్కారం ప్రపంచం, మీరు ఎలా ఉన్నారు?",
    "Gujarati": "નમસ્તે દુનિયા, તમે કેમ છો?",
    "Gurmukhi": "ਸਤ ਸ੍ਰੀ ਅਕਾਲ, ਤੁਸੀਂ ਕਿਵੇਂ ਹੋ?",
    "Malayalam": "നമസ്കാരം ലോകം, സുഖമാണോ?",
    "Sinhala": "ආයුබෝවන් ලෝකය, ඔබට කොහොමද?",
    "Thai": "สวัสดีชาวโลก วันนี้อากาศเป็นอย่างไร เราเดินไปที่แม่น้ำ",
    "Lao": "ສະບາຍດີຊາວໂລກ ມື້ນີ້ເປັນແນວໃດ",
    "Khmer": "សួស្តីពិភពលោក តើអ្នកសុខសប្បាយទេ?",
    "Myanmar": "မင်္ဂလာပါကမ္ဘာလောက နေကောင်းလား။",
    "Tibetan": "བཀྲ་ཤིས་བདེ་ལེགས། འཛམ་གླིང་།",
    "Georgian": "გამარჯობა მსოფლიო, როგორ ხარ?",
    "Armenian": "Բարեւ աշխարհ, ինչպե՞ս ես։",
    "Ethiopic": "ሰላም ልዑል፣ እንዴት ነህ?",
    "Han": "当我开始烤面包的时候,用的是哪种面粉?我們走到河邊。",
    "Kana": "日本語のテキストです。カタカナとひらがな、ガギグゲゴ。",
    "Hangul": "안녕하세요 세계, 오늘 날씨가 어때요?",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ",
    "Cherokee": "ᎣᏏᏲ ᎡᎶᎯ",
}
EDGES = [
    "", " ", "a", "\n", "\u200b", "▁", "▁▁a ▁b",
    "two  blanks   three ", "  before and after  ", "tabs\tand\r\nlines\u00a0and\u2003blanks\u3000wide\u200b, \x07control\ufffd",
    "Ｆｕｌｌｗｉｄｔｈ ＡＢＣ！ ﬁnd the ﬂow ① ② Ⅳ ½ ㌔ ﾊﾝｶｸ ｶﾞ",
    "cafe\u0301 de\u0301ja\u0300 vu\u0308 A\u030a x\u0301\u0302\u0303 \u0301alone e\u0301\u0323",
    "각 각 \u1112\u1161\u11ab", "👩‍🍳 bakes 🍞 — 100 % rye! 👍🏽 🇫🇷🇩🇪 ❤️",
    "[CLS] is not [SEP], and [MASK]s are  [MASK]  tokens", "<s> is not </s>, and <mask>s are  <mask>  tokens<pad><unk>!",
    "func main() {\n\tfmt.Println(\"hello, world\")\n}", "It cost $1,234.56 (or €99) on 2024-02-29 at 12:34:56",
    "https://example.org/a/b?c=d&e=f#g", "supercalifragilisticexpialidocious" * 4, "İI ıi ẞß ΣΑΣ ǅ Ω K",
    "\u202bמימין\u202c \u200eleft\u200f soft\u00adhyphen zero\u200djoin\u200cer \ufeffmark", "ا\u0644\u0651\u064e\u0647 ﷺ ﻻ",
    "क\u094dष\u093f ക\u0d4d\u200d ක\u0dca\u200dර", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𠮷野家 𐍈 \U000e0001", "x\x00y \x7f \x85z \u2028 \u2029",
]
TEXTS = list(SCRIPTS.values()) + EDGES + [" ".join(list(SCRIPTS.values())[:3])]
HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 24, 2, 4, 48, 96


def rules():
    """Returns rules of normalization for SentencePiece: a part of those by which XLM-RoBERTa was trained."""
    blanks = [9, 10, 13, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x200B, 0x200E, 0x200F, 0xFEFF] + list(range(0x2000, 0x200B))
    rows = {(c,): (0x20,) for c in blanks}
    rows.update({(c,): () for c in [*range(1, 9), 0xB, 0xC, *range(0xE, 0x20), 0x7F, 0x8F, 0x9F]})
    for c in [*range(0xA8, 0x180), *range(0x2150, 0x2190), *range(0x2460, 0x2480), *range(0xFB00, 0xFB07), *range(0xFF01, 0xFF9F),
              0x3314, 0xFDFA, 0xFEFB, 0x2126, 0x212A, 0x1E9E]:
        for form in (chr(c), unicodedata.normalize("NFD", chr(c))):
            to = unicodedata.normalize("NFKC", form)
            if to != form:
                rows.setdefault(tuple(map(ord, form)), tuple(map(ord, to)))
    for c in "각한":
        rows[tuple(map(ord, unicodedata.normalize("NFD", c)))] = (ord(c),)
    return "".join("%s\t%s\n" % (" ".join("%X" % c for c in a), " ".join("%X" % c for c in b)) for a, b in sorted(rows.items()))


def charsmap():
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as f:
        f.write(rules())
        f.flush()
        spm.SentencePieceTrainer.train(sentence_iterator=iter(SCRIPTS.values()), model_writer=model, vocab_size=700,
                                       hard_vocab_limit=False, normalization_rule_tsv=f.name, minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model.getvalue())
    return proto.normalizer_spec.precompiled_charsmap


def pieces(words, count):
    """Returns the characters of words, but for some, and count of their parts, some of which overlap."""
    chosen = random.Random(7)
    letters = sorted(set("".join(words)))
    letters = [c for c in letters if c.isascii() or chosen.random() < 0.8]
    parts = set()
    while len(parts) < count:
        word = chosen.choice(words)
        at, size = chosen.randrange(len(word)), chosen.randrange(2, 7)
        if len(word[at:at + size]) > 1:
            parts.add(word[at:at + size])
    return letters, sorted(parts)


def wordpiece():
    normalizer, splitter = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    words = [word for text in SCRIPTS.values() for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]
    letters, parts = pieces(words, 150)
    starts, vocabulary = {word[:n] for word in words for n in range(2, 7)}, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary += letters + ["##" + c for c in letters] + [part if part in starts else "##" + part for part in parts]
    t = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(vocabulary)}, unk_token="[UNK]"))
    t.normalizer, t.pre_tokenizer = normalizer, splitter
    t.add_special_tokens(vocabulary[:5])
    t.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    return t


def unigram():
    normalizer = normalizers.Precompiled(charsmap())
    splitter = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    words = [word for text in SCRIPTS.values() for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]
    letters, parts = pieces(words, 400)
    chosen, special = random.Random(8), ["<s>", "<pad>", "</s>", "<unk>"]
    vocabulary = [(piece, 0.0) for piece in special]
    vocabulary += [(piece, -round(chosen.uniform(3, 12) + 2 * len(piece), 5)) for piece in letters + parts]
    vocabulary += [("<0x%02X>" % b, 0.0) for b in range(256)]
    t = Tokenizer(models.Unigram(vocabulary, unk_id=3))
    t.normalizer, t.pre_tokenizer = normalizer, splitter
    t.add_special_tokens(special)
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=False, special=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def weights(words, positions, types, kind):
    normal = np.random.default_rng(7).standard_normal
    made = {}

    def put(name, *shape, scale=1.0, mean=0.0):
        made[name] = (mean + scale * normal(shape)).astype(kind)

    def linear(name, out, into):
        put(name + ".weight", out, into, scale=into ** -0.5)
        put(name + ".bias", out, scale=0.1)

    def norm(name):
        put(name + ".weight", HIDDEN, scale=0.1, mean=1)
        put(name + ".bias", HIDDEN, scale=0.1)

    put("embeddings.word_embeddings.weight", words, HIDDEN)
    put("embeddings.position_embeddings.weight", positions, HIDDEN)
    put("embeddings.token_type_embeddings.weight", types, HIDDEN)
    norm("embeddings.LayerNorm")
    for i in range(LAYERS):
        at = "encoder.layer.%d." % i
        for part in ("query", "key", "value"):
            linear(at + "attention.self." + part, HIDDEN, HIDDEN)
        linear(at + "attention.output.dense", HIDDEN, HIDDEN)
        linear(at + "intermediate.dense", INNER, HIDDEN)
        linear(at + "output.dense", HIDDEN, INNER)
        norm(at + "attention.output.LayerNorm")
        norm(at + "output.LayerNorm")
    return made


def save(name, text):
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "w") as f:
        f.write(text)


def write(folder, tokenizer, config, kind, pooling, limit):
    config = {"hidden_act": "gelu", "hidden_size": HIDDEN, "intermediate_size": INNER, "num_attention_heads": HEADS,
              "num_hidden_layers": LAYERS, "position_embedding_type": "absolute", "vocab_size": tokenizer.get_vocab_size()} | config
    save(os.path.join(folder, "config.json"), json.dumps(config, indent=1))
    save(os.path.join(folder, "tokenizer.json"), tokenizer.to_str())
    modules = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    save(os.path.join(folder, "modules.json"), json.dumps([
        {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind}
        for i, (kind, path) in enumerate(modules)], indent=1))
    save(os.path.join(folder, "1_Pooling", "config.json"), json.dumps(
        {"word_embedding_dimension": HIDDEN, "pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean",
         "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False}, indent=1))
    save(os.path.join(folder, "sentence_bert_config.json"), json.dumps({"max_seq_length": limit, "do_lower_case": False}))
    save_file(weights(config["vocab_size"], config["max_position_embeddings"], config["type_vocab_size"], kind),
              os.path.join(folder, "model.safetensors"))


def positions(ids, config):
    """Returns the positions of tokens; for XLM-RoBERTa as in create_position_ids_from_input_ids of transformers."""
    if config["model_type"] != "xlm-roberta":
        return np.arange(len(ids), dtype=np.int64)
    pad = config["pad_token_id"]
    counted = np.array([i != pad for i in ids], np.int64)
    return np.cumsum(counted) * counted + pad


def rows(folder, limit, pooling, digits):
    """Returns the ids of each text, and the vector of what fits into limit tokens."""
    with open(os.path.join(folder, "config.json")) as f:
        config = json.load(f)
    loaded = {name: value.astype(np.float32) for name, value in load_file(os.path.join(folder, "model.safetensors")).items()
              if not name.endswith("position_ids")}
    session = ort.InferenceSession(graph(loaded, config, pooling).SerializeToString(), providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        row = {"text": text, "token_ids": ids}
        if len(ids) <= limit:
            feed = {"ids": np.array([ids], np.int64), "positions": positions(ids, config)[None]}
            row["vector"] = [float("%.*g" % (digits, x)) for x in session.run(None, feed)[0][0]]
        yield row


# How other folders write the same tokenizer, and what they may do differently. Each replaces members of tokenizer.json.
METASPACE = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
BLANKS = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}


def variants(file):
    strip = {"type": "Strip", "strip_left": False, "strip_right": True}
    yield "metaspace", {"pre_tokenizer": METASPACE}
    yield "strip and blanks", {"normalizer": {"type": "Sequence", "normalizers": [file["normalizer"], strip, BLANKS]}, "pre_tokenizer": METASPACE}
    yield "older metaspace", {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True}}
    yield "no prefix, no split", {"pre_tokenizer": METASPACE | {"prepend_scheme": "never", "split": False}}
    yield "bytes", {"model": file["model"] | {"byte_fallback": True}}
    yield "nfkc", {"normalizer": {"type": "NFKC"}}
    yield "normalized tokens", {"added_tokens": file["added_tokens"][:-1] + [file["added_tokens"][-1] | {"normalized": True, "rstrip": True}]}


def golden(path, about, texts):
    lines = [json.dumps(row, separators=(",", ":")) for row in texts]
    save(path, '{"made_by": %s, "texts": [\n%s\n]}\n' % (json.dumps("make.py, " + about), ",\n".join(lines)))


def main():
    about = "onnxruntime " + ort.__version__
    if len(sys.argv) > 1:
        golden(os.path.join(sys.argv[1], "golden.json"), about, rows(sys.argv[1], 512, "mean", 7))
        return
    bert, xlmr = os.path.join(HERE, "bert"), os.path.join(HERE, "xlm-roberta")
    write(bert, wordpiece(), {"architectures": ["BertModel"], "model_type": "bert", "layer_norm_eps": 1e-12, "pad_token_id": 0,
                              "max_position_embeddings": POSITIONS, "type_vocab_size": 2}, np.float32, "cls", POSITIONS)
    golden(os.path.join(bert, "golden.json"), about, rows(bert, POSITIONS, "cls", 6))
    write(xlmr, unigram(), {"architectures": ["XLMRobertaModel"], "model_type": "xlm-roberta", "layer_norm_eps": 1e-5,
                            "pad_token_id": 1, "max_position_embeddings": POSITIONS + 2, "type_vocab_size": 1}, np.float16, "mean", POSITIONS)
    golden(os.path.join(xlmr, "golden.json"), about, rows(xlmr, POSITIONS, "mean", 6))
    with open(os.path.join(xlmr, "tokenizer.json")) as f:
        file = json.load(f)
    changed = []
    for name, change in variants(file):
        t = Tokenizer.from_str(json.dumps(file | change))
        if "model" in change:
            change = {"model": {"byte_fallback": True}}
        changed.append({"name": name, "change": change, "token_ids": [t.encode(text).ids for text in TEXTS]})
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in changed)
    save(os.path.join(xlmr, "variants.json"), '{"made_by": "make.py", "variants": [\n%s\n]}\n' % lines)


main()
