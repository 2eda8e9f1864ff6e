import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Outbound, OutboundError, type OutboundOpened } from "../../platform/outbound.ts";
import { readBody } from "../../platform/outbound-body.ts";
import { type OutboundReason, parseRetryAfter } from "../../platform/outbound-error.ts";
import { type ForgeShape, forgeShapes, PAGE_SIZE } from "./forges.ts";
import { isEnough, type Release, type Wanted } from "./release.ts";
import type { Forge, Source } from "./source.ts";

/** What a forge answered. */
export type Asked =
  | { kind: "releases"; forge: Forge; releases: Release[]; isWhole: boolean; etag: string | null }
  /** The same as when the given ETag was sent. */
  | { kind: "unchanged" }
  /** There is no such repository, or this is no forge. */
  | { kind: "none" }
  | ({ kind: "failed" } & Failure);

/** Asks forges for the releases of repositories. */
export type AskForge = (source: Source, wanted: Wanted, known: { etag: string | null; signal: AbortSignal }) => Promise<Asked>;

const MOST_PAGES = 5;
const MOST_PAGE_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const WHOLE_MS = 30_000;
/** A host that is asked too often rests so long at least, and at most. */
const LEAST_REST_MS = MINUTE_MS;
const MOST_REST_MS = HOUR_MS;
const MOST_HOSTS = 500;

/** What did not work: a host that allows no more for now, a repository or a host that may be in order soon, or nothing that time mends. */
type Trouble = "limit" | "repository" | "host" | "lasting";

class Refused extends Error {
  readonly trouble: Trouble;

  constructor(sentence: string, trouble: Trouble) {
    super(sentence);
    this.trouble = trouble;
  }
}

/** Request Timeout, Too Early, and Forbidden, with which GitHub answers whoever asks too fast. */
const PASSING_STATUSES: readonly number[] = [403, 408, 425];
const PASSING_REASONS: readonly OutboundReason[] = ["name", "connection", "tls", "timeout", "aborted"];

export interface AskForgeParts {
  outbound: Pick<Outbound, "open">;
  githubApi: string;
  token: string | undefined;
  clock: Clock;
}

export function createAskForge({ outbound, githubApi, token, clock }: AskForgeParts): AskForge {
  const shapes = forgeShapes(githubApi);
  /** Until when hosts are left alone that were asked too often. */
  const limited = new Map<string, number>();
  /** What kind of forge a host turned out to be. */
  const known = new Map<string, Forge>();
  const failures = createFailures(clock);

  function headersFor(shape: ForgeShape, url: string, etag: string | null): Record<string, string> {
    const isGithub = URL.parse(url)?.origin === URL.parse(githubApi)?.origin && shape.forge === "github";
    return {
      ...shape.headers,
      "user-agent": "Binnacle",
      ...(token !== undefined && isGithub && { authorization: `Bearer ${token}` }),
      ...(etag !== null && { "if-none-match": etag }),
    };
  }

  function rest(host: string, { headers }: OutboundOpened): void {
    const nowMs = clock.now().getTime();
    const reset = Number(one(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]));
    const askedMs = parseRetryAfter(headers["retry-after"], clock.now()) ?? (reset > 0 ? reset * 1000 - nowMs : 0);
    const value = nowMs + Math.min(Math.max(askedMs, LEAST_REST_MS), MOST_REST_MS);
    remember(limited, { key: host, value, most: MOST_HOSTS });
  }

  /** The releases of one page; undefined for a repository that is not there, or a forge of another kind. */
  async function page(shape: ForgeShape, url: string, { etag, signal }: { etag: string | null; signal: AbortSignal }) {
    const host = URL.parse(url)?.host ?? "";
    const restsUntil = limited.get(host) ?? 0;
    if (restsUntil > clock.now().getTime())
      throw new Refused(`${host} allows no more requests before ${new Date(restsUntil).toISOString().slice(11, 16)} UTC.`, "limit");
    limited.delete(host);
    const opened = await outbound.open({
      url,
      method: "GET",
      headers: headersFor(shape, url, etag),
      signal,
      timeoutMs: TIMEOUT_MS,
      wholeMs: WHOLE_MS,
    });
    const { status, headers } = opened;
    const isSpent = one(headers["x-ratelimit-remaining"] ?? headers["ratelimit-remaining"]) === "0";
    if (status === 429 || isSpent) rest(host, opened);
    if (status !== 200) {
      opened.body.destroy();
      if (status === 304) return "unchanged" as const;
      if (status === 429 || (status === 403 && isSpent)) throw new Refused(`${host} allows no more requests for now.`, "limit");
      if (status === 404 || status === 410) return undefined;
      const isPassing = status >= 500 || PASSING_STATUSES.includes(status);
      throw new Refused(`${host} answered ${status} when asked for the releases.`, isPassing ? "repository" : "lasting");
    }
    const given = parsed(await readBody(opened, MOST_PAGE_BYTES));
    if (!Array.isArray(given)) return undefined;
    const releases = given.slice(0, PAGE_SIZE * 2).flatMap((each: unknown) => shape.read(each) ?? []);
    return { releases, isLast: given.length < PAGE_SIZE, etag: one(headers.etag) ?? null };
  }

  async function askAs(shape: ForgeShape, source: Source, wanted: Wanted, { etag, signal }: Parameters<AskForge>[2]): Promise<Asked> {
    const releases: Release[] = [];
    let isWhole = false;
    let firstEtag: string | null = null;
    for (let number = 1; number <= MOST_PAGES && !isWhole; number += 1) {
      const found = await page(shape, shape.url(source, number), { etag: number === 1 ? etag : null, signal });
      if (found === "unchanged") return { kind: "unchanged" };
      if (found === undefined && number === 1) return { kind: "none" };
      if (found === undefined) break;
      if (number === 1) firstEtag = found.etag !== null && found.etag.length <= 255 ? found.etag : null;
      releases.push(...found.releases);
      isWhole = found.isLast || isEnough(found.releases, wanted);
    }
    return { kind: "releases", forge: shape.forge, releases, isWhole, etag: firstEtag };
  }

  async function askEach(source: Source, wanted: Wanted, given: Parameters<AskForge>[2]): Promise<Asked> {
    const forge = source.forge ?? known.get(source.origin);
    const candidates: Forge[] = forge === undefined ? ["gitea", "gitlab"] : [forge];
    for (const candidate of candidates) {
      const outcome = await askAs(shapes[candidate], source, wanted, given);
      if (outcome.kind === "releases") remember(known, { key: source.origin, value: candidate, most: MOST_HOSTS });
      if (outcome.kind !== "none") return outcome;
    }
    return { kind: "none" };
  }

  function failureOf(source: Source, error: Refused | OutboundError): Failure {
    const trouble = error instanceof Refused ? error.trouble : PASSING_REASONS.includes(error.reason) ? "host" : "lasting";
    if (trouble === "host") return failures.add(source.origin, error.message);
    // The host answered.
    failures.clear(source.origin);
    if (trouble === "repository") return failures.add(source.url, error.message);
    return { sentence: error.message, isPassing: trouble === "limit" };
  }

  return async (source, wanted, given) => {
    const resting = failures.resting([source.origin, source.url]);
    if (resting !== undefined) return { kind: "failed", ...resting };
    try {
      const outcome = await askEach(source, wanted, given);
      for (const key of [source.origin, source.url]) failures.clear(key);
      return outcome;
    } catch (error) {
      given.signal.throwIfAborted();
      if (!(error instanceof Refused) && !(error instanceof OutboundError)) throw error;
      return { kind: "failed", ...failureOf(source, error) };
    }
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Why a forge did not answer, and whether it may answer soon. */
interface Failure {
  sentence: string;
  isPassing: boolean;
}

/**
 * Failures in a row of hosts and repositories, in memory: after a restart each is asked once more. The rest after each is longer than the one
 * before; after the last try it is no longer called passing.
 */
interface Failures {
  /** The failure that one of these had, while it rests. */
  resting(keys: readonly string[]): Failure | undefined;
  /** Adds a failure, and answers it with whether it is worth asking again soon. */
  add(key: string, sentence: string): Failure;
  clear(key: string): void;
}

const FIRST_REST_MS = 5 * MINUTE_MS;
/** Shorter than the hour after which images without release notes are studied again. */
const LONGEST_REST_MS = 30 * MINUTE_MS;
const MOST_TRIES = 6;
const MOST_KEYS = 500;

function createFailures(clock: Clock): Failures {
  const failures = new Map<string, { tries: number; untilMs: number; sentence: string }>();
  const isPassing = ({ tries }: { tries: number }): boolean => tries < MOST_TRIES;

  return {
    resting(keys) {
      for (const key of keys) {
        const failure = failures.get(key);
        if (failure === undefined || failure.untilMs <= clock.now().getTime()) continue;
        if (!isPassing(failure)) return { sentence: failure.sentence, isPassing: false };
        const until = new Date(failure.untilMs).toISOString().slice(11, 16);
        return { sentence: `${failure.sentence} It is not asked again before ${until} UTC.`, isPassing: true };
      }
      return undefined;
    },
    add(key, sentence) {
      const tries = (failures.get(key)?.tries ?? 0) + 1;
      const restMs = Math.min(FIRST_REST_MS * 2 ** (tries - 1), LONGEST_REST_MS);
      const failure = { tries, untilMs: clock.now().getTime() + restMs, sentence };
      remember(failures, { key, value: failure, most: MOST_KEYS });
      return { sentence, isPassing: isPassing(failure) };
    },
    clear: (key) => void failures.delete(key),
  };
}

/** Keeps a value in a map of bounded size: the oldest key gives way. */
function remember<Value>(map: Map<string, Value>, { key, value, most }: { key: string; value: Value; most: number }): void {
  const [oldest] = map.keys();
  if (!map.has(key) && map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
