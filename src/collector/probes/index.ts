import { isDeepStrictEqual } from "node:util";
import type { EndpointCheck, ObservationSink, CheckResult } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf, ServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { type AddressGuard, createAddressGuard } from "../peers/address-guard.ts";
import { type Peer, abortable } from "../peers/failure.ts";
import { createResolver, type Resolver } from "../peers/resolver.ts";
import type { Trust } from "../tls/trust.ts";
import { peerOfUrl } from "./exchange.ts";
import { probeHttp } from "./http-probe.ts";
import { failureOf, NOTHING_LEARNED, type Outcome } from "./probe.ts";
import { firstBeats, nextDueMs, nextRhythm, FIRST_RHYTHM, type Rhythm } from "./rhythm.ts";
import { createSchedule, type Turn } from "./schedule.ts";
import { createSelfCheck, type HostNetwork, readHostNetwork, type KnownPeer } from "./self-check.ts";
import { probeTcp, peerOf } from "./tcp-probe.ts";

const LOG_EVERY_MS = 60_000;

/** Later than this is logged. */
const LATE_MS = 2_000;

/** Enough for 10,000 checks every 30 s that all hang for 10 s: nothing is late even then. */
const AT_ONCE = 4_096;
/** What one host is asked at once. */
const PER_HOST = 64;

export interface ProbesOptions {
  sink: ObservationSink;
  /** null is the local host. */
  agentId: string | null;
  clock: Clock;
  log: Log;
  trust: Trust;
  resolver?: Resolver;
  /** The usual one of a program that listens nowhere when absent. */
  guard?: AddressGuard;
  readNetwork?: () => HostNetwork;
  /** Called at every start with how late the check is. */
  onStart?: (lateMs: number) => void;
}

/** Checks the endpoints of one host, each in its rhythm, and reports every result as an observation. */
export interface Probes {
  /** Replaces what is checked, by key. Unchanged ones keep their rhythm; new ones are spread over their interval, but first checked within 5 s. */
  set(checks: ReadonlyMap<string, EndpointCheck>): void;
  /** Checks one now, out of turn, or waits for its check under way; its result also goes to the sink. Throws `not_found` for an unknown key. */
  checkNow(key: string, signal: AbortSignal): Promise<Checked>;
  start(): void;
  /** Ends all checks under way, without results. */
  stop(): Promise<void>;
}

export function createProbes(options: ProbesOptions): Probes {
  const { sink, agentId, clock, log, trust, readNetwork = readHostNetwork, onStart } = options;
  const { resolver = createResolver({ clock }), guard = createAddressGuard() } = options;
  const watched = new Map<string, Watched>();
  const selfCheck = createSelfCheck({ clock, resolver, guard, readNetwork, peers: () => watched.values() });
  const lateness = createLateness({ clock, log });
  const schedule = createSchedule<Watched>({
    clock,
    atOnce: AT_ONCE,
    perHost: PER_HOST,
    run: begin,
    onStart(lateMs) {
      lateness.note(lateMs);
      onStart?.(lateMs);
    },
    onHeldUp: (heldUpMs) => log.warn({ heldUpMs: Math.round(heldUpMs) }, "checks were held up; the machine slept or was overloaded"),
  });
  let phase: "new" | "running" | "stopped" = "new";
  /** How many were ever added: places the next one among them. */
  let added = 0;

  function add(key: string, check: EndpointCheck): void {
    const each = createWatched(key, check);
    watched.set(key, each);
    if (phase === "running") planFirst(each);
  }

  function remove(each: Watched): void {
    each.isRemoved = true;
    watched.delete(each.key);
    schedule.withdraw(each);
    each.underWay?.ending.abort();
  }

  function planFirst(each: Watched): void {
    Object.assign(each, firstBeats(added, each.check, schedule.nowMs()));
    added += 1;
    schedule.plan(each);
  }

  function begin(each: Watched): Promise<Checked | null> {
    const ending = new AbortController();
    const checked = run(each, ending.signal);
    each.underWay = { checked, ending };
    return checked;
  }

  async function run(each: Watched, signal: AbortSignal): Promise<Checked | null> {
    const at = clock.now();
    const startedMs = schedule.nowMs();
    try {
      const { result, address } = await probe(each.check, signal);
      if (result.success) each.succeededMs = clock.monotonicMs();
      else if (result.observed) result.observed = !(await abortable(selfCheck.excuses(each, result.failureClass), signal));
      if (address !== null) each.address = address;
      signal.throwIfAborted();
      each.rhythm = nextRhythm(each.rhythm, result, each.check);
      sink.observe(agentId, { kind: "endpoint.checked", observedAt: at, key: each.key, result });
      return { at, result };
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "the result of a check was lost");
      return null;
    } finally {
      each.underWay = undefined;
      if (!each.isRemoved && phase === "running") {
        each.dueMs = nextDueMs(each.rhythm, each.check, { beatMs: each.beatMs, startedMs, nowMs: schedule.nowMs() });
        schedule.plan(each);
      }
    }
  }

  async function probe(check: EndpointCheck, signal: AbortSignal): Promise<Outcome> {
    const parts = { clock, resolver, guard, trust };
    try {
      return await (check.http === null ? probeTcp(check, parts, signal) : probeHttp(check, check.http, parts, signal));
    } catch (error) {
      signal.throwIfAborted();
      // The error itself may hold the target, and so credentials.
      log.error({ reason: messageOf(error) }, "a check could not be made");
      return failureOf(NOTHING_LEARNED, error);
    }
  }

  return {
    set(checks) {
      for (const each of watched.values()) {
        const wanted = checks.get(each.key);
        if (wanted === undefined || !isSameCheck(wanted, each.check)) remove(each);
      }
      for (const [key, check] of checks) if (!watched.has(key)) add(key, check);
    },
    async checkNow(key, signal) {
      const each = watched.get(key);
      if (each === undefined || phase === "stopped") throw new ServiceError("not_found", "This endpoint is not checked here.");
      schedule.withdraw(each);
      const checked = await abortable(each.underWay?.checked ?? begin(each), signal);
      if (checked === null) throw new ServiceError("not_found", "This endpoint is no longer checked.");
      return checked;
    },
    start() {
      if (phase !== "new") return;
      phase = "running";
      for (const each of watched.values()) if (each.underWay === undefined) planFirst(each);
    },
    async stop() {
      phase = "stopped";
      schedule.stop();
      const underWay = [...watched.values()].flatMap((each) => each.underWay ?? []);
      for (const { ending } of underWay) ending.abort();
      await Promise.all(underWay.map(({ checked }) => checked));
    },
  };
}

/** Logs now and then that checks begin late: too many hang, or one host has too many of them. */
function createLateness({ clock, log }: { clock: Clock; log: Log }): { note(lateMs: number): void } {
  let late = 0;
  let longestMs = 0;
  let loggedMs = -LOG_EVERY_MS;
  return {
    note(lateMs) {
      if (lateMs < LATE_MS) return;
      late += 1;
      longestMs = Math.max(longestMs, lateMs);
      if (clock.monotonicMs() - loggedMs < LOG_EVERY_MS) return;
      log.warn({ checks: late, longestMs: Math.round(longestMs) }, "checks begin late; too many wait for answers");
      loggedMs = clock.monotonicMs();
      late = 0;
      longestMs = 0;
    },
  };
}

/** What a check showed that began at `at`. */
interface Checked {
  at: Date;
  result: CheckResult;
}

/** One endpoint that is checked, and all that is remembered of it: plain data, since there may be ten thousand. */
interface Watched extends Turn, KnownPeer {
  key: string;
  check: EndpointCheck;
  rhythm: Rhythm;
  /** From where the beats of its interval are counted. */
  beatMs: number;
  /** The check under way; its promise resolves to null when it was called off, and never rejects. */
  underWay: { checked: Promise<Checked | null>; ending: AbortController } | undefined;
  isRemoved: boolean;
}

function createWatched(key: string, check: EndpointCheck): Watched {
  const peer = peerOfCheck(check);
  return {
    key,
    check,
    peer,
    host: peer.host,
    address: null,
    succeededMs: null,
    dueMs: 0,
    place: -1,
    rhythm: FIRST_RHYTHM,
    beatMs: 0,
    underWay: undefined,
    isRemoved: false,
  };
}

function isSameCheck(one: EndpointCheck, other: EndpointCheck): boolean {
  return one === other || isDeepStrictEqual(one, other);
}

function peerOfCheck({ type, target }: EndpointCheck): Peer {
  if (type === "tcp") return peerOf(target);
  const url = URL.parse(target);
  return url === null ? { host: target, port: 80 } : peerOfUrl(url);
}
