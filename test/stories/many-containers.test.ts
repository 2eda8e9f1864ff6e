import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { it } from "node:test";
import { createServer } from "../../src/app/server.ts";
import { parseConfig } from "../../src/config/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createFakeRuntime } from "../support/fake-runtime.ts";
import { listen } from "../support/event-source.ts";
import { sparePort } from "../support/postgres.ts";
import { temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const COUNT = 5000;
const LONGEST_BLOCK_MS = 50;

it(`lists and reconciles ${COUNT} containers without holding up the event loop for more than ${LONGEST_BLOCK_MS} ms`, async () => {
  const port = await sparePort();
  const start = parseConfig({ argv: [`--addr=127.0.0.1:${port}`, `--data-dir=${temporaryFolder()}`], env: {} });
  assert.ok("config" in start);
  const runtime = createFakeRuntime(COUNT);
  const build = { version: "0.0.0", builtAt: new Date(), publicKeyPem: undefined };
  const server = createServer({ config: start.config, build, runtime, webRoot: "dist/web", clock: systemClock, log: silentLog });
  await server.start();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  try {
    const url = `http://127.0.0.1:${port}/api/v1/containers`;
    const listsAll = async (): Promise<boolean> => (await (await fetch(url)).text()).includes(`"total":${COUNT},`);
    const events = await listen(`${url}/events?types=container.state_changed`);
    await until(listsAll, { withinMs: 60_000, everyMs: 200 });

    for (const externalId of [...runtime.containers.keys()].slice(0, COUNT / 2))
      runtime.change(externalId, { state: "exited", exitCode: 1 });
    await until(() => events.events.filter(({ type }) => type === "container.state_changed").length === COUNT / 2, { withinMs: 60_000 });
    assert.ok(await listsAll());
    delay.disable();
    events.close();
    assert.ok(delay.max / 1e6 <= LONGEST_BLOCK_MS, `held up for ${(delay.max / 1e6).toFixed(0)} ms`);
  } finally {
    await server.stop();
  }
});
