import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createSecureContext } from "node:tls";
import type { ServerCredentials } from "@grpc/grpc-js";
import { createUplink, type Uplink, type UplinkHost, type UplinkOptions } from "../../src/fleet/uplink/index.ts";
import type { Observation } from "../../src/observations.ts";
import { type Clock, systemClock } from "../../src/platform/clock.ts";
import { type IngestServer, startIngestServer } from "./ingest-server.ts";
import { createLogCapture } from "./log-capture.ts";
import { sighting } from "./sightings.ts";
import { until } from "./until.ts";

/** Time goes twenty times as fast for the schedule, so that reconnecting takes no seconds. */
export const hastyClock: Clock = { ...systemClock, after: (delayMs, callback) => systemClock.after(delayMs / 20, callback) };

interface WorldOptions extends UplinkOptions, UplinkHost {}

export interface World {
  server: IngestServer;
  dataDir: string;
  logText(): string;
  uplink: Uplink;
  /** Starts it with the host of the options. */
  start(): void;
  /** Ends it, and begins again in the same folder. */
  restart(options?: Partial<UplinkOptions>): Promise<void>;
  options: WorldOptions;
}

export async function worldOf(t: TestContext, more: Partial<WorldOptions> = {}, credentials?: ServerCredentials): Promise<World> {
  const server = await startIngestServer(credentials);
  const dataDir = mkdtempSync(join(tmpdir(), "binnacle-uplink-"));
  const { log, text } = createLogCapture();
  const options: WorldOptions = {
    server: { host: "127.0.0.1", port: server.port, isPlain: true },
    skipTlsVerify: false,
    serverFingerprint: undefined,
    trust: () => createSecureContext(),
    dataDir,
    enrollmentToken: "svc_enr_token",
    label: "harbour",
    spool: { maxMemoryBytes: 16_000_000, maxDiskBytes: 128_000_000, maxAgeMs: 86_400_000 },
    hello: () => ({ version: "1", hostname: "box", os: "linux", arch: "x64", runtime: "docker", capabilities: ["logs"] }),
    refresh: async () => world.uplink.observe(null, inventory()),
    report: () => undefined,
    logs: () => assert.fail("no log was asked for"),
    clock: hastyClock,
    log,
    ...more,
  };
  const world: World = {
    server,
    dataDir,
    logText: text,
    uplink: createUplink(options),
    start: () => world.uplink.start(options),
    options,
    async restart(changes) {
      await world.uplink.stop();
      world.uplink = createUplink({ ...options, ...changes });
    },
  };
  t.after(async () => {
    await world.uplink.stop();
    await world.server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return world;
}

export function inventory(): Observation {
  return { kind: "container.inventory", observedAt: new Date(), containers: [sighting()] };
}

export function gone(index: number): Observation {
  return { kind: "container.gone", observedAt: new Date(), externalId: `c${index}` };
}

/** What arrived, in order: `inventory`, `live:c1`, `replayed:c2`. */
export function story({ server }: World): string[] {
  return server.batches.flatMap(({ replayed, events }) =>
    events.map(({ observation }) =>
      observation.kind === "container.gone" ? `${replayed ? "replayed" : "live"}:${observation.externalId}` : observation.kind,
    ),
  );
}

export async function connected(world: World): Promise<void> {
  await until(() => world.uplink.status().connected, { what: `connected; ${world.logText()}` });
}
