import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SecureContext } from "node:tls";
import type { Observation, ObservationSink } from "../../observations.ts";
import { type Clock, pause, type Timer } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/folder.ts";
import type { Log } from "../../platform/log.ts";
import type { AgentHello } from "../seams.ts";
import { asReplayed } from "../wire/index.ts";
import type { AgentLogs } from "./commands.ts";
import { createEncoder } from "./encoder.ts";
import { enroll } from "./enroll.ts";
import {
  forgetEnrollingKey,
  type Identity,
  identityPath,
  readEnrollingKey,
  readIdentity,
  writeEnrollingKey,
  writeIdentity,
} from "./identity.ts";
import { createOversize, type OversizeStatus } from "./oversize.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import { untilPortReopens } from "./reopening.ts";
import { nextAttempt, type StreamEnd } from "./schedule.ts";
import type { LiveEvent } from "./sender.ts";
import { addressText, refusePlaintext, type ServerAddress } from "./server-address.ts";
import { openSession, type Session } from "./session.ts";
import { openSpool, type SpoolBudgets, type SpoolTotals } from "./spool/index.ts";
import { openTransport, type Transport } from "./transport.ts";

const SETTLE_EVERY_MS = 5000;
const ENROLL_WITHIN_MS = 30_000;
/** Of what is live when the agent stops: arrived by then, or in the spool. */
const FINISH_WITHIN_MS = 1500;
/** Kept for later while the server cannot be reached. Source: specification, Agent stream events; without the spans that were watched, what is kept would say nothing of uptime. */
const SPOOLED: ReadonlySet<Observation["kind"]> = new Set([
  "container.seen",
  "container.gone",
  "container.last_words",
  "endpoint.checked",
  "resources.sampled",
  "host.watched",
]);

/** No token will be accepted when it is shown again. */
const TOKEN_REFUSALS = new Set(["token_invalid", "token_expired", "token_consumed", "label_too_long", "unauthorized", "validation_failed"]);

export interface UplinkOptions {
  server: ServerAddress;
  skipTlsVerify: boolean;
  /** Of the only certificate that the server may have, as `sha256:HEX`. */
  serverFingerprint: string | undefined;
  /** Whom to trust as the server. */
  trust: () => SecureContext;
  /** Where identity.json and the spool are. */
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

/** The host that is watched: it sends to the uplink what it sees, so it is built after it. */
export interface UplinkHost {
  hello(): AgentHello;
  /** Lists everything now; resolves once that was observed. */
  refresh(signal: AbortSignal): Promise<void>;
}

export interface UplinkStatus extends SpoolTotals, OversizeStatus {
  /** undefined until it has enrolled. */
  agentId: string | undefined;
  connected: boolean;
  /** What waited is being sent. */
  draining: boolean;
  /** Why there is no connection; null while there is one, and before the first attempt ended. */
  reason: string | null;
}

/** Sends what this host shows to the server, and keeps it while the server cannot be reached. */
export interface Uplink extends ObservationSink {
  /** Begins. Throws a StartError without an identity and without a token, or with an identity that cannot be used. */
  start(host: UplinkHost): void;
  /** Sends what is live, writes the rest to disk; within 3 seconds. */
  stop(): Promise<void>;
  status(): UplinkStatus;
  /** Resolves when it will never try again: the agent was revoked, or its token is not accepted. */
  readonly ended: Promise<{ code: string; message: string }>;
}

export function createUplink(options: UplinkOptions): Uplink {
  const { server, skipTlsVerify, dataDir, enrollmentToken, clock, log, random = Math.random } = options;
  refusePlaintext(options);
  makeFolder(dataDir);
  const spool = openSpool({ ...options.spool, folder: join(dataDir, "spool"), clock, log });
  const ended = Promise.withResolvers<{ code: string; message: string }>();
  const stopping = new AbortController();
  const oversize = createOversize({ clock, log });
  const encode = createEncoder({
    nextSeq: () => spool.nextSeq(),
    run: randomBytes(8),
    isSpooled: (kind) => SPOOLED.has(kind),
    oversize,
    log,
  });
  let identity: Identity | undefined;
  /** While it enrolls. */
  let newKey: KeyObject | undefined;
  let session: Session | undefined;
  let running: Promise<void> | undefined;
  let settling: Timer | undefined;
  let reason: string | null = null;
  let retired = false;
  /** It exists at the server, and not yet on this disk. */
  let unwritten: Identity | undefined;

  function settle(): void {
    spool.settle();
    if (unwritten !== undefined) save(unwritten);
    settling = clock.after(SETTLE_EVERY_MS, settle);
  }

  /** The token is used up: what cannot be written now is tried again for as long as this process lives. */
  function save(made: Identity): void {
    try {
      writeIdentity(dataDir, made);
      forgetEnrollingKey(dataDir);
      unwritten = undefined;
    } catch (error) {
      unwritten = made;
      log.error(
        { path: identityPath(dataDir), reason: messageOf(error) },
        "identity not written: after a restart the agent would not be known",
      );
    }
  }

  function keyToEnroll(): KeyObject {
    const begun = readEnrollingKey(dataDir);
    if (begun !== undefined) return begun;
    const { privateKey } = generateKeyPairSync("ed25519");
    try {
      writeEnrollingKey(dataDir, privateKey);
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "key not written: an agent that ends while it enrolls would need another token");
    }
    return privateKey;
  }

  function keep({ seq, observedAtMs, bytes }: LiveEvent): void {
    spool.push({ seq, observedAtMs, payload: Buffer.from(asReplayed(bytes).buffer) });
  }

  function keepAll(events: readonly LiveEvent[]): void {
    for (const event of events) if (event.isSpooled) keep(event);
  }

  async function connect(known: Identity, { hello, refresh }: UplinkHost): Promise<StreamEnd & Refusal> {
    const transport = openTransport(options);
    try {
      const current = openSession(transport.push(), {
        ...options,
        hello,
        refresh,
        identity: known,
        spool,
        unsure: keepAll,
        oversize: () => oversize.status().oversize,
      });
      session = current;
      return await current.ended;
    } catch (error) {
      return { code: undefined, reason: messageOf(error), lastedMs: 0 };
    } finally {
      session = undefined;
      transport.close();
    }
  }

  /** Like a stream that ends at once, unless it succeeds. */
  async function enlist(token: string, { hello }: UplinkHost): Promise<Identity | (StreamEnd & Refusal)> {
    const transport: Transport = openTransport(options);
    const giveUp = new AbortController();
    const late = clock.after(ENROLL_WITHIN_MS, () => giveUp.abort());
    try {
      const signal = AbortSignal.any([stopping.signal, giveUp.signal]);
      const privateKey = (newKey ??= keyToEnroll());
      const made = await enroll({ transport, server, token, privateKey, label: options.label ?? "", hello: hello(), clock, signal });
      log.info({ agent_id: made.agentId, server: made.server }, "enrolled with the server");
      save(made);
      return made;
    } catch (error) {
      return { ...refusalOf(error), lastedMs: 0 };
    } finally {
      late.cancel();
      transport.close();
    }
  }

  async function work(host: UplinkHost): Promise<void> {
    let attempt = 0;
    while (!stopping.signal.aborted) {
      const known: Identity | (StreamEnd & Refusal) = identity ?? (await enlist(enrollmentToken ?? "", host));
      if ("agentId" in known) identity = known;
      if (stopping.signal.aborted) return;
      const end = "agentId" in known ? await connect(known, host) : known;
      if (stopping.signal.aborted) return;
      reason = end.reason;
      const next = nextAttempt(end, attempt, random());
      if (!next.again) return retire(end.code ?? "", revokedMessage());
      if (identity === undefined && end.code !== undefined && TOKEN_REFUSALS.has(end.code)) return retire(end.code, refusedMessage(end));
      attempt = next.attempt;
      log.warn(
        { code: end.code, reason: end.reason, again_in_ms: next.delayMs, queued: spool.totals().queued },
        "not connected to the server",
      );
      await waitFor(next.delayMs);
    }
  }

  /** The delay of the next attempt, or until a server that was away is back. */
  async function waitFor(delayMs: number): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([stopping.signal, over.signal]);
    await Promise.race([pause(clock, delayMs, signal), untilPortReopens(server, { clock, random, signal })]);
    over.abort();
  }

  /** Never tries again, and keeps nothing more. */
  function retire(code: string, message: string): void {
    retired = true;
    reason = message;
    log.error({ code, server: addressText(server) }, message);
    ended.resolve({ code, message });
  }

  function revokedMessage(): string {
    return `The server has revoked this agent: it does not connect any more. To enroll it again, remove ${identityPath(dataDir)} and start it with a new token.`;
  }

  function refusedMessage(end: Refusal): string {
    return `The server does not accept the enrollment: ${end.reason}`;
  }

  return {
    ended: ended.promise,
    start(host) {
      identity = readIdentity(dataDir);
      if (identity !== undefined) forgetEnrollingKey(dataDir);
      if (identity === undefined && enrollmentToken === undefined)
        throw new StartError(
          `This agent has no identity in ${dataDir} and no enrollment token. Make a token on the server's page of hosts, and give it as SERVICE_ENROLLMENT_TOKEN.`,
        );
      if (identity !== undefined && identity.server !== addressText(server))
        log.info({ enrolled_with: identity.server, server: addressText(server) }, "the server has another address than at enrollment");
      if (skipTlsVerify && options.serverFingerprint === undefined)
        log.warn({ server: addressText(server) }, "the server's certificate is not checked: for development only");
      else if (server.isPlain) log.warn({ server: addressText(server) }, "events and logs are sent without TLS");
      settle();
      running ??= work(host);
    },
    observe(_agentId, observation) {
      if (stopping.signal.aborted || retired) return;
      // A runtime that is away has nothing to list.
      const begins =
        observation.kind === "container.inventory" || (observation.kind === "runtime.changed" && !observation.status.connected);
      const maxListingBytes = session?.maxListingBytes;
      if (maxListingBytes === undefined && !SPOOLED.has(observation.kind)) return;
      for (const event of encode(observation, maxListingBytes ?? 0))
        if (session?.take(event, begins) !== true && event.isSpooled) keep(event);
    },
    async stop() {
      if (stopping.signal.aborted) return running;
      const finishing = session?.finish(FINISH_WITHIN_MS);
      stopping.abort();
      await finishing;
      await running;
      settling?.cancel();
      spool.close();
    },
    status() {
      const totals = spool.totals();
      const connected = session?.isLive === true;
      return {
        ...totals,
        ...oversize.status(),
        agentId: identity?.agentId,
        connected,
        draining: connected && totals.queued > 0,
        reason: connected ? null : reason,
      };
    },
  };
}
