import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { it } from "node:test";
import { costLines, costTable } from "./costs.ts";
import { cpuSeconds } from "./cpu-time.ts";
import { isIsolated } from "./isolation.ts";

it("the summary names the dearest jobs first, ten at most", () => {
  const costs = Array.from({ length: 12 }, (_, index) => ({ files: [`${index}.test.ts`], cpuSeconds: index }));
  const [total, dearest, ...others] = costLines([...costs, { files: ["a.test.ts", "b.test.ts", "c.test.ts"], cpuSeconds: 20 }]);
  assert.deepEqual(
    [total, dearest, others[0], others.length],
    ["CPU of all files 86.0 s", "CPU 20.0 s a.test.ts and 2 more", "CPU 11.0 s 11.test.ts", 9],
  );
  assert.deepEqual(costLines([]), []);
});

it("the table has every job and all of its files", () => {
  const costs = [
    { files: ["a.test.ts"], cpuSeconds: 1 },
    { files: ["b.test.ts", "c.test.ts"], cpuSeconds: 2.25 },
  ];
  assert.equal(costTable(costs), "2.3 b.test.ts c.test.ts\n1.0 a.test.ts\n");
});

it("the time of processes that ended counts", () => {
  const before = cpuSeconds();
  const burnt = spawnSync(process.execPath, ["-e", "while (process.cpuUsage().user < 500_000);"]);
  assert.equal(burnt.status, 0);
  const after = cpuSeconds();
  if (!isIsolated()) return assert.deepEqual([before, after], [undefined, undefined]);
  assert.ok(before !== undefined && after !== undefined && after - before >= 0.45, `from ${before} to ${after}`);
});
