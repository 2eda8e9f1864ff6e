import { z } from "zod";
import { type Clock, pause } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { type ApiAnswer, type ApiRefusal, type KubernetesClient, resourcePath } from "./client.ts";

const LEASES = { group: "coordination.k8s.io", version: "v1", plural: "leases", namespaced: true };
const DURATION_SECONDS = 30;
/** Parts of the duration: how often the lease is looked at and renewed, how soon again when that failed, and how long a request may take. */
const LOOK_PART = 1 / 3;
const RETRY_PART = 1 / 15;
const TIMEOUT_PART = 1 / 6;
/** When a holder that cannot renew gives up by itself, before others take over. */
const GIVE_UP_PART = 2 / 3;
const MOST_SECONDS = 3600;

export interface ElectionOptions {
  client: Pick<KubernetesClient, "address" | "read" | "write">;
  namespace: string;
  name: string;
  /** Of this process alone. */
  identity: string;
  durationSeconds?: number;
  clock: Clock;
  log: Log;
}

/** Which of several processes does what only one may do, by a Lease of Kubernetes. At most one is the leader, as long as their clocks run equally fast. */
export interface Election {
  isLeader(): boolean;
  /** The identity of the leader; null while none is known. */
  holder(): string | null;
  /** Why the lease cannot be read or written, and what helps, as a sentence; null when it can. */
  problem(): string | null;
  start(): void;
  /** Gives the lease up, so that another one takes over at once. */
  stop(): Promise<void>;
  /** Called when this one becomes the leader or ceases to be it, when the holder changes, and when a problem comes or goes. */
  onChange(listener: () => void): void;
}

/** Source: the leader election of client-go; the API of leases, coordination.k8s.io/v1. */
export function createElection(options: ElectionOptions): Election {
  const { client, namespace, name, identity, durationSeconds = DURATION_SECONDS, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const listeners = new Set<() => void>();
  const path = resourcePath(LEASES, { namespace, name });
  const durationMs = durationSeconds * 1000;
  const timeoutMs = durationMs * TIMEOUT_PART;
  /** What was seen of the lease, and since when by the own clock it has not changed. */
  let seen: { version: string; holder: string; durationMs: number; sinceMs: number } | undefined;
  let leadsUntilMs = 0;
  let leads = false;
  let problem: string | null = null;
  let stepDown: { cancel(): void } | undefined;
  let running: Promise<void> | undefined;
  let announced = "";

  function announce(): void {
    const now = JSON.stringify([leads, election.holder(), problem]);
    if (now === announced) return;
    announced = now;
    for (const listener of listeners) listener();
  }

  /** `sentMs` is when the request was sent: the others count from a later time on. */
  function lead(sentMs: number): void {
    leadsUntilMs = sentMs + durationMs * GIVE_UP_PART;
    stepDown?.cancel();
    stepDown = clock.after(leadsUntilMs - clock.monotonicMs(), () => {
      follow();
      announce();
    });
    if (!leads) log.info({ lease: `${namespace}/${name}` }, "this process was elected");
    leads = true;
  }

  function follow(): void {
    stepDown?.cancel();
    if (leads) log.info({ lease: `${namespace}/${name}`, holder: seen?.holder ?? "" }, "this process is not elected any more");
    leads = false;
  }

  function note(lease: LeaseAnswer): void {
    const { resourceVersion: version } = lease.metadata;
    if (seen?.version === version) return;
    const seconds = Math.min(Math.max(lease.spec?.leaseDurationSeconds ?? durationSeconds, 1), MOST_SECONDS);
    seen = { version, holder: lease.spec?.holderIdentity ?? "", durationMs: seconds * 1000, sinceMs: clock.monotonicMs() };
  }

  async function claim(before: LeaseAnswer | undefined, as: string, until: AbortSignal): Promise<ApiAnswer<LeaseAnswer>> {
    const body = claimedLease({ name, namespace, identity: as, durationSeconds, now: clock.now() }, before);
    const write = { query: {}, signal: until, timeoutMs };
    return before === undefined
      ? client.write(leaseAnswer, "POST", resourcePath(LEASES, { namespace }), body, write)
      : client.write(leaseAnswer, "PUT", path, body, write);
  }

  /** One look at the lease, and an attempt to have it when it is free or ours. */
  async function look(): Promise<void> {
    const answer = await client.read(leaseAnswer, path, { signal, timeoutMs });
    const isNone = "refused" in answer && answer.refused.status === 404;
    if ("refused" in answer && !isNone) return refuse(answer.refused, "get");
    const lease = "data" in answer ? answer.data : undefined;
    if (lease !== undefined) note(lease);
    const isFree = lease === undefined || seen === undefined || seen.holder === "" || clock.monotonicMs() - seen.sinceMs >= seen.durationMs;
    if (!isFree && seen?.holder !== identity) {
      problem = null;
      return follow();
    }
    const sentMs = clock.monotonicMs();
    const claimed = await claim(lease, identity, signal);
    if ("data" in claimed) {
      note(claimed.data);
      problem = null;
      lead(sentMs);
    } else if (claimed.refused.status === 409) {
      // Another one was faster; the next look shows who.
      problem = null;
    } else refuse(claimed.refused, lease === undefined ? "create" : "update");
  }

  /** The lease stays ours until its time is over, if it was. */
  function refuse({ status, message }: ApiRefusal, verb: string): void {
    problem =
      status === 403
        ? `This account may not ${verb} the lease ${name} in the namespace ${namespace}. Allow get, create and update of leases.coordination.k8s.io there.`
        : status === 404
          ? `The lease ${name} cannot be made: the cluster has no namespace ${namespace}. Make it, or name another one.`
          : `The lease ${name} in the namespace ${namespace} cannot be had: "${message}" (status ${status}). It is tried again.`;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await look();
      } catch (error) {
        if (signal.aborted) return;
        problem = messageOf(error);
      }
      announce();
      const part = leads && problem !== null ? RETRY_PART : LOOK_PART;
      await pause(clock, durationMs * part * (0.8 + Math.random() * 0.2), signal);
    }
  }

  /** Best effort: without it another one takes over when the time is over. */
  async function release(): Promise<void> {
    const until = new AbortController();
    const deadline = clock.after(timeoutMs, () => until.abort());
    try {
      const answer = await client.read(leaseAnswer, path, { signal: until.signal, timeoutMs });
      if ("data" in answer && answer.data.spec?.holderIdentity === identity) await claim(answer.data, "", until.signal);
    } catch (error) {
      log.debug({ reason: messageOf(error) }, "the lease was not given up");
    } finally {
      deadline.cancel();
    }
  }

  const election: Election = {
    isLeader: () => leads && clock.monotonicMs() < leadsUntilMs,
    holder: () => seen?.holder || null,
    problem: () => problem,
    start() {
      running ??= run();
    },
    async stop() {
      if (signal.aborted) return;
      const held = leads;
      stopping.abort();
      await running;
      follow();
      if (held) await release();
      announce();
    },
    onChange: (listener) => void listeners.add(listener),
  };
  return election;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** What is read of a Lease. Its times are of the clocks of others, so only whether they change matters. */
const leaseAnswer = z.object({
  metadata: z.object({ resourceVersion: z.string() }).loose(),
  spec: z
    .object({
      holderIdentity: text,
      leaseDurationSeconds: z.number().nullish(),
      renewTime: text,
      acquireTime: text,
      leaseTransitions: z.number().nullish(),
    })
    .nullish(),
});
type LeaseAnswer = z.infer<typeof leaseAnswer>;

interface LeaseClaim {
  name: string;
  namespace: string;
  identity: string;
  durationSeconds: number;
  now: Date;
}

/** The Lease as it is written by who takes, keeps or gives it up: `identity` "" gives it up. */
function claimedLease({ name, namespace, identity, durationSeconds, now }: LeaseClaim, before: LeaseAnswer | undefined): object {
  const spec = before?.spec;
  const isSame = spec?.holderIdentity === identity;
  const time = now.toISOString().replace("Z", "000Z");
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...before?.metadata, name, namespace },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: identity === "" ? 1 : durationSeconds,
      acquireTime: isSame && spec.acquireTime !== "" ? spec.acquireTime : time,
      renewTime: time,
      leaseTransitions: (spec?.leaseTransitions ?? 0) + (isSame || before === undefined || identity === "" ? 0 : 1),
    },
  };
}
