import type { Clock } from "../../platform/clock.ts";
import { findHostProc } from "../host-proc.ts";
import type { Runtime } from "../runtime.ts";
import { parseEngineAddress } from "./address.ts";
import { createCgroupReader } from "./cgroups.ts";
import { createEngineClient, type EngineClient } from "./client.ts";
import { isWatched } from "./container.ts";
import { agreeOnVersion, describeEngine, readCapacity, type SwarmUse } from "./describe.ts";
import { createExitCauses } from "./exit-causes.ts";
import { createImages } from "./images.ts";
import { createKnownContainers, createInspection } from "./known.ts";
import type { Capacity } from "./limits.ts";
import { createListing, createRunningContainers } from "./listing.ts";
import { readLogs } from "./logs.ts";
import { createStats } from "./stats.ts";
import { createSwarmSource } from "./swarm.ts";
import { watchEvents } from "./watch.ts";
import { infoAnswer } from "./schemas.ts";

/** A manager of a swarm without a quorum answers for it after 20 seconds, while its containers keep running. */
const EXACT_WITHIN_MS = 2_000;

export type { SwarmUse } from "./describe.ts";

export interface DockerRuntimeOptions {
  /** As in DOCKER_HOST: unix://, tcp://, http:// or https://. */
  host: string;
  certPath?: string | undefined;
  tlsVerify?: boolean | undefined;
  clock: Clock;
  /** Where /proc of the engine's host is mounted, when that is not /host/proc or /proc. */
  hostProc?: string | undefined;
  /** Whether what containers use is read from the kernel's files where they run on this host; else the engine is asked, which costs it more. */
  readCgroups?: boolean;
  /** By default its swarm is looked at where it is in one. */
  swarm?: SwarmUse | undefined;
}

/** Docker, or Podman's Docker-compatible service, read only. Throws a StartError for an address that can never work. */
export function createDockerRuntime({
  host,
  certPath,
  tlsVerify = false,
  clock,
  hostProc,
  readCgroups = true,
  swarm = "auto",
}: DockerRuntimeOptions): Runtime {
  const address = parseEngineAddress(host, { tlsVerify });
  const client = createEngineClient({ address, certPath, clock });
  const images = createImages(client);
  const inspection = createInspection(client, images);
  const known = createKnownContainers();
  const listing = createListing({ client, inspection, images, known });
  const exitCauses = createExitCauses();
  const running = createRunningContainers({ client, inspection, known });
  const cgroups = readCgroups ? createCgroupReader({ procPath: findHostProc(hostProc), clock }) : undefined;
  const stats = createStats({ client, clock, cgroups });
  let capacity: Capacity | undefined;
  let denied: string[] = [];
  let agreed = false;
  let isManager = false;

  /** Paths name a version, so one has to be agreed on before the first. */
  async function agreeOnce(signal: AbortSignal): Promise<void> {
    if (agreed) return;
    await agreeOnVersion(client, signal);
    agreed = true;
  }

  return {
    get kind() {
      return isManager ? "swarm" : "docker";
    },
    address: address.display,
    networkAddresses: client.networkAddresses,
    ...(swarm !== "never" && { swarm: createSwarmSource(client, clock, agreeOnce) }),
    async describe(signal) {
      const engine = await describeEngine(client, swarm, signal);
      agreed = true;
      ({ isManager } = engine);
      denied = engine.description.missing;
      capacity = engine.capacity;
      return engine.description;
    },
    missing: () => [...denied, ...listing.missing()],
    async inventory(signal) {
      await agreeOnce(signal);
      // Read before the listing: it may then be newer than it claims, never older.
      const at = await readEngineTime(client, clock, signal);
      const listingEnds = running.listingBegins();
      const present = (await listing.read(signal)).filter(isWatched);
      const containers = known.reconcile(present, at).map(({ container }) => container);
      listingEnds();
      return { at, containers };
    },
    async *watch(options) {
      await agreeOnce(options.signal);
      let eventsEnd: (() => void) | undefined;
      const opened = (): void => {
        eventsEnd = running.eventsFlow();
        options.opened();
      };
      try {
        yield* watchEvents({ client, inspection, known, exitCauses, clock }, { ...options, opened });
      } finally {
        eventsEnd?.();
      }
    },
    async *logs(externalId, options) {
      await agreeOnce(options.signal);
      yield* readLogs({ client, clock }, externalId, options);
    },
    async stats(signal) {
      await agreeOnce(signal);
      capacity ??= await readCapacity(client, signal);
      return stats.read(await running.list(signal), capacity, signal);
    },
    async close() {
      client.close();
    },
  };
}

/** What time it is for the engine, whose clock stamps its events. A proxy that denies /info still gives the second; our own clock is the last resort. */
async function readEngineTime(client: EngineClient, clock: Clock, signal: AbortSignal): Promise<Date> {
  const late = new AbortController();
  const timer = clock.after(EXACT_WITHIN_MS, () => late.abort());
  const info = await client.json(infoAnswer, { route: "info" }, AbortSignal.any([signal, late.signal])).catch(() => undefined);
  timer.cancel();
  signal.throwIfAborted();
  const systemTime = new Date(info?.SystemTime ?? Number.NaN);
  if (!Number.isNaN(systemTime.getTime())) return systemTime;
  const { headers } = await client.probe({ route: "ping" }, signal);
  const header = new Date(headers.date ?? Number.NaN);
  return Number.isNaN(header.getTime()) ? clock.now() : header;
}
