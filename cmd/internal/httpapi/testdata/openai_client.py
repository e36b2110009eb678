# What a program written with OpenAI's Python package does with /v1. Prints what it got as JSON.
import json

from openai import APIStatusError, OpenAI

client = OpenAI(max_retries=0)  # reads OPENAI_BASE_URL and OPENAI_API_KEY
messages = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "When did I bake?"}]

models = [model.id for model in client.models.list()]
model = client.models.retrieve("lens")
whole = client.chat.completions.create(model="lens", messages=messages, temperature=0.5)

stream, total, finish = "", 0, ""
chunks = client.chat.completions.create(model="lens", messages=messages, stream=True, stream_options={"include_usage": True})
for chunk in chunks:
    for choice in chunk.choices:
        stream += choice.delta.content or ""
        finish = choice.finish_reason or finish
    if chunk.usage:
        total = chunk.usage.total_tokens


def failure(**request):
    try:
        client.chat.completions.create(**request)
    except APIStatusError as error:
        return {"status": error.status_code, "code": error.code, "type": error.type, "kind": type(error).__name__}


print(json.dumps({
    "models": models, "model": model.id, "whole": whole.choices[0].message.content, "turns": whole.lens["cited_turn_ids"],
    "finish": [whole.choices[0].finish_reason, finish], "stream": stream, "total": total,
    "refused": failure(model="gpt-5", messages=messages), "empty": failure(model="lens", messages=[]),
}))
