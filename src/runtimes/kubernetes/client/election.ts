import { z } from "zod";
import { type Clock, pause, type Timer } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { text } from "../../json.ts";
import { type ApiAnswer, type ApiRefusal, type KubernetesClient, resourcePath } from "./client.ts";

const LEASES = { group: "coordination.k8s.io", version: "v1", plural: "leases", namespaced: true };
const DURATION_SECONDS = 30;
/** How often the lease is read and renewed, how soon again when that failed, and how long a request may take. */
const RENEW_MS = 10_000;
const RETRY_MS = 2_000;
const TIMEOUT_MS = 5_000;
/** When a holder that cannot renew gives up by itself, before others take over. */
const GIVE_UP_MS = 20_000;
const MOST_SECONDS = 3600;

export interface ElectionOptions {
  client: Pick<KubernetesClient, "address" | "read" | "write">;
  namespace: string;
  name: string;
  /** Of this process alone. */
  identity: string;
  clock: Clock;
  log: Log;
}

/**
 * Elects one of several processes by a Lease of Kubernetes. At most one is the leader, as long as their clocks run equally fast.
 * Source: the leader election of client-go; the API of leases, coordination.k8s.io/v1.
 */
export class Election {
  readonly #options: ElectionOptions;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #path: string;
  /** The lease as it was last read, and since when by this process's clock it has not changed. */
  #seen: { version: string; holder: string; durationMs: number; sinceMs: number } | undefined;
  #leadsUntilMs = 0;
  #leads = false;
  #problem: string | null = null;
  #isRefused = false;
  #stepDown: Timer | undefined;
  #running: Promise<void> | undefined;
  #announced = "";

  constructor(options: ElectionOptions) {
    const { namespace, name } = options;
    this.#options = options;
    this.#path = resourcePath(LEASES, { namespace, name });
  }

  isLeader(): boolean {
    return this.#leads && this.#options.clock.monotonicMs() < this.#leadsUntilMs;
  }

  /** The identity of the leader; null while none is known. */
  holder(): string | null {
    return this.#seen?.holder || null;
  }

  /** Another one that renewed the lease within its duration, as far as is known. */
  otherLeader(): string | null {
    const holder = this.holder();
    return holder === this.#options.identity || this.#isFree() ? null : holder;
  }

  /** Why the lease cannot be read or written, and what helps, as a sentence; null when it can. */
  problem(): string | null {
    return this.#problem;
  }

  /** Whether the problem is a right or a namespace that is missing, and not that the API server does not answer. */
  isRefused(): boolean {
    return this.#problem !== null && this.#isRefused;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Gives the lease up, so that another one takes over at once. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const wasLeader = this.#leads;
    this.#stopping.abort();
    await this.#running;
    this.#follow();
    if (wasLeader) await this.#release();
    this.#announce();
  }

  /** Called when this one becomes the leader or ceases to be it, when the holder changes, and when a problem comes or goes. Answers how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #announce(): void {
    const now = JSON.stringify([this.#leads, this.holder(), this.otherLeader(), this.#problem]);
    if (now === this.#announced) return;
    this.#announced = now;
    for (const listener of this.#listeners) listener();
  }

  /** `sentMs` is when the request was sent: the others count from a later time on. */
  #lead(sentMs: number): void {
    const { clock, log } = this.#options;
    this.#leadsUntilMs = sentMs + GIVE_UP_MS;
    this.#stepDown?.cancel();
    this.#stepDown = clock.after(this.#leadsUntilMs - clock.monotonicMs(), () => {
      this.#follow();
      this.#announce();
    });
    if (!this.#leads) log.info({ lease: this.#leaseName() }, "this process was elected");
    this.#leads = true;
  }

  #follow(): void {
    this.#stepDown?.cancel();
    if (this.#leads)
      this.#options.log.info({ lease: this.#leaseName(), holder: this.#seen?.holder ?? "" }, "this process is not elected any more");
    this.#leads = false;
  }

  #note(lease: LeaseAnswer): void {
    const { resourceVersion: version } = lease.metadata;
    if (this.#seen?.version === version) return;
    const seconds = Math.min(Math.max(lease.spec?.leaseDurationSeconds ?? DURATION_SECONDS, 1), MOST_SECONDS);
    const holder = lease.spec?.holderIdentity ?? "";
    this.#seen = { version, holder, durationMs: seconds * 1000, sinceMs: this.#options.clock.monotonicMs() };
  }

  async #claim(before: LeaseAnswer | undefined, identity: string, signal: AbortSignal): Promise<ApiAnswer<LeaseAnswer>> {
    const { client, namespace, name, clock } = this.#options;
    const body = claimedLease({ name, namespace, identity, now: clock.now() }, before);
    const write = { query: {}, signal, timeoutMs: TIMEOUT_MS };
    return before === undefined
      ? client.write(leaseAnswer, "POST", resourcePath(LEASES, { namespace }), body, write)
      : client.write(leaseAnswer, "PUT", this.#path, body, write);
  }

  /** Reads the lease, and claims it when it is free or ours. */
  async #tryToLead(): Promise<void> {
    const { client, identity, clock } = this.#options;
    const { signal } = this.#stopping;
    const answer = await client.read(leaseAnswer, this.#path, { signal, timeoutMs: TIMEOUT_MS });
    const isNone = "refused" in answer && answer.refused.status === 404;
    if ("refused" in answer && !isNone) return this.#refuse(answer.refused, "get");
    const lease = "data" in answer ? answer.data : undefined;
    if (lease !== undefined) this.#note(lease);
    if (lease !== undefined && !this.#isFree() && this.#seen?.holder !== identity) {
      this.#problem = null;
      return this.#follow();
    }
    const sentMs = clock.monotonicMs();
    const claimed = await this.#claim(lease, identity, signal);
    if ("data" in claimed) {
      this.#note(claimed.data);
      this.#problem = null;
      this.#lead(sentMs);
    } else if (claimed.refused.status === 409) {
      // Another one was faster; the next read shows who.
      this.#problem = null;
    } else this.#refuse(claimed.refused, lease === undefined ? "create" : "update");
  }

  /** Whether the lease as it was last read was given up, or not renewed for its duration. */
  #isFree(): boolean {
    const seen = this.#seen;
    return seen === undefined || seen.holder === "" || this.#options.clock.monotonicMs() - seen.sinceMs >= seen.durationMs;
  }

  /** The lease stays ours until its time is over, if it was. */
  #refuse({ status, message }: ApiRefusal, verb: string): void {
    const { name, namespace } = this.#options;
    this.#isRefused = status === 401 || status === 403 || status === 404;
    this.#problem =
      status === 403
        ? `This account may not ${verb} the lease ${name} in the namespace ${namespace}. Allow get, create and update of leases.coordination.k8s.io there.`
        : status === 404
          ? `The lease ${name} cannot be made: the cluster has no namespace ${namespace}. Make it, or name another one.`
          : `The lease ${name} in the namespace ${namespace} cannot be had: "${message}" (status ${status}). It is tried again.`;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#tryToLead();
      } catch (error) {
        if (signal.aborted) return;
        this.#isRefused = false;
        this.#problem = messageOf(error);
      }
      this.#announce();
      const waitMs = this.#leads && this.#problem !== null ? RETRY_MS : RENEW_MS;
      await pause(this.#options.clock, waitMs * (0.8 + Math.random() * 0.2), signal);
    }
  }

  /** Best effort: without it another one takes over when the time is over. */
  async #release(): Promise<void> {
    const { client, identity, clock, log } = this.#options;
    const until = new AbortController();
    const deadline = clock.after(TIMEOUT_MS, () => until.abort());
    try {
      const answer = await client.read(leaseAnswer, this.#path, { signal: until.signal, timeoutMs: TIMEOUT_MS });
      if ("data" in answer && answer.data.spec?.holderIdentity === identity) await this.#claim(answer.data, "", until.signal);
    } catch (error) {
      log.debug({ reason: messageOf(error) }, "the lease was not given up");
    } finally {
      deadline.cancel();
    }
  }

  #leaseName(): string {
    return `${this.#options.namespace}/${this.#options.name}`;
  }
}

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
  now: Date;
}

/** The Lease as it is written by who takes, keeps or gives it up: `identity` "" gives it up. */
function claimedLease({ name, namespace, identity, now }: LeaseClaim, before: LeaseAnswer | undefined): object {
  const spec = before?.spec;
  const isSame = spec?.holderIdentity === identity;
  const time = now.toISOString().replace("Z", "000Z");
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { ...before?.metadata, name, namespace },
    spec: {
      holderIdentity: identity,
      leaseDurationSeconds: identity === "" ? 1 : DURATION_SECONDS,
      acquireTime: isSame && spec.acquireTime !== "" ? spec.acquireTime : time,
      renewTime: time,
      leaseTransitions: (spec?.leaseTransitions ?? 0) + (isSame || before === undefined || identity === "" ? 0 : 1),
    },
  };
}
