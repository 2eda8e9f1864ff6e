import { createSecureContext } from "node:tls";
import { createUplink } from "../../src/fleet/uplink/index.ts";
import { labelEndpointKey, type Observation, TICK_MS } from "../../src/observations.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { Chance } from "./chance.ts";
import { checkedObservation, failure } from "./endpoints.ts";
import { sampled } from "./readings.ts";
import { sighting } from "./sightings.ts";

/** What a host saw while it was cut off, and so what a server must know of it in the end. */
export interface Outage {
  fromMs: number;
  toMs: number;
  /** In the order in which they were seen. */
  observations: Observation[];
  /** States by container, oldest first: of containers that came and went within the outage. */
  states: Map<string, { at: string; state: "running" | "exited" }[]>;
  /** CPU at each tick, by container. */
  cpu: Map<string, Map<number, number>>;
  /** When each endpoint was checked, and whether that went well. */
  checks: Map<string, Map<number, boolean>>;
}

export interface OutageFacts {
  chance: Chance;
  fromMs: number;
  toMs: number;
  /** Containers that are there before and after: measured, and their endpoint checked. */
  lasting: readonly string[];
  /** Containers that are seen only meanwhile. */
  passing: readonly string[];
  endpointLabel: string;
}

const STEP_MS = 5000;

/** A new step every five seconds: something is checked, something changes its state, at ticks all is measured. */
export function imagineOutage({ chance, fromMs, toMs, lasting, passing, endpointLabel }: OutageFacts): Outage {
  const outage: Outage = {
    ...{ fromMs, toMs, observations: [] },
    states: new Map(passing.map((id) => [id, []])),
    cpu: new Map([...lasting, ...passing].map((id) => [id, new Map()])),
    checks: new Map(lasting.map((id) => [id, new Map()])),
  };
  const { observations, states, cpu, checks } = outage;

  function change(externalId: string, at: Date): void {
    const known = states.get(externalId);
    const state = known?.at(-1)?.state === "running" ? "exited" : "running";
    known?.push({ at: at.toISOString(), state });
    const times = state === "exited" ? { exitCode: 137, finishedAt: at } : { startedAt: at };
    const container = sighting({ externalId, name: externalId.slice(0, 12), createdAt: new Date(fromMs), state, ...times });
    observations.push({ kind: "container.seen", observedAt: at, container });
  }

  function check(externalId: string, at: Date): void {
    const success = chance.next() < 0.7;
    checks.get(externalId)?.set(at.getTime(), success);
    observations.push(checkedObservation(labelEndpointKey(externalId, endpointLabel), at, success ? {} : failure));
  }

  function measure(at: Date): void {
    const readings = [...cpu].map(([id, ofOne]) => {
      const cpuPercent = chance.below(1000) / 10;
      ofOne.set(at.getTime(), cpuPercent);
      return [id, { cpuPercent, memoryBytes: 1e8 }] as const;
    });
    observations.push(sampled(at, Object.fromEntries(readings)));
    observations.push({ kind: "host.watched", observedAt: at, since: new Date(fromMs) });
  }

  for (const id of passing) change(id, new Date(fromMs));
  for (let ms = fromMs; ms <= toMs; ms += STEP_MS) {
    const at = new Date(ms);
    if (ms % TICK_MS === 0) measure(at);
    // Not at a tick, so that no two things of one container are at the same moment.
    const later = new Date(ms + 1 + chance.below(STEP_MS - 1));
    if (later.getTime() >= toMs) continue;
    for (const id of lasting) check(id, later);
    for (const id of passing) if (chance.next() < 0.5) change(id, later);
  }
  // The state at the end must not be right by chance: the last that was seen of every endpoint is a failure.
  for (const id of lasting) {
    const at = new Date(toMs);
    checks.get(id)?.set(at.getTime(), false);
    observations.push(checkedObservation(labelEndpointKey(id, endpointLabel), at, failure));
  }
  return outage;
}

/** Has the agent of a folder see all that while its server is away: it waits in the agent's spool afterwards. Answers how many events do. */
export async function liveThrough({ observations }: Outage, dataDir: string): Promise<number> {
  const uplink = createUplink({
    server: { host: "127.0.0.1", port: 1, isPlain: true },
    skipTlsVerify: false,
    serverFingerprint: undefined,
    trust: () => createSecureContext(),
    dataDir,
    enrollmentToken: undefined,
    label: undefined,
    spool: { maxMemoryBytes: 0, maxDiskBytes: 134_217_728, maxAgeMs: 86_400_000 },
    logs: () => {
      throw new Error("nobody can ask for a log");
    },
    clock: systemClock,
    log: silentLog,
  });
  for (const observation of observations) uplink.observe(null, observation);
  const { queued } = uplink.status();
  await uplink.stop();
  return queued;
}
