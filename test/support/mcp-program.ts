import { LICENSES, mintLicense } from "../../tools/license.ts";
import { type Program, type ProgramOptions, startProgram } from "./program.ts";

/** The one client that the program knows. */
export const CLIENT = { id: "assistants-of-the-tests", secret: "4c1f-only-the-tests-know-this" } as const;

/** The options of a program that serves /mcp with credentials, with every feature granted, behind a proxy on this host. */
export function mcpEnv(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    SERVICE_MCP: "true",
    SERVICE_MCP_CLIENT_ID: CLIENT.id,
    SERVICE_MCP_CLIENT_SECRET: CLIENT.secret,
    SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
    SERVICE_LICENSE_KEY: mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 }),
    ...env,
  };
}

export interface McpProgram extends Program {
  dataDir: string;
  port: number;
  /** Where MCP is spoken. */
  mcpUrl: string;
  /** Each request comes from another address, so that the limits stay on and do not matter. */
  fetch: Fetch;
}

/** As clients take it. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The whole program with MCP over HTTP. */
export async function startMcpProgram({ env = {}, ...options }: ProgramOptions = {}): Promise<McpProgram> {
  const program = await startProgram({ ...options, env: mcpEnv(env) });
  return { ...program, mcpUrl: `${program.url}/mcp`, fetch: fetchFromEverywhere() };
}

/** A fetch whose requests each come from another address, as a trusted proxy reports it. */
export function fetchFromEverywhere(): Fetch {
  let count = 0;
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-forwarded-for", addressOf((count += 1)));
    return fetch(url, { ...init, headers });
  };
}

/** One of many addresses, out of a range that nobody else uses. */
export function addressOf(number: number): string {
  return `10.${(number >> 16) % 256}.${(number >> 8) % 256}.${number % 256}`;
}
