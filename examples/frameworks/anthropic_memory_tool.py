"""Anthropic's memory tool: files under /memories with a history. Give it to
`client.beta.messages.run_tools(tools=[tool])`."""

import tempfile
from pathlib import Path

import treering
from treering.faces.frameworks.anthropic_memory import TreeringMemoryTool


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "files.db") as mem:
        tool = TreeringMemoryTool(mem, "ann")
        tool.call({"command": "create", "path": "/memories/me.md", "file_text": "Drinks tea"})
        tool.call({"command": "str_replace", "path": "/memories/me.md", "old_str": "tea", "new_str": "coffee"})
        print(tool.call({"command": "view", "path": "/memories/me.md"}))
        for one in tool.history("/memories/me.md"):
            print(one.state.value, one.content)


if __name__ == "__main__":
    main()
