import { HOUR_MS } from "../contract/time.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { ContainerUsage, LogBatch, LogOptions, Runtime, RuntimeContainer, RuntimeNews } from "../runtimes/runtime.ts";
import { linesOf } from "./world/lines.ts";
import { CONTAINERS, type DemoContainer, type DemoHost } from "./world/containers.ts";
import { externalIdOf } from "./world/identity.ts";
import { shownAt } from "./world/shown.ts";
import { nextChangeMs } from "./world/story.ts";
import { createUsage, type Usage } from "./world/usage.ts";

export interface DemoRuntimeOptions {
  host: DemoHost;
  /** When the payments service was updated, since when it fails. */
  updatedMs: number;
  clock: Clock;
}

const CAPABILITIES = { events: true, stats: true, logs: true, swarm: false, metrics: false };
const COUNTERS = [
  ["cpuNanoseconds", ({ cores }: Usage) => cores * 1e9],
  ["networkRxBytes", ({ rxPerSecond }: Usage) => rxPerSecond],
  ["networkTxBytes", ({ txPerSecond }: Usage) => txPerSecond],
  ["diskReadBytes", ({ readPerSecond }: Usage) => readPerSecond],
  ["diskWriteBytes", ({ writePerSecond }: Usage) => writePerSecond],
] as const;
/** How often a line that follows is looked for. */
const FOLLOW_EVERY_MS = 500;

/** A container engine that is made up: it shows the containers of one host of the demo, what they use, and what they log. */
export function createDemoRuntime({ host, updatedMs, clock }: DemoRuntimeOptions): Runtime {
  const containers = CONTAINERS.filter((each) => each.host === host);
  const crashing = containers.find(({ fate }) => fate === "crashing");
  const usages = new Map(containers.map((each) => [each, createUsage(each, { updatedMs })]));
  const counters = new Map<DemoContainer, { readMs: number; values: number[] }>();
  const nowMs = (): number => clock.now().getTime();
  const show = (container: DemoContainer, atMs: number): RuntimeContainer => shownAt(container, { atMs, updatedMs });

  function usageOf(container: DemoContainer): ContainerUsage {
    const atMs = nowMs();
    const usage = (usages.get(container) ?? createUsage(container, { updatedMs })).at(atMs);
    const rates = COUNTERS.map(([, rate]) => rate(usage));
    // What it used before it is first read: as if it had run for a day like that.
    const before = counters.get(container) ?? { readMs: atMs, values: rates.map((rate) => Math.floor(rate) * 86_400) };
    const values = before.values.map(
      (value, index) => value + Math.max(0, Math.round(((rates[index] ?? 0) * (atMs - before.readMs)) / 1000)),
    );
    counters.set(container, { readMs: atMs, values });
    const [cpuNanoseconds = 0, rx = 0, tx = 0, read = 0, write = 0] = values;
    const hasNetwork = container.networkMode !== "host";
    return {
      externalId: externalIdOf(container),
      readAtMs: clock.monotonicMs(),
      cpuNanoseconds,
      allocatedCpus: host.cpuCount,
      memoryBytes: usage.memoryBytes,
      memoryLimitBytes: container.limitMib === null ? host.memoryBytes : container.limitMib * 1024 ** 2,
      networkRxBytes: hasNetwork ? rx : null,
      networkTxBytes: hasNetwork ? tx : null,
      diskReadBytes: read,
      diskWriteBytes: write,
    };
  }

  return {
    kind: "docker",
    address: "unix:///var/run/docker.sock",
    networkAddresses: () => [],
    async describe() {
      return {
        version: host.engine,
        apiVersion: "1.51",
        hostname: host.hostname,
        operatingSystem: host.os,
        capabilities: CAPABILITIES,
        missing: [],
      };
    },
    async inventory() {
      const at = clock.now();
      return { at, containers: containers.map((each) => show(each, at.getTime())) };
    },
    async *watch({ opened, signal }): AsyncIterable<RuntimeNews> {
      opened();
      let atMs = nowMs();
      while (!signal.aborted) {
        if (crashing === undefined) {
          await pause(clock, HOUR_MS, signal);
          continue;
        }
        const next = nextChangeMs(updatedMs, atMs);
        await pause(clock, Math.max(0, next - nowMs()), signal);
        if (signal.aborted) return;
        atMs = next;
        const container = show(crashing, atMs);
        yield { what: "container", at: new Date(atMs), cursor: String(atMs), container, ended: container.state === "restarting" };
      }
    },
    async *logs(externalId, options) {
      const container = containers.find((each) => externalIdOf(each) === externalId);
      if (container === undefined) throw new ServiceError("not_found", "There is no such container.");
      yield* readLines(container, options);
    },
    async stats() {
      const atMs = nowMs();
      return containers.filter((each) => show(each, atMs).state === "running").map(usageOf);
    },
    async close() {},
  };

  async function* readLines(container: DemoContainer, { tail, since, follow, signal }: LogOptions): AsyncIterable<LogBatch> {
    const lines = linesOf(container, updatedMs);
    let untilMs = nowMs();
    const first = lines.last(tail, untilMs, since?.getTime());
    if (first.length > 0) yield first;
    while (follow && !signal.aborted) {
      await pause(clock, FOLLOW_EVERY_MS, signal);
      const fromMs = untilMs;
      untilMs = nowMs();
      const next = lines.between(fromMs, untilMs);
      if (next.length > 0) yield next;
    }
  }
}
