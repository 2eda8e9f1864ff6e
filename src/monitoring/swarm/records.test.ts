import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TaskRecord } from "./answers.ts";
import { usageOf } from "./records.ts";

const task = (resources: TaskRecord["resources"], facts: Partial<TaskRecord> = {}): TaskRecord =>
  ({ is_current: true, state: "running", resources, ...facts }) as TaskRecord;
const used = (share: number | null, cores: number | null, bytes: number | null): TaskRecord["resources"] => ({
  cpu_percent: share,
  cpu_cores_used: cores,
  memory_bytes: bytes,
});

describe("what a service uses", () => {
  it("is the sum of its running tasks that are seen", () => {
    const over = task(used(90, 4, 4000), { state: "failed", is_current: false });
    assert.deepEqual(usageOf([task(used(10, 0.5, 1000)), task(used(30, 1, 500)), task(null), over]), {
      memory_bytes: 1500,
      cpu_cores_used: 1.5,
      cpu_percent: 20,
      tasks_seen: 2,
      tasks_running: 3,
    });
  });

  it("is not known, and not nothing, where engines cannot measure it", () => {
    const { memory_bytes, cpu_cores_used, cpu_percent } = usageOf([task(used(null, null, null))]) ?? {};
    assert.deepEqual([memory_bytes, cpu_cores_used, cpu_percent], [null, null, null]);
    assert.equal(usageOf([task(null)]), null);
  });
});
