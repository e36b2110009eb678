// The ONNX graph of a BERT, with the weights of its model.safetensors.
import fs from 'node:fs';
import path from 'node:path';
import { float, message, number, text } from './protobuf.mjs';

const FLOAT = 1, INT64 = 7;

// Graph collects nodes and constants, which name their outputs themselves.
class Graph {
  nodes = [];
  constants = [];
  names = 0;

  node(operator, inputs, attributes = [], output = `v${++this.names}`) {
    this.nodes.push(message(1, inputs.map((name) => text(1, name)), text(2, output), text(4, operator), attributes));
    return output;
  }

  constant(type, shape, bytes) {
    const name = `c${++this.names}`;
    this.constants.push(message(5, shape.map((n) => number(1, n)), number(2, type), text(8, name), message(9, bytes)));
    return name;
  }

  scalar(x) { return this.constant(FLOAT, [], Buffer.from(Float32Array.of(x).buffer)); }
  integers(...list) { return this.constant(INT64, [list.length], Buffer.from(BigInt64Array.from(list, BigInt).buffer)); }
}

const integer = (name, value) => message(5, text(1, name), number(3, value), number(20, 2));
const integers = (name, values) => message(5, text(1, name), values.map((v) => number(8, v)), number(20, 7));
const real = (name, value) => message(5, text(1, name), float(2, value), number(20, 1));
const value = (field, name, type, shape) =>
  message(field, text(1, name), message(2, message(1, number(1, type),
    message(2, shape.map((n) => message(1, typeof n === 'number' ? number(1, n) : text(2, n)))))));

// tensors reads a safetensors file.
function tensors(file) {
  const data = fs.readFileSync(file);
  const start = 8 + Number(data.readBigUInt64LE(0));
  const header = JSON.parse(data.subarray(8, start));
  return (name) => ({ shape: header[name].shape, bytes: data.subarray(start + header[name].data_offsets[0], start + header[name].data_offsets[1]) });
}

// bert returns the bytes of a model from ids [texts, tokens] to the last layer's states at [CLS], [texts, hidden].
export function bert(folder) {
  const config = JSON.parse(fs.readFileSync(path.join(folder, 'config.json')));
  const weights = tensors(path.join(folder, 'model.safetensors'));
  const { hidden_size: hidden, num_attention_heads: heads, layer_norm_eps: epsilon } = config;
  const g = new Graph();
  const weight = (name) => { const w = weights(name); return g.constant(FLOAT, w.shape, w.bytes); };
  const norm = (x, at) => g.node('LayerNormalization', [x, weight(`${at}.weight`), weight(`${at}.bias`)], [integer('axis', 2), real('epsilon', epsilon)]);
  const linear = (x, at) => g.node('Add', [g.node('MatMul', [x, g.node('Transpose', [weight(`${at}.weight`)])]), weight(`${at}.bias`)]);
  const split = (x, order) => g.node('Transpose', [g.node('Reshape', [x, g.integers(0, 0, heads, hidden / heads)])], [integers('perm', order)]);
  const gelu = (x) => {
    const erf = g.node('Erf', [g.node('Div', [x, g.scalar(Math.SQRT2)])]);
    return g.node('Mul', [g.node('Mul', [x, g.node('Add', [erf, g.scalar(1)])]), g.scalar(0.5)]);
  };
  const attention = (x, at) => {
    const query = split(linear(x, `${at}.query`), [0, 2, 1, 3]);
    const key = split(linear(x, `${at}.key`), [0, 2, 3, 1]);
    const scores = g.node('Div', [g.node('MatMul', [query, key]), g.scalar(Math.sqrt(hidden / heads))]);
    const mixed = g.node('MatMul', [g.node('Softmax', [scores], [integer('axis', 3)]), split(linear(x, `${at}.value`), [0, 2, 1, 3])]);
    return g.node('Reshape', [g.node('Transpose', [mixed], [integers('perm', [0, 2, 1, 3])]), g.integers(0, 0, hidden)]);
  };

  const length = g.node('Slice', [g.node('Shape', ['ids']), g.integers(1), g.integers(2)]);
  const places = g.node('Slice', [weight('embeddings.position_embeddings.weight'), g.integers(0), length, g.integers(0)]);
  const kind = g.node('Slice', [weight('embeddings.token_type_embeddings.weight'), g.integers(0), g.integers(1), g.integers(0)]);
  const words = g.node('Gather', [weight('embeddings.word_embeddings.weight'), 'ids']);
  let x = norm(g.node('Add', [g.node('Add', [words, kind]), places]), 'embeddings.LayerNorm');
  for (let i = 0; i < config.num_hidden_layers; i++) {
    const at = `encoder.layer.${i}`;
    const attended = linear(attention(x, `${at}.attention.self`), `${at}.attention.output.dense`);
    x = norm(g.node('Add', [attended, x]), `${at}.attention.output.LayerNorm`);
    const fed = linear(gelu(linear(x, `${at}.intermediate.dense`)), `${at}.output.dense`);
    x = norm(g.node('Add', [fed, x]), `${at}.output.LayerNorm`);
  }
  g.node('Gather', [x, g.constant(INT64, [], Buffer.alloc(8))], [integer('axis', 1)], 'first');

  const graph = message(7, g.nodes, text(2, 'bert'), g.constants, value(11, 'ids', INT64, ['texts', 'tokens']), value(12, 'first', FLOAT, ['texts', hidden]));
  return Buffer.concat([number(1, 8), graph, message(8, text(1, ''), number(2, 17))]);
}
