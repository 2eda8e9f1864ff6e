import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createLimiter } from "../../platform/queues.ts";
import { type CpuCounters, readCounters, Throttling, throttledShares } from "./throttling.ts";

/** Of one container, in the form in which kubelets from 1.20 on answer it. */
function lines(container: string, { periods, throttled, pod = "web-1" }: { periods: number; throttled: number; pod?: string }): string {
  const labels = `container="${container}",id="/kubepods/burstable/pod1/2",image="shop/web:1",name="k8s_${container}",namespace="shop",pod="${pod}"`;
  return [
    "# HELP container_cpu_cfs_periods_total Number of elapsed enforcement period intervals.",
    "# TYPE container_cpu_cfs_periods_total counter",
    `container_cpu_cfs_periods_total{${labels}} ${periods} 1700000000000`,
    `container_cpu_cfs_throttled_periods_total{${labels}} ${throttled} 1700000000000`,
    `container_cpu_cfs_throttled_seconds_total{${labels}} 12.5 1700000000000`,
    `container_memory_usage_bytes{${labels}} 4.2e+07 1700000000000`,
    "",
  ].join("\n");
}

/** What is read of an answer that comes in pieces of so many bytes. */
async function read(text: string, pieceBytes = 7): Promise<CpuCounters> {
  const to: CpuCounters = new Map();
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const client = { stream: () => Promise.resolve({ body: Readable.from(pieces) }) };
  assert.equal(await readCounters(client, "node-a", { to, signal: AbortSignal.timeout(60_000) }), "read");
  return to;
}

test("periods of containers are read, whatever the pieces in which they come", async () => {
  const text =
    lines("", { periods: 9, throttled: 9 }) + lines("app", { periods: 1e6, throttled: 40 }) + lines("log", { periods: 5, throttled: 0 });
  for (const pieceBytes of [1, 7, 4096, 1e6])
    assert.deepEqual(
      [...(await read(text, pieceBytes))],
      [
        ["shop/web-1/app", { periods: 1e6, throttled: 40 }],
        ["shop/web-1/log", { periods: 5, throttled: 0 }],
      ],
    );
});

test("lines that are not understood are left out", async () => {
  const to = await read(
    [
      "container_cpu_cfs_periods_total 5",
      'container_cpu_cfs_periods_total{pod="web-1"} 5',
      'container_cpu_cfs_periods_total{container="app",namespace="shop",pod="web-1"} many',
      `container_cpu_cfs_periods_total{${"x".repeat(100_000)}`,
      'container_cpu_cfs_periods_total{container="app",namespace="shop",pod="web-1"} 5',
      "",
    ].join("\n"),
    4096,
  );
  assert.deepEqual([...to], [["shop/web-1/app", { periods: 5, throttled: 0 }]]);
});

test("a pod is throttled as its most throttled container is, between two readings", async () => {
  const before = await read(
    lines("app", { periods: 100, throttled: 50 }) +
      lines("log", { periods: 100, throttled: 0 }) +
      lines("app", { periods: 100, throttled: 9, pod: "idle-1" }) +
      lines("app", { periods: 900, throttled: 9, pod: "restarted-1" }),
  );
  const after = await read(
    lines("app", { periods: 200, throttled: 60 }) +
      lines("log", { periods: 200, throttled: 75 }) +
      lines("app", { periods: 100, throttled: 9, pod: "idle-1" }) +
      lines("app", { periods: 50, throttled: 40, pod: "restarted-1" }) +
      lines("app", { periods: 50, throttled: 40, pod: "new-1" }),
  );
  assert.deepEqual(
    [...throttledShares(before, after)],
    [
      ["shop/web-1", 0.75],
      ["shop/idle-1", 0],
    ],
  );
});

test("a kubelet that refuses is not one that has no counters", async () => {
  const answers = [
    [403, "refused"],
    [401, "refused"],
    [404, "silent"],
    [503, "silent"],
  ] as const;
  for (const [status, expected] of answers) {
    const client = { stream: () => Promise.resolve({ refused: { status, reason: "", message: "" } }) };
    assert.equal(await readCounters(client as never, "node-a", { to: new Map(), signal: AbortSignal.timeout(60_000) }), expected);
  }
});

test("a kubelet that refuses does not keep the others from being read as often as before", async () => {
  const clock = createFakeClock();
  let isRefusing = (path: string): boolean => path.includes("node-b");
  const refused = { status: 403, reason: "", message: "" };
  const client = {
    stream: (path: string) =>
      Promise.resolve(isRefusing(path) ? { refused } : { body: Readable.from([Buffer.from(lines("app", COUNTED))]) }),
  };
  const throttling = new Throttling({ client, clock, everyMs: 60_000, refusedForMs: 300_000 });
  const isRead = async (): Promise<boolean> => {
    const options = { limit: createLimiter(1), signal: AbortSignal.timeout(60_000) };
    return (await throttling.read(["node-a", "node-b"], options)) !== undefined;
  };
  assert.equal(await isRead(), true);
  await clock.advance(60_000);
  assert.equal(await isRead(), true);
  isRefusing = () => true;
  await clock.advance(60_000);
  assert.equal(await isRead(), true);
  await clock.advance(60_000);
  assert.equal(await isRead(), false);
});

const COUNTED = { periods: 100, throttled: 50 };
