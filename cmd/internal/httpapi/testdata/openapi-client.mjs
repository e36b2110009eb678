// Generates a client from the OpenAPI document of a server, compiles a program that uses it, and runs that.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const run = (tool, ...args) => execFileSync(process.execPath, [join(here, "node_modules", ...tool), ...args], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
writeFileSync(join(here, "openapi.json"), await (await fetch(process.env.LENS_URL + "/openapi.json")).text());
run(["openapi-typescript", "bin", "cli.js"], "openapi.json", "-o", "lens.ts");
writeFileSync(join(here, "program.mts"), `
import createClient from "openapi-fetch";
import type { paths } from "./lens.js";

const lens = createClient<paths>({ baseUrl: process.env.LENS_URL! });
const peek = await lens.GET("/retrieval/peek", { params: { query: { query: "bread", mode: "keyword", top_k: 5 } } });
const id: string = peek.data!.matches![0]!.turn_id;
const total: number = peek.data!.histogram.total;
const turn = await lens.GET("/retrieval/turn/{turn_id}", { params: { path: { turn_id: id } } });
const turns = await lens.GET("/retrieval/turns", { params: { query: { id: [id, "ffffffff"] } } });
const compared = await lens.GET("/retrieval/compare", { params: { query: { query: ["bread", "garden"] } } });
const wrong = await lens.GET("/retrieval/turn/{turn_id}", { params: { path: { turn_id: "zz" } } });
const hint: string | undefined = wrong.error!.error.hint;
const model = await lens.GET("/v1/models/{model}", { params: { path: { model: "lens" } } });
// @ts-expect-error: no such mode
void (() => lens.GET("/retrieval/peek", { params: { query: { query: "bread", mode: "psychic" } } }));
// @ts-expect-error: hits is required
void (() => lens.POST("/rerank", { body: {} }));
console.log(JSON.stringify({
  total, same: turn.data!.turn_id === id, read: turns.data!.turns!.length, missing: turns.data!.missing,
  compared: compared.data!.peeks!.length, code: wrong.error!.error.code, hint, model: model.data!.id,
}));
`);
writeFileSync(join(here, "package.json"), `{"type":"module"}`);
run(["typescript", "bin", "tsc"], "program.mts", "--module", "nodenext", "--target", "es2022", "--strict", "--skipLibCheck", "--types", "node");
console.log(execFileSync(process.execPath, [join(here, "program.mjs")], { cwd: here, stdio: ["ignore", "pipe", "inherit"] }).toString());
