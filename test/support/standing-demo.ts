import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openPort } from "../../src/app/open-port.ts";
import { parseConfig } from "../../src/config/config.ts";
import { createDemo } from "../../src/demo/demo.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Top } from "../../src/monitoring/resources/answers.ts";
import { createStandingClock } from "./standing-clock.ts";
import { until } from "./until.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const STARTED_AT = new Date("2026-03-11T10:23:40.000Z");
/** Long enough that everything was checked once, and each host reported twice what its containers use. */
const RUNS_MS = 25_000;
/** Of real time in each second. */
const REAL_MS = 25;

/** The demo at one moment, the same in every run: what its pages show does not change. */
export interface StandingDemo {
  url: string;
  /** The moment, for the clock of a browser. */
  now: Date;
  /** The address of another client. While time stands still, the limit of requests of one client would never be over. */
  nextClient(): string;
  stop(): Promise<void>;
}

/** A browser names its client in a header that only a proxy may send. */
const demoEnv = (folder: string): Record<string, string> => ({
  SERVICE_DEMO: "true",
  SERVICE_ADDR: "127.0.0.1:0",
  SERVICE_DATA_DIR: folder,
  SERVICE_TRUSTED_PROXIES: "127.0.0.0/8",
});

/** Runs the demo in this process up to its moment. `webRoot` is the folder of a built web app, by default the product's. */
export async function startStandingDemo(webRoot = join(ROOT, "dist/web")): Promise<StandingDemo> {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-test-"));
  const clock = createStandingClock(STARTED_AT);
  const asked = parseConfig({ argv: [], env: demoEnv(folder) });
  if (!("config" in asked)) throw new Error("a demo is a server");
  const build = { version: "1.2.3", builtAt: STARTED_AT, publicKeyPem: undefined };
  const listener = await openPort(asked.config, build);
  const given = { build, webRoot, listener };
  const demo = await createDemo({ asked: asked.config, folder, given, clock, log: silentLog });
  const { url } = await demo.start();
  for (let turnedMs = 0; turnedMs < RUNS_MS; turnedMs += 100) {
    await clock.turn(100);
    // What was seen is saved in real time.
    if (turnedMs % 1000 === 0) await sleep(REAL_MS);
  }
  clock.stop();
  await until(async () => {
    const { consumers } = (await (await fetch(`${url}/api/v1/resources/top`)).json()) as Top;
    return consumers.length > 0;
  });
  let clients = 0;
  return {
    url,
    now: clock.now(),
    nextClient() {
      clients += 1;
      return `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}`;
    },
    async stop() {
      await demo.stop();
      await listener.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
