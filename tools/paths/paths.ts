import assert from "node:assert/strict";
import { createServer } from "../../src/app/server.ts";
import { buildInfo } from "../../src/config/build.ts";
import { parseConfig } from "../../src/config/config.ts";
import { pause, systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createFakeRuntime } from "../../test/support/fake-runtime.ts";
import { sparePort } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { startReceiver } from "../../test/support/receivers.ts";
import { type Travelled, travelled } from "./travelled.ts";

/** Where one part hands something to another that continues in a separate turn. */
const HAND_OFFS: Readonly<Record<string, string>> = {
  "src/collector/delivery.ts hold": "news of a runtime, behind a running listing",
  "src/monitoring/intake.ts observe": "observations of a host",
  "src/storage/writer.ts write": "units that share a commit",
  "src/platform/bus.ts publish": "events",
  "src/monitoring/containers/down-watch.ts evaluate": "containers that are down, when one is due",
  "src/monitoring/heartbeats/pings.ts receive": "pings that are saved together",
  "src/alerting/alerts/queue.ts add": "what events say of problems",
  "src/platform/dispatcher.ts poke": "messages that wait to be sent",
};

export interface Path {
  name: string;
  /** Files on the path. */
  files: string[];
  /** Files of others that receive its events, and what is done meanwhile. */
  listeners: string[];
  /** What was handed on. */
  handOffs: string[];
}

/** The path of a container's end, and that of a ping. All else that is called gets it from the bus, or observes the same. */
const END_PATH = /^src\/(runtimes|collector|alerting|storage|platform|contract|observations|events|monitoring\/(containers|intake))\b/;
const PING_PATH = /^src\/(http|storage|platform|contract|config|monitoring\/heartbeats)\b/;

/** Called meanwhile, and nothing of the path waits for it. */
const BESIDE: ReadonlySet<string> = new Set([
  // The end of a container's log is read in the background once its end was delivered.
  "src/collector/last-words.ts",
  // What is called of these, only listeners import.
  "src/contract/image-pattern.ts",
  "src/http/sse.ts",
]);

/** What the whole program calls from a container's end until a message about it has left, and from a ping until its answer. */
export async function measurePaths(): Promise<Path[]> {
  const receiver = await startReceiver();
  const runtime = createFakeRuntime(8);
  const { config, url } = await openConfig();
  const server = createServer({ config, build: buildInfo(), runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
  const send = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.ok, true, `${path}: ${answer.status}`);
    // An object by its schema.
    return (await answer.json()) as Record<string, unknown>;
  };
  await server.start();
  try {
    const channel = await send("/api/v1/channels", { name: "all", type: "webhook", url: `${receiver.url}/alerts` });
    await send(`/api/v1/channels/${String(channel["id"])}/rules`, { source: "container" });
    const heartbeat = await send("/api/v1/heartbeats", { name: "job", interval_seconds: 3600 });
    await pause(systemClock, 3000);

    const left = [...runtime.containers.keys()];
    const end = await travelled(async () => {
      const sent = receiver.received.length;
      runtime.change(left.shift() ?? "", { state: "exited", exitCode: 1, finishedAt: new Date() });
      await receiver.got(sent + 1);
    });
    const ping = await travelled(async () => {
      const answer = await fetch(`${url}/ping/${String(heartbeat["uuid"])}`);
      assert.equal(answer.status, 200, await answer.text());
    });
    return [pathOf("a container's end", END_PATH, end), pathOf("a ping", PING_PATH, ping)];
  } finally {
    await server.stop();
    await receiver.stop();
  }
}

function pathOf(name: string, path: RegExp, { files, calls }: Travelled): Path {
  const isOnPath = (file: string): boolean => path.test(file) && !BESIDE.has(file);
  return {
    name,
    files: files.filter(isOnPath),
    listeners: files.filter((file) => !isOnPath(file)),
    handOffs: Object.entries(HAND_OFFS).flatMap(([key, what]) => (calls(key) ? [what] : [])),
  };
}

async function openConfig() {
  const address = `127.0.0.1:${await sparePort()}`;
  const env = { SERVICE_ADDR: address, SERVICE_DATA_DIR: temporaryFolder(), SERVICE_CONTAINER_DOWN_AFTER: "1s" };
  const start = parseConfig({ argv: [], env: { ...env, SERVICE_ALLOW_PRIVATE_WEBHOOKS: "true" } });
  assert.ok("config" in start, JSON.stringify(start));
  return { config: start.config, url: `http://${address}` };
}
