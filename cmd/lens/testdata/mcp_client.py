# What an assistant written in Python does with lens mcp. Prints what it got as JSON. The package itself holds structured output
# against the tools' schemas.
import asyncio
import json
import os

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

env = {name: os.environ[name] for name in ("PATH", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME") if name in os.environ}


async def main():
    server = StdioServerParameters(command=os.environ["LENS"], args=["mcp"], env=env)
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()

        async def call(tool, **arguments):
            return await client.call_tool(tool, arguments)

        tools = [tool.name for tool in (await client.list_tools()).tools]
        peek = (await call("peek", query="sourdough")).structured_content
        found = peek["matches"][0]["turn_id"]
        turn = (await call("turn", turn_id=found[:13])).structured_content
        turns = (await call("turns", turn_ids=[found, "ffffffff"])).structured_content
        compare = (await call("compare", queries=["sourdough", "rye"])).structured_content
        wrong = await call("turn", turn_id="ffffffff")
        resource = await client.read_resource(f"lens://turn/{found}")
        print(json.dumps({
            "tools": tools, "id": found, "turn": turn["turn_id"], "total": peek["histogram"]["total"], "missing": turns["missing"],
            "compared": len(compare["peeks"]), "refused": wrong.is_error, "wrong": wrong.content[0].text,
            "text": resource.contents[0].text,
        }))


asyncio.run(main())
