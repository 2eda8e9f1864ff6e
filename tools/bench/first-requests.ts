import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { modernRequest } from "../../test/support/mcp-oauth.ts";
import { absoluteFigure, type Figure, median } from "./figure.ts";
import { startBuilt } from "./programs.ts";

/** After its start, until it does nothing that it was started for. */
const SETTLES_MS = 3000;
const AT_MOST_MS = 150;

interface Asked {
  what: string;
  path: string;
  headers?: Record<string, string>;
  /** With one it is a POST. */
  body?: string;
}

/** What is loaded when somebody first asks for it, and who asks. They ask in this order: what an assistant calls needs what its first request has loaded. */
const FIRST: readonly Asked[] = [
  { what: "the web app", path: "/", headers: { accept: "text/html" } },
  { what: "the OpenAPI document", path: "/api/v1/openapi.json" },
  { what: "an assistant's connection", path: "/mcp", ...modernRequest(1, "server/discover") },
  { what: "an assistant's list of tools", path: "/mcp", ...modernRequest(2, "tools/list") },
  { what: "an assistant's call", path: "/mcp", ...modernRequest(3, "tools/call", { name: "list_alerts", arguments: {} }) },
  { what: "the public page", path: "/status/", headers: { accept: "text/html" } },
  { what: "a scan for updates", path: "/api/v1/updates/scan", headers: { "content-type": "application/json" }, body: "{}" },
];

/** How long the first who asks for something waits, of several programs that were just started. */
export async function firstRequests(rounds: number): Promise<Figure[]> {
  const waited = new Map(FIRST.map(({ what }) => [what, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, ms] of await askOne()) waited.get(what)?.push(ms);
  }
  return Array.from(waited, ([what, times]) =>
    absoluteFigure({ name: `start: first request for ${what}`, value: median(times), unit: "ms", atMost: AT_MOST_MS }),
  );
}

async function askOne(): Promise<Map<string, number>> {
  const program = await startBuilt([], {
    SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock",
    SERVICE_MCP: "true",
    SERVICE_MCP_ALLOW_UNAUTHENTICATED: "true",
  });
  try {
    await wait(SETTLES_MS);
    const waited = new Map<string, number>();
    for (const asked of FIRST) {
      const startedMs = performance.now();
      await ask(program.url, asked);
      waited.set(asked.what, performance.now() - startedMs);
    }
    return waited;
  } finally {
    await program.stop();
  }
}

/** Waits for all of the answer. Throws when it is a refusal. */
async function ask(url: string, { what, path, headers = {}, body }: Asked): Promise<void> {
  const sent = request(url + path, { headers, method: body === undefined ? "GET" : "POST", agent: false });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  const isRefused = (response.statusCode ?? 0) >= 300 || (path === "/mcp" && !answer.includes('"result":'));
  if (isRefused) throw new Error(`${what}: ${response.statusCode} ${answer.slice(0, 200)}`);
}
