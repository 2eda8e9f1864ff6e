import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { until } from "../../test/support/until.ts";
import type { Observation } from "../observations.ts";
import { ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import type {
  ContainerUsage,
  LogLine,
  LogOptions,
  Runtime,
  RuntimeContainer,
  RuntimeDescription,
  RuntimeNews,
} from "../runtimes/runtime.ts";
import { type FakeClock, createFakeClock } from "../../test/support/fake-clock.ts";
import { fakeContainer } from "../../test/support/fake-runtime.ts";
import { type ContainerCollector, type RuntimeStatus, createContainerCollector } from "./containers.ts";

const START = new Date("2026-03-01T12:00:00.000Z");

/** A runtime whose every step the test takes. */
class ScriptedRuntime implements Runtime {
  readonly kind = "docker";
  readonly address = "unix:///scripted.sock";
  networkAddresses = () => [];
  containers: RuntimeContainer[] = [];
  failure: ServiceError | undefined;
  events = true;
  /** While set, listings wait for it. */
  listing: Promise<void> | undefined;
  lines: LogLine[] = [];
  logOptions: LogOptions[] = [];
  askedSince: (string | Date | undefined)[] = [];
  listings = 0;
  isManager = false;
  now: () => Date;
  #queue: (RuntimeNews | ServiceError)[] = [];
  #wake = (): void => {};

  constructor(now: () => Date) {
    this.now = now;
  }

  async describe(): Promise<RuntimeDescription> {
    if (this.failure !== undefined) throw this.failure;
    return {
      version: "1",
      apiVersion: "1.41",
      hostname: "h",
      operatingSystem: "Harbour OS",
      capabilities: { events: this.events, stats: true, logs: true, swarm: this.isManager, metrics: false },
      missing: this.events ? [] : ["GET /events is denied."],
    };
  }

  async inventory(): Promise<{ at: Date; containers: RuntimeContainer[] }> {
    this.listings += 1;
    const listedAt = this.now();
    await this.listing;
    if (this.failure !== undefined) throw this.failure;
    return { at: listedAt, containers: this.containers };
  }

  async *watch({ since, opened, signal }: Parameters<Runtime["watch"]>[0]): AsyncGenerator<RuntimeNews> {
    this.askedSince.push(since);
    opened();
    while (!signal.aborted) {
      const next = this.#queue.shift();
      if (next instanceof ServiceError) throw next;
      if (next !== undefined) yield next;
      else await this.#something(signal);
    }
  }

  async *logs(_id: string, options: LogOptions): AsyncGenerator<LogLine[]> {
    this.logOptions.push(options);
    yield this.lines;
  }

  async stats(): Promise<ContainerUsage[]> {
    return [];
  }

  async close(): Promise<void> {}

  report(...news: (RuntimeNews | ServiceError)[]): void {
    this.#queue.push(...news);
    this.#wake();
  }

  #something(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}

describe("container collector", () => {
  let clock: FakeClock;
  let runtime: ScriptedRuntime;
  let collector: ContainerCollector;
  let observed: Observation[];
  let statuses: RuntimeStatus[];

  beforeEach(() => {
    clock = createFakeClock(START);
    runtime = new ScriptedRuntime(() => clock.now());
    observed = [];
    statuses = [];
    collector = createContainerCollector({
      runtime,
      sink: { observe: (_agentId, observation) => void observed.push(observation) },
      agentId: null,
      clock,
      log: silentLog,
      resumeFrom: () => new Date("2026-03-01T11:00:00.000Z"),
      onStatus: (status) => void statuses.push(status),
    });
  });

  afterEach(() => collector.stop());

  const kinds = (): string[] => observed.map(({ kind }) => kind);

  it("describes the runtime again when it is asked to, while it is connected", async () => {
    runtime.isManager = true;
    await collector.describeAgain();
    assert.equal(collector.status().connected, false);
    runtime.isManager = false;
    collector.start();
    await until(() => collector.status().connected);
    const { since } = collector.status();
    runtime.isManager = true;
    await collector.describeAgain();
    assert.equal(collector.status().capabilities.swarm, true);
    assert.deepEqual([statuses.at(-1)?.capabilities.swarm, collector.status().since], [true, since]);
  });

  it("lists first, then reports what happens, with labels read", async () => {
    runtime.containers = [container("a", { labels: { "service.group": "web", "service.ignore": "what" } })];
    collector.start();
    await clock.advance(0);
    runtime.report(seen("a", { state: "paused" }, 5), gone("a", 6));
    await clock.advance(0);
    assert.deepEqual(kinds(), ["container.inventory", "container.seen", "container.gone"]);
    const [inventory] = observed;
    assert.ok(inventory?.kind === "container.inventory");
    assert.equal(inventory.containers[0]?.settings.group, "web");
    assert.equal(inventory.containers[0]?.labelErrors[0]?.label, "service.ignore");
    assert.equal(collector.status().connected, true);
    assert.deepEqual(runtime.askedSince, [new Date("2026-03-01T11:00:00.000Z")]);
  });

  it("puts news that come while listing before or after the listing, by their time", async () => {
    const gate = Promise.withResolvers<void>();
    runtime.listing = gate.promise;
    collector.start();
    await clock.advance(0);
    runtime.report(seen("a", {}, 1), seen("b", {}, -1));
    await clock.advance(0);
    assert.deepEqual(kinds(), []);
    gate.resolve();
    await clock.advance(0);
    assert.deepEqual(kinds(), ["container.seen", "container.inventory", "container.seen"]);
    assert.ok(observed[0]?.kind === "container.seen" && observed[0].container.externalId === id("b"));
  });

  it("reports what came during a listing that was given up, though the stream continues", async () => {
    collector.start();
    await clock.advance(0);
    const gate = Promise.withResolvers<void>();
    runtime.listing = gate.promise;
    const refreshed = assert.rejects(collector.refresh(new AbortController().signal), /The link is gone/);
    await clock.advance(0);
    runtime.report(seen("a", {}, 1));
    await clock.advance(0);
    gate.reject(new ServiceError("runtime_unavailable", "The link is gone."));
    await refreshed;
    runtime.listing = undefined;
    runtime.report(seen("b", {}, 2));
    await clock.advance(0);
    assert.deepEqual(kinds(), ["container.inventory", "container.seen", "container.seen"]);
    assert.equal(runtime.askedSince.length, 1);
  });

  it("says why it is not connected, tries again ever more slowly, and lists again once it is", async () => {
    runtime.failure = new ServiceError("runtime_unavailable", "No engine.");
    collector.start();
    await clock.advance(0);
    assert.deepEqual([collector.status().connected, collector.status().error], [false, "No engine."]);
    await clock.advance(120_000);
    assert.ok(statuses.length >= 20 && statuses.length <= 45, `${statuses.length} tries in two minutes`);
    assert.deepEqual(collector.status().since, START);
    runtime.failure = undefined;
    await clock.advance(40_000);
    assert.deepEqual([collector.status().connected, collector.status().error], [true, null]);
    assert.equal(kinds()[0], "container.inventory");
  });

  it("resumes after a broken stream where it was, and lists again", async () => {
    collector.start();
    await clock.advance(0);
    runtime.report(seen("a", {}, 1), new ServiceError("runtime_unavailable", "The stream broke."));
    await clock.advance(0);
    const { connected, error, hostname, operatingSystem } = collector.status();
    assert.deepEqual([connected, error, hostname, operatingSystem], [false, "The stream broke.", "h", "Harbour OS"]);
    await clock.advance(2_000);
    assert.equal(collector.status().connected, true);
    assert.equal(runtime.askedSince[1], "cursor-1");
    assert.deepEqual(kinds(), ["container.inventory", "container.seen", "host.watched", "container.inventory"]);
  });

  it("counts as watched only the time of connections, by the runtime's clock", async () => {
    runtime.now = () => new Date(clock.now().getTime() + 3_600_000);
    collector.start();
    await clock.advance(25_000);
    runtime.report(new ServiceError("runtime_unavailable", "Gone."));
    runtime.failure = new ServiceError("runtime_unavailable", "Gone.");
    await clock.advance(60_000);
    runtime.failure = undefined;
    await clock.advance(60_000);
    await collector.stop();
    const spans = observed.flatMap((observation) => (observation.kind === "host.watched" ? [observation] : []));
    const first = spans.filter(({ since }) => since.getTime() === START.getTime() + 3_600_000);
    assert.deepEqual(
      first.map(({ observedAt }) => observedAt.getTime() - START.getTime() - 3_600_000),
      [10_000, 20_000, 25_000],
    );
    const second = spans.slice(first.length);
    assert.ok(second.length > 0 && second.every(({ since }) => since.getTime() >= START.getTime() + 3_600_000 + 85_000));
  });

  it("lists again every five minutes", async () => {
    collector.start();
    await clock.advance(299_000);
    assert.equal(runtime.listings, 1);
    await clock.advance(1_000);
    assert.equal(runtime.listings, 2);
  });

  it("lists every ten seconds where events are denied, and says so", async () => {
    runtime.events = false;
    collector.start();
    await clock.advance(30_000);
    assert.equal(runtime.listings, 4);
    assert.deepEqual(collector.status().missing, ["GET /events is denied."]);
    assert.equal(collector.status().connected, true);
  });

  for (const [direction, jumpMs] of [
    ["back", -7_200_000],
    ["forward", 7_200_000],
  ] as const) {
    it(`lists again and begins a new watched span when the runtime's clock jumps ${direction}`, async () => {
      collector.start();
      await clock.advance(15_000);
      clock.jump(new Date(clock.now().getTime() + jumpMs));
      runtime.report({ ...seen("a", {}, 0), at: clock.now() });
      await clock.advance(0);
      assert.equal(runtime.listings, 2);
      await clock.advance(10_000);
      const span = observed.findLast(({ kind }) => kind === "host.watched");
      assert.ok(span?.kind === "host.watched" && span.since <= span.observedAt);
      assert.equal(span.since.getTime(), START.getTime() + 15_000 + jumpMs);
      assert.equal(collector.status().connected, true);
    });
  }

  it("reads the last words of what ended, up to its end", async () => {
    runtime.lines = [
      { timestamp: at(1), stream: "stdout", text: "start\u001b[31m" },
      { timestamp: at(2), stream: "stderr", text: "pa\0nic" },
      { timestamp: at(9), stream: "stdout", text: "next run" },
    ];
    collector.start();
    await clock.advance(0);
    runtime.report({ ...seen("a", { state: "restarting", exitCode: 1 }, 2), ended: true });
    await clock.advance(0);
    assert.deepEqual(observed.at(-1), {
      kind: "container.last_words",
      observedAt: at(2),
      externalId: id("a"),
      endedAt: at(2),
      snippet: "start\u001b[31m\npanic",
    });
    assert.deepEqual([runtime.logOptions[0]?.tail, runtime.logOptions[0]?.follow], [50, false]);
  });

  it("keeps no more than 10 KiB of last words, whole characters", async () => {
    runtime.lines = Array.from({ length: 50 }, () => ({ timestamp: null, stream: "stdout" as const, text: "é".repeat(500) }));
    collector.start();
    await clock.advance(0);
    runtime.report({ ...seen("a", { state: "exited" }, 2), ended: true });
    await clock.advance(0);
    const words = observed.at(-1);
    assert.ok(words?.kind === "container.last_words");
    const bytes = Buffer.byteLength(words.snippet);
    assert.ok(bytes <= 10_240 && bytes > 10_000);
    assert.doesNotMatch(words.snippet, /\ufffd/);
  });
});

function at(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1000);
}

function id(letter: string): string {
  return letter.repeat(64);
}

function seen(letter: string, changes: Partial<RuntimeContainer>, seconds: number): RuntimeNews & { what: "container" } {
  return { at: at(seconds), cursor: `cursor-${seconds}`, what: "container", container: container(letter, changes), ended: false };
}

function gone(letter: string, seconds: number): RuntimeNews {
  return { at: at(seconds), cursor: `cursor-${seconds}`, what: "gone", externalId: id(letter) };
}

function container(letter: string, changes: Partial<RuntimeContainer> = {}): RuntimeContainer {
  return fakeContainer(0, { externalId: id(letter), labels: {}, ...changes });
}
