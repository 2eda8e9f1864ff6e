import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { discoverOAuth, modernRequest } from "../../test/support/mcp-oauth.ts";
import { CLIENT, fetchFromEverywhere } from "../../test/support/mcp-program.ts";
import { spawnStdio } from "../../test/support/mcp-stdio.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "../node-flags.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, median, percentile, ratioFigure } from "./figure.ts";
import { address } from "./load.ts";

const CONTAINERS = 1000;
const REST = "/api/v1/containers";

export const mcp: Bench = {
  name: "mcp",
  about: `tools/call list_containers with ${CONTAINERS} containers, one client with a token, against GET ${REST}; --mcp-stdio from its start to the tools, against the bare SDK to its first answer`,
  async run({ quick }) {
    const folder = temporaryFolder();
    const program = await startMeasured("mcp", [String(CONTAINERS), folder, CLIENT.id, CLIENT.secret]);
    try {
      const url = `http://127.0.0.1:${program.port}`;
      await until(async () => (await (await fetch(url + REST)).text()).includes(`"total":${CONTAINERS},`));
      return [...(await calls(program, quick)), await stdio(folder, quick)];
    } finally {
      await program.stop();
    }
  },
};

/** What one client waits for an answer, by turns with a plain request, so that both see the same neighbours; of each the middle one of several rounds. */
async function calls(program: MeasuredServer, quick: boolean): Promise<Figure[]> {
  const rounds = quick ? 3 : 10;
  const requests = quick ? 100 : 300;
  const token = await newToken(program);
  const ask = await openConnection(program.port);
  const call = modernRequest(1, "tools/call", { name: "list_containers", arguments: {} });
  const ours = (): Promise<string> => ask("POST", "/mcp", { ...call.headers, authorization: `Bearer ${token}` }, call.body);
  const theirs = (): Promise<string> => ask("GET", REST, {}, "");
  const answer = await ours();
  if (!answer.includes('"structuredContent"') || !answer.includes(`"total":${CONTAINERS}`))
    throw new Error(`answered ${answer.slice(0, 2000)}`);
  const measure = async (exchange: () => Promise<string>): Promise<number[]> => {
    const waited: number[] = [];
    for (let request = 0; request < requests; request += 1) {
      const startedMs = performance.now();
      await exchange();
      waited.push(performance.now() - startedMs);
    }
    return waited;
  };
  // Until both are warm.
  for (const exchange of [ours, theirs, ours, theirs]) await measure(exchange);
  const worst: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round += 1) {
    worst.ours.push(percentile(await measure(ours), 99));
    worst.theirs.push(percentile(await measure(theirs), 99));
  }
  ask.close();
  const value = median(worst.ours);
  return [
    absoluteFigure({ name: "mcp: list_containers, p99", value, unit: "ms", atMost: 20 }),
    ratioFigure({ name: "mcp: p99 against REST", value, baseline: median(worst.theirs), unit: "ms", atMost: 2 }),
  ];
}

async function newToken({ port }: MeasuredServer): Promise<string> {
  const client = await discoverOAuth({ mcpUrl: `http://127.0.0.1:${port}/mcp`, fetch: fetchFromEverywhere() });
  return (await client.authorize("monitor:read")).access_token;
}

interface Ask {
  (method: string, path: string, headers: Readonly<Record<string, string>>, body: string): Promise<string>;
  close(): void;
}

/** One kept connection; answers whole bodies, which must have a length. */
async function openConnection(port: number): Promise<Ask> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.setNoDelay(true);
  let count = 0;
  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>>, body: string): Promise<string> => {
    // Every request of another address, so that the limits of the specification stay on and do not matter.
    count += 1;
    const all = { host: `127.0.0.1:${port}`, "x-forwarded-for": address(count >> 16, count), ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = body === "" ? "" : `content-length: ${Buffer.byteLength(body)}\r\n`;
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join("")}${length}\r\n${body}`);
    return readAnswer(socket);
  };
  return Object.assign(ask, { close: () => void socket.destroy() });
}

async function readAnswer(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  let expected = Infinity;
  let headLength = 0;
  while (received < expected) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    chunks.push(chunk);
    received += chunk.length;
    if (expected !== Infinity) continue;
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n");
    if (end === -1) continue;
    const head = all.toString("latin1", 0, end);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    if (!head.startsWith("HTTP/1.1 200") || length === undefined) throw new Error(`answered ${all.toString("utf8", 0, 1000)}`);
    headLength = end + 4;
    expected = headLength + Number(length);
  }
  return Buffer.concat(chunks).toString("utf8", headLength);
}

/** From the start of the process to the list of tools, of an instance that runs beside it on this folder. */
async function stdio(folder: string, quick: boolean): Promise<Figure> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < (quick ? 3 : 9); round += 1) {
    ours.push(await startTo("tools/list", [...NODE_FLAGS, "dist/main.js", "--mcp-stdio", `--data-dir=${folder}`], NODE_ENVIRONMENT));
    theirs.push(await startTo("initialize", ["tools/bench/servers/baseline-mcp.js"]));
  }
  return ratioFigure({ name: "mcp: stdio, start to answer", value: median(ours), baseline: median(theirs), unit: "ms", atMost: 4 });
}

/** Milliseconds from the start of a process to its answer. */
async function startTo(
  method: "initialize" | "tools/list",
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const startedMs = performance.now();
  const child = spawnStdio(args, { HOME: process.env["HOME"] ?? "", ...env });
  try {
    const first = await child.initialize();
    const { error } = method === "initialize" ? first : await child.ask(method);
    if (error !== undefined) throw new Error(`answered ${error.message}`);
    return performance.now() - startedMs;
  } finally {
    await child.kill();
  }
}
