/** What uses the program as people and jobs do: viewers with a stream, page polls, pings, and a target of checks that fails now and then. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Latencies } from "./latencies.ts";

const VIEWERS = 8;
const POLL_EVERY_MS = 500;
const PING_EVERY_MS = 1000;
const HEARTBEATS = 10;
const ENDPOINTS = 10;
/** Of so many seconds the target fails for so many, so that alerts come and go and messages are sent. */
const FAILURE = { everySeconds: 240, forSeconds: 45 };
const RECONNECT_MS = 1000;

/** Pages and lists, one after another. Those that begin with a name of `LATENCY_NAMES` count there, others as lists. */
const POLLED = [
  "/api/v1/health",
  "/api/v1/containers",
  "/api/v1/health",
  "/api/v1/resources/hosts",
  "/api/v1/endpoints",
  "/api/v1/health",
  "/api/v1/heartbeats",
  "/api/v1/alerts",
  "/api/v1/agents",
  "/api/v1/resources/top",
  "/",
];
export const LATENCY_NAMES = ["health", "list", "live lag"] as const;

export interface Load {
  /** While the program is restarted, what it does not answer is no fault. */
  pause(): void;
  resume(): void;
  /** Requests and faults so far. */
  counts(): { requests: number; events: number; messages: number; faults: string[] };
  stop(): Promise<void>;
}

export async function startLoad(url: string, latencies: Latencies): Promise<Load> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const counted = { requests: 0, events: 0, messages: 0 };
  const faults: string[] = [];
  let paused = false;

  const target = createServer((incoming, response) => {
    if (incoming.method === "POST") counted.messages += 1;
    const isFailing = (performance.now() / 1000) % FAILURE.everySeconds < FAILURE.forSeconds;
    incoming.resume().once("end", () => response.writeHead(incoming.method === "GET" && isFailing ? 500 : 200).end("ok"));
  }).listen(0, "127.0.0.1");
  await once(target, "listening");
  const address = target.address();
  const targetUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;

  const pings = await define(url, targetUrl);
  const poll = repeat(POLL_EVERY_MS, (turn) => {
    const path = POLLED[turn % POLLED.length] ?? "/";
    return request("GET", path, path.endsWith("/health") ? "health" : "list");
  });
  const ping = repeat(PING_EVERY_MS, (turn) => {
    const path = pings[Math.floor(turn / 2) % pings.length] ?? "/";
    return request("POST", turn % 2 === 0 ? `${path}/start` : `${path}/${turn % 97 === 0 ? 1 : 0}`, undefined);
  });
  const viewers = Array.from({ length: VIEWERS }, watch);

  async function request(method: string, path: string, latency: string | undefined): Promise<void> {
    const startedMs = performance.now();
    const wasPaused = paused;
    try {
      const answer = await fetch(url + path, { method, signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]) });
      await answer.arrayBuffer();
      counted.requests += 1;
      if (latency !== undefined) latencies.add(latency, performance.now() - startedMs);
      if (!answer.ok && !wasPaused && !paused) faults.push(`${method} ${path} answered ${answer.status}`);
    } catch (error) {
      if (!wasPaused && !paused && !signal.aborted) faults.push(`${method} ${path}: ${String(error)}`);
    }
  }

  /** Holds a stream open, and opens it again when it ends. */
  async function watch(): Promise<void> {
    for (; !signal.aborted; await sleep(RECONNECT_MS, signal)) {
      try {
        const { body } = await fetch(`${url}/api/v1/containers/events`, { signal });
        let rest = "";
        for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) rest = readEvents(rest + chunk);
      } catch {
        // Ended by a restart, or by us.
      }
    }
  }

  function readEvents(text: string): string {
    const messages = text.split("\n\n");
    const rest = messages.pop() ?? "";
    for (const message of messages) {
      counted.events += 1;
      const [, at] = /event: heartbeat\.pinged[\s\S]*"timestamp":"([^"]+)"/.exec(message) ?? [];
      if (at !== undefined) latencies.add("live lag", Date.now() - Date.parse(at));
    }
    return rest;
  }

  function repeat(everyMs: number, act: (turn: number) => Promise<void>): NodeJS.Timeout {
    let turn = 0;
    return setInterval(() => void act(turn++), everyMs);
  }

  return {
    pause: () => void (paused = true),
    resume: () => void (paused = false),
    counts: () => ({ ...counted, faults }),
    async stop() {
      clearInterval(poll);
      clearInterval(ping);
      stopping.abort();
      await Promise.all(viewers);
      target.closeAllConnections();
      target.close();
    },
  };
}

/** Makes heartbeats, endpoints and a channel; answers the paths of pings. */
async function define(url: string, targetUrl: string): Promise<string[]> {
  const pings: string[] = [];
  for (let number = 0; number < HEARTBEATS; number += 1) {
    const made = await post(url, "/api/v1/heartbeats", { name: `job ${number}`, interval_seconds: 300, grace_seconds: 60 });
    pings.push(new URL(String(made["ping_url"])).pathname);
  }
  for (let number = 0; number < ENDPOINTS; number += 1)
    await post(url, "/api/v1/endpoints", { type: "http", name: `page ${number}`, target: `${targetUrl}/${number}`, interval_seconds: 10 });
  const channel = await post(url, "/api/v1/channels", { name: "receiver", type: "webhook", url: `${targetUrl}/messages` });
  await post(url, `/api/v1/channels/${String(channel["id"])}/rules`, {});
  return pings;
}

async function post(url: string, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  // What is read of it is looked at.
  return JSON.parse(text) as Record<string, unknown>;
}

/** Ends early, without a fault, when it is not wanted any more. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
