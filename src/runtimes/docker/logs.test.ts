import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type TestEngine, startEngine } from "../../../test/support/engine.ts";
import { type TestContainers, createTestContainers, importBusybox } from "../../../test/support/images.ts";
import { until } from "../../../test/support/until.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { LogLine, Runtime } from "../runtime.ts";
import { createDockerRuntime } from "./index.ts";
import { CUT_MARKER } from "../log-lines.ts";
import { linesOf } from "../../../test/support/log-batches.ts";

const signal = new AbortController().signal;

describe("logs of a real engine", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let runtime: Runtime;

  before(async () => {
    engine = await startEngine();
    await importBusybox(engine);
    containers = createTestContainers(engine);
    runtime = createDockerRuntime({ host: engine.host, clock: systemClock });
  });

  after(async () => {
    await runtime.close();
    await containers.removeAll();
    await engine.stop();
  });

  async function read(id: string, options: { tail?: number; since?: Date } = {}): Promise<LogLine[]> {
    return Array.fromAsync(linesOf(runtime.logs(id, { tail: 1000, follow: false, signal, ...options })));
  }

  async function finished(name: string, flags: string[], script: string): Promise<string> {
    const id = await containers.run(name, flags, "sh", "-c", script);
    await engine.docker("wait", id);
    return id;
  }

  it("reads both streams with their times", async () => {
    const id = await finished("streams", [], "echo out; echo err >&2; printf 'wün\\tde\\r\\nlast'");
    const lines = await read(id);
    assert.deepEqual(lines.map(({ stream, text }) => `${stream}:${text}`).toSorted(), [
      "stderr:err",
      "stdout:last",
      "stdout:out",
      "stdout:wün\tde",
    ]);
    assert.ok(lines.every(({ timestamp }) => timestamp !== null && Math.abs(timestamp.getTime() - Date.now()) < 60_000));
    assert.equal((await read(id, { tail: 2 })).length, 2);
    assert.deepEqual(await read(id, { since: new Date(Date.now() + 60_000) }), []);
  });

  it("follows a log to its last line, however slowly it is read", async () => {
    const id = await containers.run("behind", [], "sh", "-c", "yes 'GET /api/v1/orders/4711 200 12ms' | head -n 60000; echo last");
    const texts: string[] = [];
    for await (const batch of runtime.logs(id, { tail: 100_000, follow: true, signal })) {
      for (const { text } of batch) texts.push(text);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(texts.length, 60_001);
    assert.equal(texts.at(-1), "last");
  });

  it("ends without an error when the container is removed while its log is followed", async () => {
    const id = await containers.run("removed", [], "sh", "-c", "while :; do echo line; usleep 1000; done");
    let lines = 0;
    for await (const batch of runtime.logs(id, { tail: 10, follow: true, signal })) {
      if (lines === 0) await engine.docker("rm", "-f", id);
      lines += batch.length;
    }
    assert.ok(lines > 0);
  });

  it("reads a terminal's stream", async () => {
    const lines = await read(await finished("tty", ["-t"], "echo one; printf '\\033[31mred\\033[0m\\n'; echo err >&2"));
    assert.deepEqual(
      lines.map(({ stream, text }) => `${stream}:${text}`),
      ["stdout:one", "stdout:\u001b[31mred\u001b[0m", "stdout:err"],
    );
  });

  for (const [name, flags] of [
    ["multiplexed", []],
    ["terminal", ["-t"]],
    ["local-driver", ["--log-driver", "local"]],
  ] as const) {
    it(`keeps long lines whole and cuts one of 5 MB (${name})`, async () => {
      // The json-file driver itself breaks a character that lies across its messages of 16 KiB; none does here.
      const script = "yes é | tr -d '\\n' | head -c 40000; echo; head -c 5000000 /dev/zero | tr '\\0' y; echo; echo after";
      const lines = await read(await finished(`long-${name}`, [...flags], script));
      const digests = lines.map(({ text }) => text.replace(/é+|y{9,}/g, (run) => `${run[0]}*${run.length}`));
      assert.deepEqual(digests, ["é*20000", `y*65536${CUT_MARKER}`, "after"]);
    });
  }

  it("joins characters that lie across messages", async () => {
    const script = "printf x; yes é | tr -d '\\n' | head -c 40000; echo";
    const [line] = await read(await finished("split", ["--log-driver", "local"], script));
    assert.ok(line?.text === `x${"é".repeat(20_000)}`);
  });

  it("follows until the container ends", async () => {
    const id = await containers.run("follow", [], "sh", "-c", "for n in 1 2 3; do echo $n; sleep 0.2; done");
    const lines = await Array.fromAsync(linesOf(runtime.logs(id, { tail: 10, follow: true, signal })));
    assert.deepEqual(
      lines.map(({ text }) => text),
      ["1", "2", "3"],
    );
  });

  it("reads what comes slowly in few pieces, and what comes fast without waiting", async () => {
    let pausedMs = 0;
    const clock: Clock = {
      ...systemClock,
      after(delayMs, callback) {
        // The deadlines of requests are longer.
        if (delayMs <= 50) pausedMs += delayMs;
        return systemClock.after(delayMs, callback);
      },
    };
    const paced = createDockerRuntime({ host: engine.host, clock });
    const follow = async (name: string, script: string): Promise<{ lines: number; batches: number }> => {
      pausedMs = 0;
      const id = await containers.run(name, [], "sh", "-c", script);
      const count = { lines: 0, batches: 0 };
      for await (const batch of paced.logs(id, { tail: 100_000, follow: true, signal })) {
        count.batches += 1;
        count.lines += batch.length;
      }
      return count;
    };
    try {
      const slow = await follow("slow", "for n in $(seq 500); do echo a line; usleep 2000; done");
      assert.equal(slow.lines, 500);
      assert.ok(slow.batches < 100, `${slow.batches} pieces of 500 lines`);
      const fast = await follow("fast", "yes 'GET /api/v1/orders/4711 200 12ms upstream=10.0.0.7:8080' | head -n 100000");
      assert.equal(fast.lines, 100_000);
      assert.ok(pausedMs < fast.batches * 12, `${pausedMs} ms between ${fast.batches} pieces`);
    } finally {
      await paced.close();
    }
  });

  it("stops following when it is aborted", async () => {
    const id = await containers.run("endless", [], "sh", "-c", "while :; do echo tick; sleep 0.1; done");
    const stop = new AbortController();
    let count = 0;
    for await (const _line of runtime.logs(id, { tail: 0, follow: true, signal: stop.signal })) {
      count += 1;
      if (count === 3) stop.abort();
    }
    assert.equal(count, 3);
  });

  it("leaves the event stream its own connection, however many follow", async () => {
    const id = await containers.run("followed", [], "sh", "-c", "echo tick; sleep 3600");
    const stop = new AbortController();
    let reading = 0;
    const followers = Array.from({ length: 140 }, async () => {
      for await (const _line of runtime.logs(id, { tail: 1, follow: true, signal: stop.signal })) reading += 1;
    });
    await until(() => reading >= 128, { what: "as many followers as there are connections for them" });
    const opened = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const watching = (async () => {
      for await (const news of runtime.watch({ since: undefined, opened: opened.resolve, signal: stop.signal }))
        if (news.what === "container" && news.container.externalId === id && news.container.state === "paused") arrived.resolve();
    })();
    try {
      await opened.promise;
      await engine.docker("pause", id);
      await within(arrived.promise, "the event of the pause");
    } finally {
      stop.abort();
      await engine.docker("unpause", id);
      await Promise.all([...followers, watching]);
    }
  });

  it("says that a log driver keeps nothing, and that a container is unknown", async () => {
    const id = await containers.run("silent", ["--log-driver", "none"], "sleep", "3600");
    await assert.rejects(read(id), (error) => isServiceError(error, "conflict") && /log driver is `none`/.test(error.message));
    await assert.rejects(read("f".repeat(64)), (error) => isServiceError(error, "not_found"));
    await assert.rejects(read("../../info"), (error) => isServiceError(error, "invalid_request"));
  });
});

/** Fails with what was waited for after 20 seconds, long before the stream would be given up. */
async function within(promise: Promise<void>, what: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no ${what}`)), 20_000);
  await Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
