import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useSyncExternalStore } from "react";
import { eventBeforeAnswers } from "./first-answers.ts";
import type { LiveState } from "./live-stream.ts";

/** What the app knows of its event stream. */
export interface Live {
  state(): LiveState;
  /** The server's version, once it is another one than when this page was loaded. */
  newVersion(): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Opens the stream; returns how to close it. */
  start(): () => void;
}

interface Dependencies {
  queryClient: QueryClient;
  /** Receives the server's time whenever the stream opens. */
  onServerTime: (serverTime: string) => void;
  /** The version of a page that the service worker opened without the server. Without it, that of the first server counts. */
  keptVersion?: string | undefined;
  /** Loads what opens the stream and applies its events. */
  load?: () => Promise<typeof import("./live-events.ts")>;
}

/** The first view is not held up by what applies events; nor does it wait for answers that never come. */
const LONGEST_WAIT_MS = 2000;
/** What was answered is shown first. */
const SETTLE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
/** Without what applies events for longer than this, the page is as good as without its server. */
const OFFLINE_AFTER_MS = 10_000;

/** Applies the app's one event stream to the query cache, once the first view has its answers. The stream begins with what happened meanwhile. */
export function createLive({ queryClient, onServerTime, keptVersion, load = () => import("./live-events.ts") }: Dependencies): Live {
  const listeners = new Set<() => void>();
  let state: LiveState = { phase: "connecting" };
  let loadedVersion = keptVersion;
  let newVersion: string | undefined;

  function notify(): void {
    for (const listener of listeners) listener();
  }

  function set(next: LiveState): void {
    state = next;
    notify();
  }

  function start(): () => void {
    let close: (() => void) | undefined;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    let isClosed = false;
    let retryMs = FIRST_RETRY_MS;
    let failedAtMs: number | undefined;

    async function open(): Promise<void> {
      try {
        const { createLiveEvents } = await load();
        if (isClosed) return;
        ({ close } = createLiveEvents({
          queryClient,
          after: eventBeforeAnswers(),
          onState: set,
          onHello({ version, server_time }) {
            onServerTime(server_time);
            loadedVersion ??= version;
            newVersion = version === loadedVersion ? undefined : version;
            notify();
          },
        }));
      } catch {
        if (isClosed) return;
        failedAtMs ??= Date.now();
        set({ phase: Date.now() - failedAtMs < OFFLINE_AFTER_MS ? "reconnecting" : "offline", sinceMs: failedAtMs });
        retryTimer = setTimeout(() => void open(), retryMs);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }

    const stopWaiting = onFirstAnswers(queryClient, () => void open());
    return () => {
      isClosed = true;
      stopWaiting();
      clearTimeout(retryTimer);
      close?.();
    };
  }

  return {
    state: () => state,
    newVersion: () => newVersion,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
  };
}

/** Calls back once when what was first asked was answered, or refused; returns how to call that off. */
function onFirstAnswers(queryClient: QueryClient, callback: () => void): () => void {
  let wasAsked = false;
  const unsubscribe = queryClient.getQueryCache().subscribe(() => {
    const isAsking = queryClient.isFetching() > 0;
    if (wasAsked && !isAsking) settle();
    wasAsked ||= isAsking;
  });
  let timer = setTimeout(finish, LONGEST_WAIT_MS);

  function settle(): void {
    cancel();
    timer = setTimeout(callback, SETTLE_MS);
  }

  function finish(): void {
    cancel();
    callback();
  }

  function cancel(): void {
    unsubscribe();
    clearTimeout(timer);
  }
  return cancel;
}

export const LiveContext = createContext<Live | undefined>(undefined);

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("useLive needs a LiveContext around it");
  return live;
}

/** Whether the page is live, and if not, since when. */
export function useLive(): LiveState {
  const live = useLiveContext();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** The version of a server that was updated under this page; undefined while it is the one that served it. */
export function useNewVersion(): string | undefined {
  const live = useLiveContext();
  return useSyncExternalStore(live.subscribe, live.newVersion);
}
