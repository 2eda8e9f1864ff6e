import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { createNetworks } from "../support/networks.ts";
import { temporaryFolder } from "../support/program.ts";
import { until } from "../support/until.ts";

const HONEST = "10.78.0.1";
const PORT = 18_080;
const SETTLED_REPORTS = 5;

test("who holds as many half-sent requests as it can shuts nobody else out", { timeout: 120_000 }, async (t) => {
  const networks = createNetworks([HONEST]);
  t.after(() => networks.remove());
  const env = [`--addr=0.0.0.0:${PORT}`, `--data-dir=${temporaryFolder()}`, "--log-level=error"];
  networks.inside("dist/main.js", ...env).stdout?.resume();
  const honest = networks.outside("test/support/honest.ts", `10.77.0.2:${PORT}`, HONEST);
  const answers: { status: number; ms: number }[] = [];
  createInterface({ input: honest.stdout ?? process.stdin }).on("line", (line) => answers.push(JSON.parse(line)));
  await until(() => answers.some(({ status }) => status === 200), { withinMs: 30_000, everyMs: 50 });

  const strangers = networks.outside("test/support/strangers.ts", `10.77.0.2:${PORT}`, "", "1000");
  const open: number[] = [];
  createInterface({ input: strangers.stdout ?? process.stdin }).on("line", (line) => open.push(JSON.parse(line).http));
  await until(() => open.length >= 3, { withinMs: 30_000, everyMs: 50 });
  answers.length = 0;
  await until(() => answers.length >= 20, { withinMs: 30_000, everyMs: 50 });
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  assert.ok(Math.max(...open) > 100, "the strangers came");
  // What a held up server has not yet turned away is open for a while.
  await until(() => open.slice(-SETTLED_REPORTS).some((count) => count > 100 && count <= 256), { withinMs: 30_000, everyMs: 50 });
});
