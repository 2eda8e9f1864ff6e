import { StartError } from "../platform/errors.ts";
import { redirectUri } from "./address-types.ts";
import type { Secret } from "./secret.ts";
import { clientCredential, list, longCredential, secret, toggle, type Option } from "./value-types.ts";

/** The options of the MCP server, as part of the table in options.ts. Source: specification, MCP authentication. */
export const MCP_OPTIONS = {
  mcp: {
    flag: "--mcp",
    env: "MCP",
    type: toggle,
    default: "false",
    help: "Serve AI assistants at /mcp. Needs the credentials of a client.",
  },
  mcpClientId: {
    flag: "--mcp-client-id",
    env: "MCP_CLIENT_ID",
    type: clientCredential,
    otherwise: "none; it is needed with SERVICE_MCP",
    help: "The id by which assistants ask for access (OAuth 2.1).",
  },
  mcpClientSecret: {
    flag: "--mcp-client-secret",
    env: "MCP_CLIENT_SECRET",
    type: secret(longCredential),
    otherwise: "none; it is needed with SERVICE_MCP",
    help: "The secret that goes with it, of 16 characters or more.",
  },
  mcpRedirectUris: {
    flag: "--mcp-redirect-uris",
    env: "MCP_REDIRECT_URIS",
    type: list(redirectUri),
    default: "",
    help: "Where an assistant's access may be sent, in addition to this computer: its redirect URIs, compared exactly.",
  },
  mcpAllowUnauthenticated: {
    flag: "--mcp-allow-unauthenticated",
    env: "MCP_ALLOW_UNAUTHENTICATED",
    type: toggle,
    default: "false",
    help: "Serve /mcp without credentials: whoever reaches the port may read everything.",
  },
  mcpStdio: {
    flag: "--mcp-stdio",
    env: "MCP_STDIO",
    type: toggle,
    default: "false",
    help: "Speak MCP over standard input and output, for an assistant on this host, through the instance that runs on the same data folder.",
  },
} as const satisfies Record<string, Option>;

/** How assistants reach /mcp. */
export type McpConfig =
  | { readonly kind: "oauth"; readonly clientId: string; readonly clientSecret: Secret; readonly redirectUris: readonly string[] }
  /** Without authentication, as was asked for. */
  | { readonly kind: "open" };

interface McpValues {
  readonly mcp: boolean;
  readonly mcpClientId: string | undefined;
  readonly mcpClientSecret: Secret | undefined;
  readonly mcpRedirectUris: readonly string[];
  readonly mcpAllowUnauthenticated: boolean;
  readonly mcpStdio: boolean;
  readonly mode: string;
}

/** The options of the MCP server as one; undefined when it is not asked for. Throws a StartError that names what is missing or does not go together. */
export function completeMcp(values: McpValues): McpConfig | undefined {
  const { mcpClientId: clientId, mcpClientSecret: clientSecret, mcpRedirectUris: redirectUris } = values;
  if (values.mcpStdio && values.mode === "agent") {
    throw new StartError("--mcp-stdio: an agent answers no assistant, its server does. Run it where that runs, without SERVICE_MODE=agent");
  }
  if (!values.mcp || values.mcpStdio) return undefined;
  if (clientId !== undefined && clientSecret !== undefined) return { kind: "oauth", clientId, clientSecret, redirectUris };
  if (clientId === undefined && clientSecret === undefined && values.mcpAllowUnauthenticated) return { kind: "open" };
  const missing = [
    ...(clientId === undefined ? ["SERVICE_MCP_CLIENT_ID"] : []),
    ...(clientSecret === undefined ? ["SERVICE_MCP_CLIENT_SECRET"] : []),
  ].join(" and ");
  throw new StartError(
    `${missing}: needed with SERVICE_MCP, so that not everybody who reaches the port can read what is watched. SERVICE_MCP_ALLOW_UNAUTHENTICATED=true, with neither of them set, serves without`,
  );
}
