import type { EventData, EventName } from "../../../src/events.ts";
import { urlOf } from "./client.ts";
import { goToLogin } from "./session.ts";

const STREAM = "/api/v1/containers/events";
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Lost for longer than this, the server counts as out of reach. */
const OFFLINE_AFTER_MS = 10_000;
/** A server that is there says something every ten seconds or so. A stream that is silent for longer may be dead without having ended. */
const SILENT_AFTER_MS = 45_000;
/** A page that nobody sees lets go of its stream: browsers open only six connections to a server for all tabs together. */
const PAUSE_AFTER_HIDDEN_MS = 30_000;

/** The state of the event stream: `sinceMs` is when it was lost, on this device's clock. */
export type LiveState = { phase: "connecting" | "live" } | { phase: "reconnecting" | "offline"; sinceMs: number };

export type EventListeners = { [Name in EventName]: (data: EventData[Name]) => void };

/** What the server says first. */
export interface Hello {
  version: string;
  server_time: string;
}

interface Listeners {
  events: EventListeners;
  onHello: (hello: Hello) => void;
  /** Events were missed that the server no longer keeps. */
  onResync: () => void;
  onState: (state: LiveState) => void;
}

/** Keeps the one event stream of the app open. The browser reconnects and resumes by itself; where it gives up, this does. */
export function openLiveStream({ events, onHello, onResync, onState }: Listeners): { close(): void } {
  let source: EventSource | undefined;
  let lastEventId: string | undefined;
  let lostAtMs: number | undefined;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let offlineTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseTimer: ReturnType<typeof setTimeout> | undefined;
  /** While a stream is being opened, or says nothing. */
  let silenceTimer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    clearTimeout(retryTimer);
    source?.close();
    source = new EventSource(urlOf("GET /api/v1/containers/events", { query: { last_event_id: lastEventId } }));
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(notOpened, OFFLINE_AFTER_MS);
    source.addEventListener("open", found);
    source.addEventListener("error", lost);
    source.addEventListener("hello", (event) => {
      remember(event);
      onHello(JSON.parse(event.data));
    });
    source.addEventListener("resync", onResync);
    for (const [name, listener] of Object.entries(events)) {
      source.addEventListener(name, (event) => {
        remember(event);
        // The server sends each event with the data of its name.
        (listener as (data: unknown) => void)(JSON.parse(event.data));
      });
    }
  }

  function remember({ lastEventId: id }: MessageEvent): void {
    listenOn();
    if (id !== "") lastEventId = id;
  }

  function listenOn(): void {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(connect, SILENT_AFTER_MS);
  }

  function found(): void {
    listenOn();
    clearTimeout(offlineTimer);
    lostAtMs = undefined;
    retryMs = FIRST_RETRY_MS;
    onState({ phase: "live" });
  }

  function lost(): void {
    clearTimeout(silenceTimer);
    beginLoss();
    // A refused connection is tried again by the browser; an answer that is not a stream (a proxy's 502) is not.
    if (source?.readyState !== EventSource.CLOSED) {
      silenceTimer = setTimeout(connect, LONGEST_RETRY_MS);
      return;
    }
    void leaveIfLoggedOut();
    retryTimer = setTimeout(connect, retryMs * (0.75 + Math.random() / 2));
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  }

  /** It may hang for ever: nobody refused it. */
  function notOpened(): void {
    beginLoss();
    silenceTimer = setTimeout(connect, LONGEST_RETRY_MS);
  }

  function beginLoss(): void {
    if (lostAtMs !== undefined) return;
    announceLoss();
    countToOffline();
  }

  function announceLoss(): void {
    lostAtMs = Date.now();
    onState({ phase: "reconnecting", sinceMs: lostAtMs });
  }

  function countToOffline(): void {
    offlineTimer = setTimeout(() => {
      if (lostAtMs !== undefined) onState({ phase: "offline", sinceMs: lostAtMs });
    }, OFFLINE_AFTER_MS);
  }

  /** Of a refused stream the browser does not say why. */
  async function leaveIfLoggedOut(): Promise<void> {
    const answer = await fetch(STREAM, { method: "HEAD" }).catch(() => undefined);
    if (answer?.status === 401) goToLogin();
  }

  function retryNow(): void {
    if (lostAtMs !== undefined) connect();
  }

  function stop(): void {
    for (const timer of [retryTimer, offlineTimer, silenceTimer]) clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  /** The page is not shown as live to whoever comes back before it is. */
  function pause(): void {
    stop();
    if (lostAtMs === undefined) announceLoss();
  }

  function handleVisibility(): void {
    clearTimeout(pauseTimer);
    if (document.visibilityState === "hidden") {
      pauseTimer = setTimeout(pause, PAUSE_AFTER_HIDDEN_MS);
    } else if (source === undefined) {
      connect();
      countToOffline();
    } else {
      retryNow();
    }
  }

  /** A stream of the network before may be dead without having ended: nothing would arrive, and nothing would show that. */
  function renew(): void {
    if (source !== undefined) connect();
  }

  // The service worker opened the page without the server, with what was known then.
  const { keptAt } = document.documentElement.dataset;
  if (keptAt !== undefined) {
    lostAtMs = Number(keptAt);
    onState({ phase: "offline", sinceMs: lostAtMs });
  }
  connect();
  window.addEventListener("online", renew);
  document.addEventListener("visibilitychange", handleVisibility);

  return {
    close() {
      window.removeEventListener("online", renew);
      document.removeEventListener("visibilitychange", handleVisibility);
      clearTimeout(pauseTimer);
      stop();
    },
  };
}
