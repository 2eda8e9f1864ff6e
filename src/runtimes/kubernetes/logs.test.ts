import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import type { KubernetesPod, PodContainer } from "../../observations/kubernetes-workloads.ts";
import type { LogOptions } from "../runtime.ts";
import type { ApiRefusal } from "./client/index.ts";
import { type LogPlace, readLogs } from "./logs.ts";
import { linesOf } from "../../../test/support/log-batches.ts";

const NOON = Date.UTC(2026, 2, 1, 12);
const pod = (name: string): KubernetesPod =>
  ({
    ...{ id: name, name, namespace: "shop", createdAt: new Date(NOON) },
    containers: [{ name: "web", kind: "app", state: "running", restartCount: 0, lastEnd: null } as PodContainer],
  }) as KubernetesPod;
const line = (second: number, text: string): string => `${new Date(NOON + second * 1000).toISOString()} ${text}\n`;
const REFUSED: ApiRefusal = { status: 500, reason: "InternalError", message: 'Get "https://10.0.0.9:10250": connection refused' };

/** A workload of pods by name: what each has written, or why its log is refused. */
function place(pods: Record<string, string | ApiRefusal>): LogPlace {
  return {
    workloadId: "w",
    cluster: {
      view: { podsOf: () => Object.keys(pods).map(pod) } as unknown as LogPlace["cluster"]["view"],
      subscribe: () => () => undefined,
    },
    client: {
      stream: async (path: string, { query }: Parameters<LogPlace["client"]["stream"]>[1]) => {
        const log = pods[path.split("/").at(-2) ?? ""] ?? "";
        if (typeof log !== "string") return { refused: log };
        return { body: Readable.from([Buffer.from(query?.["follow"] === "true" ? line(90, "later") : log)]) };
      },
    },
  };
}

const options = (facts: Partial<LogOptions> = {}): LogOptions => ({
  tail: 10,
  follow: false,
  signal: new AbortController().signal,
  ...facts,
});
async function read(of: LogPlace, { lines = Infinity, ...facts }: Partial<LogOptions> & { lines?: number } = {}): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of linesOf(readLogs(of, options(facts)))) if (texts.push(text) >= lines) break;
  return texts;
}

describe("the log of a workload", () => {
  it("has the lines of all of its pods, in the order of time", async () => {
    const pods = { a: line(1, "one") + line(3, "three"), b: line(2, "two") };
    assert.deepEqual(await read(place(pods)), ["[a] one", "[b] two", "[a] three"]);
  });

  it("says in a line which pod cannot be read, and has those of the others", async () => {
    assert.deepEqual(await read(place({ a: line(1, "one"), b: REFUSED })), [
      '[b] (not read: The log of shop/b cannot be read: Get "https://10.0.0.9:10250": connection refused)',
      "[a] one",
    ]);
  });

  it("leaves out a pod that went meanwhile", async () => {
    assert.deepEqual(await read(place({ a: line(1, "one"), b: { status: 404, reason: "NotFound", message: "gone" } })), ["[a] one"]);
  });

  it("cannot be read when none of its pods can", async () => {
    await assert.rejects(read(place({ a: REFUSED, b: REFUSED })), { code: "runtime_unavailable", message: /cannot be read/ });
  });

  it("follows the others when one cannot be followed", async () => {
    const texts = await read(place({ a: line(1, "one"), b: REFUSED }), { follow: true, lines: 4 });
    assert.deepEqual(
      texts
        .slice(2)
        .map((text) => text.slice(0, 14))
        .toSorted(),
      ["[a] later", "[b] (not read:"],
    );
  });
});
