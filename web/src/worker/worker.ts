/** The service worker: opens the app when the server cannot be reached, with what it last answered. */
import { isProgramPath } from "../../../src/contract/program-paths.ts";
import { fillApp, findFile, offlinePage } from "./app-files.ts";
import { deleteOldCaches, forgetAll, hasEarlierApp } from "./caches.ts";
import { isKept } from "./kept-paths.ts";
import type { Message } from "./message.ts";
import { openNotification, showPush } from "./notifications.ts";
import { addOfflinePage, beginState, findAnswer, isOfflinePage, keepAnswer, refreshState, removeOfflinePage, stateAge } from "./state.ts";

declare const self: ServiceWorkerGlobalScope;

/** A server that has not begun to answer by then is taken as out of reach. */
const PATIENCE_MS = 10_000;

// The worker before serves until the app of this build is there too.
self.addEventListener("install", (event) => event.waitUntil(succeed().then(() => self.skipWaiting())));

async function succeed(): Promise<void> {
  if (await hasEarlierApp()) await fillApp().catch(() => undefined);
}

self.addEventListener("activate", (event) => {
  event.waitUntil(
    Promise.all([deleteOldCaches(), self.registration.navigationPreload.enable(), self.clients.claim()]).then(() => undefined),
  );
});

self.addEventListener("message", (event) => {
  const message = event.data as Message;
  // Whatever fails is tried again by the next page.
  const work = message.kind === "begin" ? fillApp().then(beginState) : refreshState();
  event.waitUntil(work.catch(() => undefined));
});

self.addEventListener("push", (event) => event.waitUntil(showPush(event.data)));

self.addEventListener("notificationclick", (event) => event.waitUntil(openNotification(event.notification)));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (endsSession(request, url)) event.waitUntil(forgetAll());
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate") {
    if (!isProgramPath(url.pathname)) event.respondWith(openPage(event));
  } else if (url.pathname.startsWith("/assets/")) event.respondWith(findFile(request, (work) => event.waitUntil(work)));
  else if (isKept(url)) event.respondWith(answerFor(event, url));
});

/** The login form is opened only without a session. */
function endsSession({ method, mode }: Request, { pathname }: URL): boolean {
  if (pathname === "/login") return mode === "navigate";
  return (method === "POST" && pathname === "/logout") || (method === "DELETE" && pathname === "/api/v1/sessions");
}

async function openPage(event: FetchEvent): Promise<Response> {
  const answer = await Promise.race([reach(event), new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  // Pages of the app lead elsewhere only to log in.
  if (answer?.type === "opaqueredirect") event.waitUntil(forgetAll());
  if (answer !== undefined && !isOfProxy(answer)) return answer;
  const ageMs = await stateAge();
  const page = await offlinePage(ageMs);
  if (page === undefined) return answer ?? Response.error();
  if (ageMs !== undefined) await addOfflinePage(event.resultingClientId);
  return page;
}

async function answerFor(event: FetchEvent, url: URL): Promise<Response> {
  const answer = await reach(event);
  if (answer === undefined || isOfProxy(answer)) {
    const kept = (await isOfflinePage(event.clientId)) ? await findAnswer(url) : undefined;
    return kept ?? answer ?? Response.error();
  }
  event.waitUntil(removeOfflinePage(event.clientId).catch(() => undefined));
  if (answer.status === 401) event.waitUntil(forgetAll());
  else if (answer.ok) event.waitUntil(keepAnswer(url, answer.clone()).catch(() => undefined));
  return answer;
}

async function reach({ request, preloadResponse }: FetchEvent): Promise<Response | undefined> {
  try {
    return ((await preloadResponse) as Response | undefined) ?? (await fetch(request));
  } catch {
    return undefined;
  }
}

/** A proxy says that the server behind it does not answer; the server's own refusals are JSON. */
function isOfProxy({ status, headers }: Response): boolean {
  return [502, 503, 504].includes(status) && headers.get("content-type")?.includes("json") !== true;
}
