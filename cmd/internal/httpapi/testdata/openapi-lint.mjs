// Lints the OpenAPI document of a server as Redocly recommends, and prints the problems as JSON.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const document = join(here, "openapi.json");
writeFileSync(document, await (await fetch(process.env.OPENAPI_URL)).text());
const redocly = join(here, "node_modules", "@redocly", "cli", "bin", "cli.js");
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
let report;
try {
  report = execFileSync(process.execPath, [redocly, "lint", "--extends=recommended", "--format=json", document], { env, cwd: here, stdio: ["ignore", "pipe", "ignore"] });
} catch (failed) {
  report = failed.stdout;
}
console.log(JSON.stringify(JSON.parse(report).problems.map((p) => `${p.severity} ${p.ruleId}: ${p.message} ${p.location?.[0]?.pointer ?? ""}`)));
