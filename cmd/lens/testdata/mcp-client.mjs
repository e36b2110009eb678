// What an assistant written in TypeScript does with lens mcp. Prints what it got as JSON. The SDK itself holds structured output against
// the tools' schemas.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const client = new Client({ name: "test", version: "1" });
const env = Object.fromEntries(["PATH", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].map((name) => [name, process.env[name]]));
await client.connect(new StdioClientTransport({ command: process.env.LENS, args: ["mcp"], env }));

const { tools } = await client.listTools();
const peek = await client.callTool({ name: "peek", arguments: { query: "sourdough" } });
const id = peek.structuredContent.matches[0].turn_id;
const turn = await client.callTool({ name: "turn", arguments: { turn_id: id.slice(0, 13) } });
const activity = await client.callTool({ name: "activity", arguments: { bin: "year" } });
const compare = await client.callTool({ name: "compare", arguments: { queries: ["sourdough", "rye"] } });
const like = await client.callTool({ name: "peek", arguments: { like: id } });
const turns = await client.callTool({ name: "turns", arguments: { turn_ids: [id, "ffffffff"] } });
const wrong = await client.callTool({ name: "turn", arguments: { turn_id: "ffffffff" } });
const { resourceTemplates } = await client.listResourceTemplates();
const { contents } = await client.readResource({ uri: `lens://turn/${id}` });
const prompt = await client.getPrompt({ name: "investigate", arguments: { question: "When did I bake?" } });
await client.close();

console.log(JSON.stringify({
  tools: tools.map((tool) => tool.name), id, turn: turn.structuredContent.turn_id, total: activity.structuredContent.histogram.total,
  compared: compare.structuredContent.peeks.length, like: like.structuredContent.histogram.total,
  read: turns.structuredContent.turns.length, missing: turns.structuredContent.missing,
  wrong: wrong.content[0].text, template: resourceTemplates[0].uriTemplate, resource: contents[0].text, prompt: prompt.messages[0].content.text,
}));
