import type { IncomingHttpHeaders } from "node:http";
import { MINUTE_MS } from "../../contract/time.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { createLimiter } from "../../platform/queues.ts";
import { parseRetryAfter } from "../../platform/outbound-error.ts";
import { RegistryError } from "../image.ts";

/** Of one registry: so many questions at a time, and none while it wants to be left alone. */
export interface Lane {
  /** Waits its turn. Throws a RegistryError at once when the registry rests for long or too many wait. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
  /** Nobody asks it for so long; who comes meanwhile gets the reason. */
  rest(forMs: number, reason: RegistryError["reason"], sentence: string): void;
  isResting(): boolean;
}

const AT_A_TIME = 2;
const MOST_WAITING = 1000;
const MOST_LANES = 500;
/** A rest so short is waited out. */
export const SHORT_REST_MS = 5000;
export const LONGEST_REST_MS = 15 * MINUTE_MS;
/** After so many failures to reach it in a row, a registry is not asked for a while: else each image would wait for its own. */
const FAILURES = { inARow: 3, restMs: MINUTE_MS };

export function createLanes(clock: Clock): (registry: string) => Lane {
  const lanes = new Map<string, { lane: Lane; isIdle(): boolean }>();
  return (registry) => {
    const known = lanes.get(registry);
    if (known !== undefined) return known.lane;
    for (const [name, { isIdle }] of lanes.size < MOST_LANES ? [] : lanes) if (isIdle()) lanes.delete(name);
    const made = createLane(registry, clock);
    lanes.set(registry, made);
    return made.lane;
  };
}

function createLane(registry: string, clock: Clock): { lane: Lane; isIdle(): boolean } {
  const limit = createLimiter(AT_A_TIME, {
    most: MOST_WAITING,
    refusal: () => new RegistryError("unavailable", `Too many questions to ${registry} wait already.`),
  });
  let open = 0;
  let failures = 0;
  let resting: { untilMs: number; reason: RegistryError["reason"]; sentence: string } | undefined;

  function restLeftMs(): number {
    return resting === undefined ? 0 : Math.max(0, resting.untilMs - clock.monotonicMs());
  }

  async function restOut(signal: AbortSignal): Promise<void> {
    for (let leftMs = restLeftMs(); leftMs > 0; leftMs = restLeftMs()) {
      if (resting !== undefined && (leftMs > SHORT_REST_MS || resting.reason !== "rate_limited"))
        throw new RegistryError(resting.reason, resting.sentence);
      await pause(clock, leftMs, signal);
      signal.throwIfAborted();
    }
  }

  async function ask<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    try {
      await restOut(signal);
      const result = await work();
      failures = 0;
      return result;
    } catch (error) {
      const isFailure = error instanceof RegistryError && (error.reason === "timeout" || error.reason === "unreachable");
      failures = isFailure ? failures + 1 : 0;
      if (isFailure && failures >= FAILURES.inARow) rest(FAILURES.restMs, error.reason, error.message);
      throw error;
    }
  }

  const rest: Lane["rest"] = (forMs, reason, sentence) => {
    const untilMs = clock.monotonicMs() + Math.min(forMs, LONGEST_REST_MS);
    if (untilMs > (resting?.untilMs ?? 0)) resting = { untilMs, reason, sentence };
  };

  const lane: Lane = {
    rest,
    isResting: () => restLeftMs() > 0,
    async run(signal, work) {
      if (restLeftMs() > SHORT_REST_MS) await restOut(signal);
      open += 1;
      try {
        return await limit(() => ask(signal, work), signal);
      } finally {
        open -= 1;
      }
    },
  };
  return { lane, isIdle: () => open === 0 && restLeftMs() === 0 };
}

/** When a registry says that it was asked too often, and not for how long. */
const DEFAULT_REST_MS = MINUTE_MS;

/** For how long a registry wants to be left alone, in milliseconds; null when it does not. Sources: RFC 9110, 10.2.3; the IETF's RateLimit headers; Docker Hub, GitLab. */
export function restAsked(status: number, headers: IncomingHttpHeaders, now: Date): number | null {
  const asked = parseRetryAfter(headers["retry-after"], now) ?? resetIn(headers, now);
  if (status === 429) return Math.min(asked ?? DEFAULT_REST_MS, LONGEST_REST_MS);
  if (!/^0+(?:\s*;.*)?$/.test(first(headers, "ratelimit-remaining") ?? "")) return null;
  return Math.min(asked ?? DEFAULT_REST_MS, LONGEST_REST_MS);
}

/** `ratelimit-reset`: seconds from now, or a time in seconds since 1970. */
function resetIn(headers: IncomingHttpHeaders, now: Date): number | null {
  const text = first(headers, "ratelimit-reset")?.trim() ?? "";
  if (!/^\d{1,12}$/.test(text)) return null;
  const seconds = Number(text);
  return Math.max(0, seconds > 1_000_000_000 ? seconds * 1000 - now.getTime() : seconds * 1000);
}

function first(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name] ?? headers[`x-${name}`];
  return Array.isArray(value) ? value[0] : value;
}
