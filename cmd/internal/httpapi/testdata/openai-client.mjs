// What a chat client written with the official package does with /v1. Prints what it got as JSON.
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const messages = [{ role: "user", content: [{ type: "text", text: "When did I bake?" }] }];

const models = [];
for await (const model of client.models.list()) models.push(model.id);
const whole = await client.chat.completions.create({ model: "lens", messages });

let stream = "", total = 0;
for await (const chunk of await client.chat.completions.create({ model: "lens", messages, stream: true, stream_options: { include_usage: true } })) {
  stream += chunk.choices[0]?.delta.content ?? "";
  total = chunk.usage?.total_tokens ?? total;
}

const failure = async (request) => {
  try {
    await client.chat.completions.create(request);
  } catch (error) {
    return { status: error.status, code: error.code, type: error.type, message: error.message, kind: error.constructor.name };
  }
};
const refused = await failure({ model: "gpt-5", messages });
const image = await failure({ model: "lens", messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: "data:," } }] }] });

console.log(JSON.stringify({
  models, whole: whole.choices[0].message.content, turns: whole.lens.cited_turn_ids, stream, total, refused, image: image.message,
}));
