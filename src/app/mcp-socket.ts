import { join } from "node:path";

/** Where an instance listens for assistants on its own host: the program with `--mcp-stdio` connects there. */
export function mcpSocketOf(dataDir: string): string {
  return join(dataDir, "mcp.sock");
}
