import { type Clock, systemClock } from "../../src/platform/clock.ts";
import type { ContainerUsage, LogLine, Runtime, RuntimeContainer, RuntimeDescription, RuntimeNews } from "../../src/runtimes/runtime.ts";
import { sighting } from "./sightings.ts";

/** A runtime that shows what the test puts into it; for numbers and timings that no real engine on one machine reaches. */
export interface FakeRuntime extends Runtime {
  containers: Map<string, RuntimeContainer>;
  /** Changes a container and notifies its watchers. */
  change(externalId: string, facts: Partial<RuntimeContainer>): void;
  /** Breaks the streams of those who watch. */
  disconnect(): void;
  /** How often everything was listed. */
  listings: number;
}

export function fakeContainer(number: number, facts: Partial<RuntimeContainer> = {}): RuntimeContainer {
  const { settings: _settings, labelErrors: _errors, ...container } = sighting();
  return {
    ...container,
    imageLabels: [],
    externalId: number.toString(16).padStart(64, "0"),
    name: `service-${number}`,
    image: `registry.test/team/service-${number % 50}:1.${number % 7}.0`,
    project: { name: `project-${number % 40}`, source: "compose" },
    unit: `service-${number}`,
    labels: { "com.example.team": `team-${number % 9}` },
    ports: [{ containerPort: 8080, protocol: "tcp", hostIp: "127.0.0.1", hostPort: 20_000 + (number % 40_000) }],
    ...facts,
  };
}

/**
 * What a running container uses after so long: about every fifth is busy, the rest idles; memory swells and shrinks over an hour; counters only rise.
 * The same for the same container and time.
 */
export function fakeUsage({ externalId, networkMode }: RuntimeContainer, readAtMs: number): ContainerUsage {
  const number = Number.parseInt(externalId.slice(-8), 16);
  const seconds = readAtMs / 1000;
  const busy = number % 5 === 0 ? 0.4 : 0.01;
  const wave = Math.sin(seconds / 573 + number);
  const traffic = number % 3 === 0 ? 0 : Math.floor(seconds) * (1000 + (number % 97) * 13);
  const ownNetwork = networkMode !== "host";
  return {
    externalId,
    readAtMs,
    cpuNanoseconds: Math.floor(busy * 1e9 * (seconds + 100 * (1 + wave))),
    allocatedCpus: 1 + (number % 4),
    memoryBytes: 4096 * Math.floor((20 + (number % 50) + 10 * wave) * 256),
    memoryLimitBytes: 512 * 1024 * 1024,
    networkRxBytes: ownNetwork ? traffic : null,
    networkTxBytes: ownNetwork ? Math.floor(traffic / 3) : null,
    diskReadBytes: 4096 * (number % 1000),
    diskWriteBytes: 4096 * Math.floor(seconds / (10 + (number % 60))),
  };
}

export function createFakeRuntime(count: number, clock: Clock = systemClock): FakeRuntime {
  const containers = new Map<string, RuntimeContainer>();
  for (let number = 1; number <= count; number += 1) {
    const container = fakeContainer(number);
    containers.set(container.externalId, container);
  }
  const watchers = new Set<(news: RuntimeNews | "end") => void>();
  const description: RuntimeDescription = {
    version: "1.0",
    apiVersion: "1.0",
    hostname: "fake",
    operatingSystem: "none",
    capabilities: { events: true, stats: true, logs: true, swarm: false, metrics: false },
    missing: [],
  };

  const runtime: FakeRuntime = {
    kind: "docker",
    address: "fake",
    networkAddresses: () => [],
    listings: 0,
    containers,
    describe: async () => description,
    async inventory() {
      runtime.listings += 1;
      return { at: new Date(), containers: [...containers.values()] };
    },
    async *watch({ opened, signal }) {
      const queue: RuntimeNews[] = [];
      let wake = Promise.withResolvers<void>();
      let ended = false;
      const notify = (news: RuntimeNews | "end"): void => {
        if (news === "end") ended = true;
        else queue.push(news);
        wake.resolve();
      };
      watchers.add(notify);
      signal.addEventListener("abort", () => wake.resolve());
      opened();
      while (!signal.aborted && !ended) {
        // As from a socket: some at a time.
        while (queue.length > 0) {
          yield* queue.splice(0, 50);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await wake.promise;
        wake = Promise.withResolvers<void>();
        if (queue.length > 0) wake.resolve();
      }
      watchers.delete(notify);
    },
    async *logs(): AsyncIterable<LogLine[]> {
      yield [{ timestamp: new Date(), stream: "stdout", text: "a line" }];
    },
    async stats() {
      const running = [...containers.values()].filter(({ state }) => state === "running" || state === "paused");
      return running.map((container) => fakeUsage(container, clock.monotonicMs()));
    },
    async close() {},
    change(externalId, facts) {
      const container = { ...(containers.get(externalId) ?? fakeContainer(1)), ...facts };
      containers.set(externalId, container);
      const at = new Date();
      for (const notify of watchers)
        notify({ what: "container", at, cursor: at.toISOString(), container, ended: container.state === "exited" });
    },
    disconnect() {
      for (const notify of watchers) notify("end");
    },
  };
  return runtime;
}
