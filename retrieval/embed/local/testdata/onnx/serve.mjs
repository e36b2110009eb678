// Runs a BERT in ONNX Runtime: node serve.mjs MODEL_FOLDER NODE_MODULES THREADS. Each line of the input is an array of texts of one
// length, arrays of ids; the answer is a line with the milliseconds that they took and the states at [CLS].
import { createRequire } from 'node:module';
import path from 'node:path';
import readline from 'node:readline';
import { bert } from './bert.mjs';

const [folder, modules, threads] = process.argv.slice(2);
const { InferenceSession, Tensor } = createRequire(path.join(modules, 'index.js'))('onnxruntime-node');
const session = await InferenceSession.create(bert(folder), { intraOpNumThreads: Number(threads), graphOptimizationLevel: 'all' });

for await (const line of readline.createInterface({ input: process.stdin })) {
  const texts = JSON.parse(line);
  const ids = new Tensor('int64', BigInt64Array.from(texts.flat(), BigInt), [texts.length, texts[0].length]);
  const start = performance.now();
  const { first } = await session.run({ ids });
  const milliseconds = performance.now() - start;
  console.log(JSON.stringify({ milliseconds, vectors: Array.from(first.data) }));
}
