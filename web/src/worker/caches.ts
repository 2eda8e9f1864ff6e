/** What the build knows of the app: its own version, that of the server which it is part of, and the files that its main pages need, beginning with the one that its page names. */
declare const BINNACLE_APP: { readonly version: string; readonly release: string; readonly files: readonly string[] };

export const APP_FILES = BINNACLE_APP.files;
export const APP_RELEASE = BINNACLE_APP.release;
/** The app itself, one cache a build. */
export const APP_CACHE = `binnacle-app-${BINNACLE_APP.version}`;
/** What the server last answered. The number rises when the form of what is kept changes. */
export const STATE_CACHE = "binnacle-state-1";

/** Whether a build before this one could be opened without the server. */
export async function hasEarlierApp(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith("binnacle-app-") && name !== APP_CACHE);
}

/** Deletes the caches of builds and forms before this one. */
export async function deleteOldCaches(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith("binnacle-") && name !== APP_CACHE && name !== STATE_CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

let forgotten = 0;

/** Deletes all that was kept. What is being fetched meanwhile is not kept either. */
export async function forgetAll(): Promise<void> {
  forgotten += 1;
  await Promise.all([caches.delete(APP_CACHE), caches.delete(STATE_CACHE)]);
}

/** Puts an answer into a cache, unless everything was forgotten since `since`, a value of {@link forgetCount}. */
export async function put(name: string, url: string, answer: Response, since: number): Promise<void> {
  const cache = await caches.open(name);
  await cache.put(url, answer);
  if (since !== forgotten) await caches.delete(name);
}

export function forgetCount(): number {
  return forgotten;
}
