import assert from "node:assert/strict";
import { it } from "node:test";
import { startMeasured } from "../../tools/bench/child.ts";
import { until } from "../support/until.ts";

const COUNT = 5000;

it(`lists and reconciles ${COUNT} containers, half of which change at once`, async () => {
  const program = await startMeasured("containers", [String(COUNT)]);
  try {
    const listed = async (query = ""): Promise<number> => {
      const body = await (await fetch(`http://127.0.0.1:${program.port}/api/v1/containers${query}`)).text();
      return Number(/"total":(\d+)/.exec(body)?.[1]);
    };
    await until(async () => (await listed()) === COUNT, { withinMs: 60_000, everyMs: 200 });
    for (const state of ["exited", "running"]) {
      await program.ask({ change: COUNT / 2, state });
      await until(async () => (await listed(`?state=${state}`)) >= COUNT / 2, { withinMs: 60_000, everyMs: 200 });
      await program.ask({ reconcile: true });
      assert.equal(await listed(), COUNT);
    }
  } finally {
    await program.stop();
  }
});
