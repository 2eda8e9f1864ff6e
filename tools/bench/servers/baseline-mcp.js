// The baseline of `mcp` over standard input and output: the SDK, one tool, and nothing else.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => new McpServer({ name: "bare", version: "0.0.0" }, { capabilities: { tools: {} } }));
