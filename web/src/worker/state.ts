import { DAY_MS } from "../../../src/contract/time.ts";
import { forgetAll, forgetCount, put, STATE_CACHE } from "./caches.ts";
import { isKept, KEPT_PATHS, withoutCredentials } from "./kept-paths.ts";

const SESSION = "/api/v1/session";
const OFFLINE_PAGES = "/offline-pages";
/** When an answer was fetched, on this device's clock. */
const KEPT_AT = "x-kept-at";

const LONGEST_BODY = 4_000_000;
const MOST_PAGES_OF_A_LIST = 10;
const MOST_OFFLINE_PAGES = 20;
const LONGEST_KEPT_MS = 30 * DAY_MS;
/** A list that is read again and again is not written each time. */
const REST_MS = 30_000;

const writtenAtMs = new Map<string, number>();

/** Keeps an answer that a page was just given. */
export async function keepAnswer(url: URL, answer: Response): Promise<void> {
  const now = Date.now();
  if (now - (writtenAtMs.get(url.href) ?? 0) < REST_MS || !(await isBegun())) return;
  writtenAtMs.set(url.href, now);
  await write(url, answer, forgetCount());
}

async function write(url: URL, answer: Response, since: number): Promise<void> {
  const now = Date.now();
  const text = await answer.text();
  if (text.length > LONGEST_BODY) return;
  const body = url.pathname === "/api/v1/heartbeats" ? withoutCredentials(text) : text;
  const headers = { "content-type": "application/json", [KEPT_AT]: String(now) };
  const cache = await caches.open(STATE_CACHE);
  if (url.search === "") await deletePages(cache, url.pathname);
  else if ((await cache.keys()).filter(isPageOf(url.pathname)).length > MOST_PAGES_OF_A_LIST) return;
  await put(STATE_CACHE, url.href, new Response(body, { headers }), since);
}

/** A first page is read before the others: those of the list before are of no use with it. */
async function deletePages(cache: Cache, path: string): Promise<void> {
  await Promise.all((await cache.keys()).filter(isPageOf(path)).map((key) => cache.delete(key)));
}

function isPageOf(path: string): (key: Request) => boolean {
  return ({ url }) => new URL(url).pathname === path;
}

/** Whether all of it was fetched once: until then single answers are not kept. */
async function isBegun(): Promise<boolean> {
  return (await caches.match(SESSION, { cacheName: STATE_CACHE })) !== undefined;
}

let refreshing: Promise<void> | undefined;
let refreshedAtMs = 0;

/** Fetches all that is kept again, at most twice a minute. */
export async function refreshState(): Promise<void> {
  if (refreshing === undefined && Date.now() - refreshedAtMs < REST_MS) return;
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
    refreshedAtMs = Date.now();
  });
  await refreshing;
}

/** The same, if it never was. */
export async function beginState(): Promise<void> {
  if (!(await isBegun())) await refreshState();
}

async function refresh(): Promise<void> {
  const since = forgetCount();
  for (const path of [...KEPT_PATHS, SESSION]) {
    if (since !== forgetCount()) return;
    let cursor: string | null = null;
    for (let page = 0; page < MOST_PAGES_OF_A_LIST; page += 1) {
      const url: URL = new URL(path, location.origin);
      if (cursor !== null) url.searchParams.set("cursor", cursor);
      const answer: Response = await fetch(url, { headers: { accept: "application/json" } });
      if (answer.status === 401) return forgetAll();
      if (!answer.ok) break;
      const copy = answer.clone();
      await write(url, answer, since);
      cursor = ((await copy.json()) as { next_cursor?: string | null }).next_cursor ?? null;
      if (cursor === null) break;
    }
  }
}

/** The age of the oldest of it; undefined when nothing is kept. What needs a session is forgotten when that has ended. */
export async function stateAge(): Promise<number | undefined> {
  const session = await caches.match(SESSION, { cacheName: STATE_CACHE });
  if (session === undefined) return undefined;
  const { ends_at: endsAt } = (await session.json()) as { ends_at: string | null };
  const cache = await caches.open(STATE_CACHE);
  const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
  const oldest = Math.min(...answers.map((answer) => Number(answer?.headers.get(KEPT_AT) ?? Infinity)));
  const isOver = endsAt !== null && Date.parse(endsAt) <= Date.now();
  if (isOver || Date.now() - oldest > LONGEST_KEPT_MS) {
    await forgetAll();
    return undefined;
  }
  return oldest;
}

export async function findAnswer(url: URL): Promise<Response | undefined> {
  return isKept(url) ? caches.match(url.href, { cacheName: STATE_CACHE }) : undefined;
}

/** Remembers that a page was opened without the server: it alone is given what is kept, since others know newer things. */
export async function addOfflinePage(id: string): Promise<void> {
  await changeOfflinePages((ids) => [...ids, id].slice(-MOST_OFFLINE_PAGES));
}

/** A page that the server answered knows newer things than what is kept. */
export async function removeOfflinePage(id: string): Promise<void> {
  if (await isOfflinePage(id)) await changeOfflinePages((ids) => ids.filter((other) => other !== id));
}

let changing = Promise.resolve();

/** One change at a time: each reads what the one before wrote. */
async function changeOfflinePages(change: (ids: readonly string[]) => readonly string[]): Promise<void> {
  const since = forgetCount();
  const changed = changing.then(async () => put(STATE_CACHE, OFFLINE_PAGES, Response.json(change(await offlinePages())), since));
  changing = changed.catch(() => undefined);
  await changed;
}

export async function isOfflinePage(id: string): Promise<boolean> {
  return (await offlinePages()).includes(id);
}

async function offlinePages(): Promise<string[]> {
  const kept = await caches.match(OFFLINE_PAGES, { cacheName: STATE_CACHE });
  return kept === undefined ? [] : ((await kept.json()) as string[]);
}
