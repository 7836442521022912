"""Claude Agent SDK: tools in this process, and what is known told with each prompt. A client of the protocol stands for
Claude here; with an account, give the same options to `claude_agent_sdk.query`."""

import asyncio
import tempfile
from pathlib import Path

from claude_agent_sdk import ClaudeAgentOptions
from mcp import Client

import treering
from treering.faces.frameworks.claude_agent import TOOLS, treering_hooks, treering_server


async def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "ai.db") as mem:
        options = ClaudeAgentOptions(
            mcp_servers={"treering": treering_server(mem, "ann")},
            allowed_tools=TOOLS,
            hooks=treering_hooks(mem, "ann"),
        )
        async with Client(options.mcp_servers["treering"]["instance"]) as claude:
            await claude.call_tool("remember", {"what": "My dog is called Rex."})
            print((await claude.call_tool("recall", {"question": "What is the dog called?"})).content[0].text)
        [told] = options.hooks["UserPromptSubmit"][0].hooks
        print(await told({"prompt": "What is my dog called?"}, None, {"signal": None}))


if __name__ == "__main__":
    asyncio.run(main())
