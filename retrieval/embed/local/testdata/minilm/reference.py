#!/usr/bin/env python3
"""Writes golden.json: token ids and vectors of all-MiniLM-L6-v2, computed by other programs than Lens.

usage: python3 reference.py FOLDER > golden.json        (pip install onnxruntime onnx tokenizers safetensors numpy)

FOLDER has the publisher's model.safetensors, tokenizer.json and config.json. The ids are those of the tokenizers
package. The vectors are computed by ONNX Runtime without graph optimizations, on a graph that is built here from the
weights: the mean of the last hidden states, divided by its length.
"""
import hashlib, json, os, sys

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto as T, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TEXTS = [
    "when did I start baking bread",
    "User: My starter smells of acetone. What should I do?\nAssistant: Feed it more often, and keep it cooler.",
    "How do I fix ERR_42 in foo-bar_baz.go?",
    "func main() {\n\tfmt.Println(\"hello, world\")\n}",
    "SELECT id, count(*) FROM turns WHERE create_time >= '2024-05-01' GROUP BY id;",
    "Äpfel und Öl für die Großmutter",
    "El niño comió jalapeños en São Paulo",
    "Trains from Tōkyō to 京都, please",
    "日本語のテキストです。",
    "Привет, как дела?",
    "Ολα καλα;",
    "مرحبا بالعالم",
    "👩‍🍳 bakes 🍞 — 100 % rye!",
    "It cost $1,234.56 (or €99) on 2024-02-29 at 12:34:56",
    "https://example.org/a/b?c=d&e=f#g",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "a",
    "[CLS] is not [SEP], and [MASK] is a token of its own",
    "tabs\tand\r\nlines\u00a0and\u2003blanks\u200b, \x07control\ufffd",
    " ".join("Then we left the house, turn %d, and walked to the river; nobody knew how long it would take." % i for i in range(18)),
]


def graph(weights, config, pooling="mean"):
    """Returns BERT with pooling: ids [1, n] and their positions to a unit vector."""
    nodes, constants = [], []
    hidden, heads = config["hidden_size"], config["num_attention_heads"]
    head = hidden // heads

    def constant(value, name=None):
        name = name or "c%d" % len(constants)
        constants.append(numpy_helper.from_array(value, name))
        return name

    def op(kind, *inputs, **attributes):
        name = "n%d" % len(nodes)
        nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def weight(name):
        return constant(weights[name].astype(np.float32), name)

    def linear(x, name):
        product = op("MatMul", x, constant(np.ascontiguousarray(weights[name + ".weight"].T), name))
        return op("Add", product, weight(name + ".bias"))

    def norm(x, name):
        return op("LayerNormalization", x, weight(name + ".weight"), weight(name + ".bias"),
                  axis=-1, epsilon=config["layer_norm_eps"])

    def split(x, order):
        shaped = op("Reshape", x, constant(np.array([1, -1, heads, head], np.int64)))
        return op("Transpose", shaped, perm=order)

    x = op("Gather", weight("embeddings.word_embeddings.weight"), "ids")
    x = op("Add", x, op("Gather", weight("embeddings.position_embeddings.weight"), "positions"))
    x = op("Add", x, constant(weights["embeddings.token_type_embeddings.weight"][0]))
    x = norm(x, "embeddings.LayerNorm")
    for i in range(config["num_hidden_layers"]):
        layer = "encoder.layer.%d." % i
        q = split(linear(x, layer + "attention.self.query"), [0, 2, 1, 3])
        k = split(linear(x, layer + "attention.self.key"), [0, 2, 3, 1])
        v = split(linear(x, layer + "attention.self.value"), [0, 2, 1, 3])
        scores = op("Div", op("MatMul", q, k), constant(np.array(head ** 0.5, np.float32)))
        mixed = op("Transpose", op("MatMul", op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
        mixed = op("Reshape", mixed, constant(np.array([1, -1, hidden], np.int64)))
        x = norm(op("Add", linear(mixed, layer + "attention.output.dense"), x), layer + "attention.output.LayerNorm")
        up = linear(x, layer + "intermediate.dense")
        erf = op("Erf", op("Div", up, constant(np.array(2 ** 0.5, np.float32))))
        gelu = op("Mul", op("Mul", up, constant(np.array(0.5, np.float32))), op("Add", erf, constant(np.array(1, np.float32))))
        x = norm(op("Add", linear(gelu, layer + "output.dense"), x), layer + "output.LayerNorm")
    if pooling == "mean":
        x = op("ReduceMean", x, constant(np.array([1], np.int64)), keepdims=0)
    else:
        x = op("Gather", x, constant(np.array(0, np.int64)), axis=1)
    nodes.append(helper.make_node("LpNormalization", [x], ["vector"], axis=-1, p=2))
    shape = lambda name: helper.make_tensor_value_info(name, T.INT64, [1, None])
    g = helper.make_graph(nodes, "bert", [shape("ids"), shape("positions")],
                          [helper.make_tensor_value_info("vector", T.FLOAT, [1, hidden])], constants)
    return helper.make_model(g, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def main(folder):
    path = os.path.join(folder, "model.safetensors")
    with open(path, "rb") as f:
        if hashlib.sha256(f.read()).hexdigest() != WEIGHTS:
            sys.exit("unexpected weights")
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        config = json.load(f)
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(graph(load_file(path), config).SerializeToString(), options,
                                   providers=["CPUExecutionProvider"])
    rows = []
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        assert len(ids) <= config["max_position_embeddings"], len(ids)
        feed = {"ids": np.array([ids], np.int64), "positions": np.arange(len(ids), dtype=np.int64)[None]}
        vector = session.run(None, feed)[0][0]
        rows.append(json.dumps({"text": text, "token_ids": ids, "vector": [float("%.7g" % x) for x in vector]},
                               ensure_ascii=True, separators=(",", ":")))
    versions = "onnxruntime %s, onnx %s" % (ort.__version__, onnx.__version__)
    print('{"made_by": %s, "texts": [\n%s\n]}' % (json.dumps("reference.py, " + versions), ",\n".join(rows)))


if __name__ == "__main__":
    main(sys.argv[1])
