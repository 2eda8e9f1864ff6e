import { APP_CACHE, APP_FILES, APP_RELEASE, forgetCount, put } from "./caches.ts";

const PAGE = "/";
const AT_ONCE = 4;

/** Fetches the app's page and the files of its main pages, unless they are there. Its page comes last: with it the app is whole. */
export async function fillApp(): Promise<void> {
  const since = forgetCount();
  if (await isFilled()) return;
  const missing = [...APP_FILES];
  const fetchNext = async (): Promise<void> => {
    for (let file = missing.pop(); file !== undefined; file = missing.pop()) {
      if ((await caches.match(file, { cacheName: APP_CACHE })) === undefined) await fetchInto(file, since);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchNext));
  await fetchInto(PAGE, since);
}

async function fetchInto(url: string, since: number): Promise<void> {
  const answer = await fetch(url);
  // The server may be of another build by now, whose own worker is on its way.
  if (url === PAGE && !(await answer.clone().text()).includes(APP_FILES[0] ?? "")) throw new Error("the page is not of this build");
  // A page that is elsewhere now is the login form.
  if (!answer.ok || answer.redirected) throw new Error(`${url} answered ${answer.status}`);
  await put(APP_CACHE, url, answer, since);
}

async function isFilled(): Promise<boolean> {
  return (await caches.match(PAGE, { cacheName: APP_CACHE })) !== undefined;
}

/** A file of the app, from the cache or the server. Its name has a hash of its content, so that either is right. */
export async function findFile(request: Request, later: (work: Promise<void>) => void): Promise<Response> {
  const kept = await caches.match(request.url, { cacheName: APP_CACHE });
  if (kept !== undefined) return kept;
  const since = forgetCount();
  const answer = await fetch(request);
  if (answer.ok && (await isFilled())) later(put(APP_CACHE, request.url, answer.clone(), since));
  return answer;
}

/** The app's page, with the version of its server and the age of the data that it will be given; undefined when the app is not kept. */
export async function offlinePage(keptAtMs: number | undefined): Promise<Response | undefined> {
  const kept = await caches.match(PAGE, { cacheName: APP_CACHE });
  if (kept === undefined) return undefined;
  const headers = new Headers(kept.headers);
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  const keptAt = keptAtMs === undefined ? "" : ` data-kept-at="${keptAtMs}"`;
  const page = (await kept.text()).replace("<html ", `<html data-kept-version="${APP_RELEASE}"${keptAt} `);
  return new Response(page, { headers });
}
