import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Outbound, OutboundError, type OutboundOpened } from "../../platform/outbound.ts";
import { readBody } from "../../platform/outbound-body.ts";
import { parseRetryAfter } from "../../platform/outbound-error.ts";
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
  /** `isBrief`: only because it is asked too often. */
  | { kind: "failed"; sentence: string; isBrief: boolean };

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

class Refused extends Error {
  readonly isBrief: boolean;

  constructor(sentence: string, isBrief = false) {
    super(sentence);
    this.isBrief = isBrief;
  }
}

export interface AskForgeParts {
  outbound: Pick<Outbound, "open">;
  githubApi: string;
  token: string | undefined;
  clock: Clock;
}

export function createAskForge({ outbound, githubApi, token, clock }: AskForgeParts): AskForge {
  const shapes = forgeShapes(githubApi);
  /** Until when hosts are left alone. */
  const resting = new Map<string, number>();
  /** What kind of forge a host turned out to be. */
  const known = new Map<string, Forge>();

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
    remember(resting, host, nowMs + Math.min(Math.max(askedMs, LEAST_REST_MS), MOST_REST_MS));
  }

  /** The releases of one page; undefined for a repository that is not there, or a forge of another kind. */
  async function page(shape: ForgeShape, url: string, { etag, signal }: { etag: string | null; signal: AbortSignal }) {
    const host = URL.parse(url)?.host ?? "";
    const restsUntil = resting.get(host) ?? 0;
    if (restsUntil > clock.now().getTime())
      throw new Refused(`${host} allows no more requests before ${new Date(restsUntil).toISOString().slice(11, 16)} UTC.`, true);
    resting.delete(host);
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
      if (status === 429 || (status === 403 && isSpent)) throw new Refused(`${host} allows no more requests for now.`, true);
      if (status === 404 || status === 410) return undefined;
      throw new Refused(`${host} answered ${status} when asked for the releases.`);
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

  return async (source, wanted, given) => {
    const forge = source.forge ?? known.get(source.origin);
    const candidates: Forge[] = forge === undefined ? ["gitea", "gitlab"] : [forge];
    let outcome: Asked = { kind: "none" };
    for (const candidate of candidates) {
      try {
        outcome = await askAs(shapes[candidate], source, wanted, given);
      } catch (error) {
        given.signal.throwIfAborted();
        if (error instanceof Refused) outcome = { kind: "failed", sentence: error.message, isBrief: error.isBrief };
        else if (error instanceof OutboundError) outcome = { kind: "failed", sentence: error.message, isBrief: false };
        else throw error;
      }
      if (outcome.kind === "releases") remember(known, source.origin, candidate);
      if (outcome.kind !== "none") return outcome;
    }
    return outcome;
  };
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (!map.has(key) && map.size >= MOST_HOSTS && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
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
