"""How does an agent framework keep its memory here? Each in its own terms: a module a framework, which needs that
framework and is imported by name (`from treering.faces.frameworks.langgraph import TreeringStore`).

A key of the framework (namespace, user, thread, path) is a space and a session by one rule a module, stated at its
head. Every adapter takes a door: `treering.open(…)`, or `treering.Client(…)` for one at a server.
"""
