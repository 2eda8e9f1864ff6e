/**
 * Run by Node in a separate network: asks `argv[2]` (HOST:PORT) from the address `argv[3]`, a new connection each time, nine times a second: for the health,
 * or, with `ping` as `argv[4]`, pings a heartbeat that it makes first. Prints one JSON line an answer: its status (0: none) and how long it took.
 */
import { request } from "node:http";

const [, , at = "", localAddress = "", what = "health"] = process.argv;
const [host, port] = at.split(":");
/** The limit for pings of one client is ten a second. */
const EVERY_MS = 110;
const AGAIN_MS = 100;

interface Answered {
  status: number;
  body: string;
}

function ask(path: string, body?: string): Promise<Answered> {
  return new Promise((resolve) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const method = body === undefined ? "GET" : "POST";
    const asked = request({ host, port, path, method, headers, localAddress, agent: false, timeout: 5000 }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    asked.on("timeout", () => asked.destroy(new Error("no answer")));
    asked.on("error", () => resolve({ status: 0, body: "" }));
    asked.end(body);
  });
}

/** Once the program listens. */
async function makeHeartbeat(): Promise<string> {
  for (;;) {
    const { status, body } = await ask("/api/v1/heartbeats", JSON.stringify({ name: "job", interval_seconds: 60 }));
    if (status === 201) return (JSON.parse(body) as { uuid: string }).uuid;
    await pause(AGAIN_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const path = what === "ping" ? `/ping/${await makeHeartbeat()}` : "/api/v1/health";
for (;;) {
  const startedMs = performance.now();
  const { status } = await ask(path);
  process.stdout.write(`${JSON.stringify({ status, ms: performance.now() - startedMs })}\n`);
  await pause(EVERY_MS);
}
