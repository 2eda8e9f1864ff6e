import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SecureContext } from "node:tls";
import type { Observation, ObservationSink } from "../../observations.ts";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/files.ts";
import type { Log } from "../../platform/log.ts";
import { asReplayed } from "../wire/index.ts";
import type { AgentLogs } from "./commands.ts";
import { createEncoder, type Encode, createOversize, type Oversize, type OversizeStatus } from "./encoder.ts";
import { Enrollment } from "./enrollment.ts";
import { type Identity, identityPath } from "./identity.ts";
import { untilPortReopens } from "./reopening.ts";
import { nextAttempt, type StreamEnd } from "./schedule.ts";
import type { LiveEvent } from "./sender.ts";
import { Session, type UplinkHost } from "./session.ts";
import { Spool, type SpoolBudgets, type SpoolTotals } from "./spool/index.ts";
import { openTransport, addressText, refusePlaintext, type ServerAddress, type Refusal } from "./transport.ts";

/** The agent's side: its identity, its connection to the server, and the spool for the time without one. */
export { readIdentity } from "./identity.ts";
export type { UplinkHost } from "./session.ts";

const SETTLE_EVERY_MS = 5000;
/** How long the agent's stop waits for live events to arrive; the rest goes into the spool. */
const FINISH_WITHIN_MS = 1500;
/**
 * The kinds that are kept while the server cannot be reached. Source: specification, Agent stream events. Without the watched periods, the rest would
 * say nothing about uptime.
 */
const SPOOLED: ReadonlySet<Observation["kind"]> = new Set([
  "container.seen",
  "container.gone",
  "container.last_words",
  "endpoint.checked",
  "resources.sampled",
  "host.watched",
]);

/** After these a token will not be accepted at another attempt either. */
const TOKEN_REFUSALS = new Set(["token_invalid", "token_expired", "token_consumed", "label_too_long", "unauthorized", "validation_failed"]);

export interface UplinkOptions {
  server: ServerAddress;
  skipTlsVerify: boolean;
  /** The fingerprint of the only accepted server certificate, as `sha256:HEX`. */
  serverFingerprint: string | undefined;
  /** Which server certificates are trusted. */
  trust: () => SecureContext;
  /** The folder of identity.json and the spool. */
  dataDir: string;
  /** Used when there is no identity yet. */
  enrollmentToken: string | undefined;
  label: string | undefined;
  spool: SpoolBudgets;
  logs: AgentLogs;
  clock: Clock;
  log: Log;
  random?: () => number;
}

interface UplinkStatus extends SpoolTotals, OversizeStatus {
  /** undefined until it has enrolled. */
  agentId: string | undefined;
  connected: boolean;
  /** Whether the spool is being sent. */
  draining: boolean;
  /** Why there is no connection; null while there is one, and before the first attempt has ended. */
  reason: string | null;
}

/** Sends the observations of this host to the server, and stores them while the server cannot be reached. */
export class Uplink implements ObservationSink {
  readonly #options: UplinkOptions;
  readonly #random: () => number;
  readonly #spool: Spool;
  readonly #oversize: Oversize;
  readonly #encode: Encode;
  readonly #enrollment: Enrollment;
  readonly #ended = Promise.withResolvers<{ code: string; message: string }>();
  readonly #stopping = new AbortController();
  #session: Session | undefined;
  #running: Promise<void> | undefined;
  #settling: Timer | undefined;
  #reason: string | null = null;
  #isRetired = false;

  constructor(options: UplinkOptions) {
    const { dataDir, clock, log } = options;
    refusePlaintext(options);
    makeFolder(dataDir);
    this.#options = options;
    this.#random = options.random ?? Math.random;
    const spool = new Spool({ ...options.spool, folder: join(dataDir, "spool"), clock, log });
    this.#spool = spool;
    this.#oversize = createOversize({ clock, log });
    this.#encode = createEncoder({
      nextSeq: () => spool.nextSeq(),
      run: randomBytes(8),
      isSpooled: (kind) => SPOOLED.has(kind),
      oversize: this.#oversize,
      log,
    });
    this.#enrollment = new Enrollment(options);
  }

  /** Resolves when the agent gives up: it was revoked, or its token is not accepted. */
  get ended(): Promise<{ code: string; message: string }> {
    return this.#ended.promise;
  }

  /** Throws a StartError without an identity and without a token, or for an identity that cannot be used. */
  start(host: UplinkHost): void {
    const { server, skipTlsVerify, serverFingerprint, log } = this.#options;
    this.#enrollment.load();
    if (skipTlsVerify && serverFingerprint === undefined)
      log.warn({ server: addressText(server) }, "the server's certificate is not checked: for development only");
    else if (server.isPlain) log.warn({ server: addressText(server) }, "events and logs are sent without TLS");
    this.#settle();
    this.#running ??= this.#work(host);
  }

  observe(_agentId: string | null, observation: Observation): void {
    if (this.#stopping.signal.aborted || this.#isRetired) return;
    const maxListingBytes = this.#session?.maxListingBytes;
    if (maxListingBytes === undefined && !SPOOLED.has(observation.kind)) return;
    for (const event of this.#encode(observation, maxListingBytes ?? 0))
      if (this.#session?.take(event, beginsStream(observation)) !== true && event.isSpooled) this.#keep(event);
  }

  status(): UplinkStatus {
    const totals = this.#spool.totals();
    const connected = this.#session?.isLive === true;
    return {
      ...totals,
      ...this.#oversize.status(),
      agentId: this.#enrollment.identity?.agentId,
      connected,
      draining: connected && totals.queued > 0,
      reason: connected ? null : this.#reason,
    };
  }

  /** Sends live events and writes the rest to disk, within 3 seconds. */
  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return this.#running;
    const finishing = this.#session?.finish(FINISH_WITHIN_MS);
    this.#stopping.abort();
    await finishing;
    await this.#running;
    this.#settling?.cancel();
    this.#spool.close();
  }

  #settle(): void {
    this.#spool.settle();
    this.#enrollment.saveAgain();
    this.#settling = this.#options.clock.after(SETTLE_EVERY_MS, () => this.#settle());
  }

  async #work(host: UplinkHost): Promise<void> {
    const { log } = this.#options;
    const stopping = this.#stopping.signal;
    let attempt = 0;
    while (!stopping.aborted) {
      const known = this.#enrollment.identity ?? (await this.#enrollment.enroll(() => host.hello(), stopping));
      if (stopping.aborted) return;
      const end = "agentId" in known ? await this.#connect(known, host) : known;
      if (stopping.aborted) return;
      this.#reason = end.reason;
      const next = nextAttempt(end, attempt, this.#random());
      if (!next.again) return this.#retire(end.code ?? "", revokedMessage(this.#options.dataDir));
      if (this.#enrollment.identity === undefined && end.code !== undefined && TOKEN_REFUSALS.has(end.code))
        return this.#retire(end.code, `The server does not accept the enrollment: ${end.reason}`);
      attempt = next.attempt;
      log.warn(
        { code: end.code, reason: end.reason, again_in_ms: next.delayMs, queued: this.#spool.totals().queued },
        "not connected to the server",
      );
      await this.#waitFor(next);
    }
  }

  async #connect(identity: Identity, host: UplinkHost): Promise<StreamEnd & Refusal> {
    const transport = openTransport(this.#options);
    try {
      const session = new Session(transport.push(), {
        ...this.#options,
        host,
        identity,
        spool: this.#spool,
        unsure: (events) => this.#keepAll(events),
        oversize: () => this.#oversize.status().oversize,
      });
      this.#session = session;
      return await session.ended;
    } catch (error) {
      return { code: undefined, reason: messageOf(error), lastedMs: 0 };
    } finally {
      this.#session = undefined;
      transport.close();
    }
  }

  #keepAll(events: readonly LiveEvent[]): void {
    for (const event of events) if (event.isSpooled) this.#keep(event);
  }

  #keep({ seq, observedAtMs, bytes }: LiveEvent): void {
    this.#spool.push({ seq, observedAtMs, payload: Buffer.from(asReplayed(bytes).buffer) });
  }

  /** Waits for the delay of the next attempt, or until a server that was away is back. */
  async #waitFor({ delayMs, untilReopened }: { delayMs: number; untilReopened: boolean }): Promise<void> {
    const { server, clock } = this.#options;
    if (!untilReopened) return pause(clock, delayMs, this.#stopping.signal);
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, over.signal]);
    await Promise.race([pause(clock, delayMs, signal), untilPortReopens(server, { clock, random: this.#random, signal })]);
    over.abort();
  }

  /** Stops trying for good, and stores nothing more. */
  #retire(code: string, message: string): void {
    const { server, log } = this.#options;
    this.#isRetired = true;
    this.#reason = message;
    log.error({ code, server: addressText(server) }, message);
    this.#ended.resolve({ code, message });
  }
}

function revokedMessage(dataDir: string): string {
  return `The server has revoked this agent: it does not connect any more. To enroll it again, remove ${identityPath(dataDir)} and start it with a new token.`;
}

/** Whether events are live from this one. A runtime that is away has nothing to list, and of a cluster the whole is shown once a stream. */
function beginsStream(observation: Observation): boolean {
  switch (observation.kind) {
    case "container.inventory":
      return true;
    case "runtime.changed":
      return !observation.status.connected;
    case "kubernetes.observed":
      return observation.kubernetes.isComplete;
    default:
      return false;
  }
}

export function createUplink(options: UplinkOptions): Uplink {
  return new Uplink(options);
}
