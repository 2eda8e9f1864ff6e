import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import type { Client } from "./search.ts";

/** One thing to do in a client, and what to copy for it. */
export interface Snippet {
  todo: string;
  code: string;
  /** What happens then. */
  after?: string;
}

export const CLIENT_NAMES: Readonly<Record<Client, string>> = {
  "claude-code": "Claude Code",
  claude: "Claude Desktop",
  "vs-code": "VS Code",
  cursor: "Cursor",
  other: "Others",
};

/** Where clients that do not answer on the person's own computer want to be sent. */
const REDIRECTS: Readonly<Partial<Record<Client, string>>> = {
  claude: "https://claude.ai/api/mcp/auth_callback",
  cursor: "cursor://anysphere.cursor-mcp/oauth/callback",
};

const SECRET = "the value of SERVICE_MCP_CLIENT_SECRET";
const PAGE = "Binnacle then asks you to allow access.";

/** How a client is connected over HTTP; undefined while that is off. */
export function httpSnippets(client: Client, { url, authentication, client_id: id, scopes }: McpView): Snippet[] | undefined {
  if (url === null) return undefined;
  const asked = authentication === "oauth" && id !== null;
  switch (client) {
    case "claude-code":
      return [
        {
          todo: "Run this in a shell.",
          code: shellLine([
            "claude",
            "mcp",
            "add",
            "--transport",
            "http",
            "binnacle",
            url,
            ...(asked ? ["--client-id", id, "--client-secret"] : []),
          ]),
          ...(asked && { after: `It asks for the secret, ${SECRET}. ${PAGE} If it does not, type /mcp in Claude Code.` }),
        },
      ];
    case "claude":
      return [
        {
          todo: `Under Settings, Connectors, add a custom connector with this address${asked ? `; under its advanced settings give the client id ${id} and ${SECRET}` : ""}.`,
          code: url,
          after:
            "Claude connects from the servers of its provider, so the address must begin with https:// and be reachable from the internet.",
        },
      ];
    case "vs-code":
      return [
        {
          todo: "Save this as .vscode/mcp.json, or add it to the existing file.",
          code: json({ servers: { binnacle: { type: "http", url } } }),
          ...(asked && { after: `When it is started, VS Code asks for the client id, ${id}, and for the secret, ${SECRET}. ${PAGE}` }),
        },
      ];
    case "cursor":
      return [
        {
          todo: "Add this to ~/.cursor/mcp.json.",
          code: json({
            mcpServers: {
              binnacle: {
                url,
                ...(asked && { auth: { CLIENT_ID: id, CLIENT_SECRET: "${env:BINNACLE_MCP_SECRET}", scopes } }),
              },
            },
          }),
          ...(asked && { after: `The variable BINNACLE_MCP_SECRET of its environment must hold the secret, ${SECRET}. ${PAGE}` }),
        },
      ];
    case "other":
      return [
        { todo: "The address, for a client that speaks Streamable HTTP.", code: url },
        ...(asked
          ? [
              {
                todo: "The client id, for OAuth 2.1 with PKCE.",
                code: id,
                after: `The client secret is ${SECRET}. Everything else a client finds by itself, beginning with the answer to its first request.`,
              },
            ]
          : []),
      ];
  }
}

/** How a client on the same host is connected without the network. */
export function stdioSnippet(client: Client, { stdio: { command } }: McpView): Snippet {
  const [program = "", ...args] = command;
  switch (client) {
    case "claude-code":
      return { todo: "Run this in a shell.", code: shellLine(["claude", "mcp", "add", "binnacle", "--", ...command]) };
    case "claude":
      return {
        todo: "Add this to claude_desktop_config.json, which Settings, Developer, Edit config opens, and start Claude again.",
        code: json({ mcpServers: { binnacle: { command: program, args } } }),
      };
    case "vs-code":
      return {
        todo: "Save this as .vscode/mcp.json, or add it to the existing file.",
        code: json({ servers: { binnacle: { type: "stdio", command: program, args } } }),
      };
    case "cursor":
      return { todo: "Add this to ~/.cursor/mcp.json.", code: json({ mcpServers: { binnacle: { command: program, args } } }) };
    case "other":
      return { todo: "The command that the client is to start; it speaks MCP over its input and output.", code: shellLine(command) };
  }
}

/** The setting that a client needs before it can be let in; undefined when nothing is missing. */
export function missingRedirect(client: Client, { authentication, redirect_uris: known }: McpView): string | undefined {
  const needed = REDIRECTS[client];
  if (authentication !== "oauth" || needed === undefined || known.includes(needed)) return undefined;
  return `SERVICE_MCP_REDIRECT_URIS=${[...known, needed].join(",")}`;
}

/** The lines that switch MCP on over HTTP. */
export function switchOn(secret: string): string {
  return ["SERVICE_MCP=true", "SERVICE_MCP_CLIENT_ID=assistant", `SERVICE_MCP_CLIENT_SECRET=${secret}`].join("\n");
}

/** Lists of words stand on one line. A line break within a text is escaped, so none is taken for one of the layout. */
function json(value: object): string {
  return JSON.stringify(value, undefined, 2).replace(
    /\[\n([^[\]{}]*)\n\s*\]/g,
    (_, words: string) => `[${words.trim().replace(/,\n\s*/g, ", ")}]`,
  );
}

/** Words of a shell, quoted where it would read them otherwise. */
function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}
