"""The protocol's Python client calls every file tool: python clients.py SERVER [ERA ...].

It lists and calls over standard input and output and over HTTP, in the newest revision and in the newest with a handshake. The
client itself validates every structured result against its tool's schema.
"""

import asyncio
import contextlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from mcp import Client, MCPError, StdioServerParameters

ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
TOOLS = ["edit", "glob", "grep", "read", "write"]


def texts(result):
    return "\n".join(block.text for block in result.content if getattr(block, "text", None) is not None)


def want(condition, what, result):
    if not condition:
        raise AssertionError(f"{what}: {result!r}")


async def call(client, name, arguments, in_text, in_value):
    result = await client.call_tool(name, arguments)
    want(not result.is_error, f"{name} succeeds", result)
    want(in_text in texts(result), f"the text of {name} has {in_text!r}", result)
    want(result.structured_content is not None, f"{name} has a value", result)
    want(in_value in json.dumps(result.structured_content), f"the value of {name} has {in_value!r}", result)


async def every_tool(client, era, directory):
    want(client.protocol_version == ERAS[era], "the revision is negotiated", client.protocol_version)
    tools = (await client.list_tools()).tools
    want([tool.name for tool in tools] == TOOLS, "the tools are listed", tools)
    for tool in tools:
        want(tool.description and tool.input_schema and tool.output_schema, "a tool is whole", tool)
    read = next(tool for tool in tools if tool.name == "read")
    want(read.annotations.read_only_hint is True, "read is read-only", read)

    await call(client, "write", {"path": "note.txt", "content": "first\nsecond\n"}, "note.txt", "note.txt")
    await call(client, "read", {"path": "note.txt"}, "second", "second")
    edit = {"path": "note.txt", "old_string": "second", "new_string": "third"}
    await call(client, "edit", edit, "note.txt", "note.txt")
    await call(client, "grep", {"pattern": "thir."}, "third", "third")
    await call(client, "glob", {"pattern": "**/*.txt"}, "note.txt", "note.txt")
    want((directory / "note.txt").read_text() == "first\nthird\n", "the file is changed", directory)

    wrong = await client.call_tool("read", {"path": 5, "ofset": 1})
    want(wrong.is_error, "wrong arguments are an error of the tool", wrong)
    want("/path" in texts(wrong) and "/ofset" in texts(wrong), "and name their places", wrong)
    missing = await client.call_tool("read", {"path": "missing.txt"})
    want(missing.is_error and missing.structured_content is None, "a failure has no value", missing)
    try:
        unknown = await client.call_tool("raed", {"path": "note.txt"})
    except MCPError as error:
        want(error.code == -32602 and "read" in error.message, "an unknown tool is told", error)
    else:
        raise AssertionError(f"an unknown tool is an error of the protocol: {unknown!r}")


@contextlib.contextmanager
def http_server(server, directory):
    command = [server, "serve", "--http", "127.0.0.1:0", str(directory)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        yield re.search(r"http://\S+", line).group()
    finally:
        process.terminate()
        code = process.wait(timeout=30)
        want(code == 0, "the server ends cleanly", code)
        want(process.stdout.read() == "", "nothing is printed", code)


async def main(server):
    for era in ERAS:
        with tempfile.TemporaryDirectory() as directory:
            parameters = StdioServerParameters(command=server, args=["serve", directory])
            async with Client(parameters, mode=era) as client:
                await every_tool(client, era, pathlib.Path(directory))
            print(f"{ERAS[era]} over standard input and output: every tool")
        with tempfile.TemporaryDirectory() as directory, http_server(server, directory) as url:
            async with Client(url, mode=era) as client:
                await every_tool(client, era, pathlib.Path(directory))
            print(f"{ERAS[era]} over HTTP: every tool")


asyncio.run(main(sys.argv[1]))
