import type { EventData, EventName } from "../../../src/events.ts";
import { urlOf } from "./client.ts";
import { clockAheadMs } from "./server-clock.ts";
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

/** The state of the event stream: `sinceMs` is when the server was last heard, on its clock. */
export type LiveState = { phase: "connecting" | "live" } | { phase: "reconnecting" | "offline"; sinceMs: number };

export type EventListeners = { [Name in EventName]: (data: EventData[Name]) => void };

/** Keeps what is known of some kinds of things as their events say. */
export interface LiveUpdates<Kind extends string> {
  events: Pick<EventListeners, Extract<EventName, `${Kind}.${string}`>>;
  /** Reads again what events change: missed events are not repeated. */
  reread(): void;
  cancel(): void;
}

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

/** `after` is the id of the event after which the first stream begins; undefined: it begins with what happens next. */
type Options = Listeners & { after?: string | undefined };

type PageTimer = ReturnType<typeof setTimeout>;

/** Keeps the one event stream of the app open. The browser reconnects and resumes by itself; where it gives up, this does. */
export class LiveStream {
  readonly #listeners: Listeners;
  #source: EventSource | undefined;
  #lastEventId: string | undefined;
  /** On this device's clock, as are the times below. */
  #lostAtMs: number | undefined;
  #heardAtMs = Date.now();
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: PageTimer | undefined;
  #offlineTimer: PageTimer | undefined;
  #pauseTimer: PageTimer | undefined;
  /** While a stream is being opened, or is silent. */
  #silenceTimer: PageTimer | undefined;

  constructor({ after, ...listeners }: Options) {
    this.#listeners = listeners;
    this.#lastEventId = after;
    // The service worker opened the page without the server, with what was known then.
    const { keptAt } = document.documentElement.dataset;
    if (keptAt !== undefined) {
      this.#lostAtMs = Number(keptAt);
      listeners.onState({ phase: "offline", sinceMs: this.#lostAtMs });
    }
    this.#connect();
    window.addEventListener("online", this.#renew);
    window.addEventListener("pageshow", this.#noticeSilence);
    document.addEventListener("visibilitychange", this.#handleVisibility);
  }

  close(): void {
    window.removeEventListener("online", this.#renew);
    window.removeEventListener("pageshow", this.#noticeSilence);
    document.removeEventListener("visibilitychange", this.#handleVisibility);
    clearTimeout(this.#pauseTimer);
    this.#stop();
  }

  /** A stream of the network before may be dead without having ended: nothing would arrive, and nothing would show that. */
  readonly #renew = (): void => {
    if (this.#source !== undefined) this.#connect();
  };

  /** Timers stop while a device sleeps, and streams end without notice: only the clock shows it. */
  readonly #noticeSilence = (): void => {
    if (this.#source === undefined || this.#lostAtMs !== undefined || Date.now() - this.#heardAtMs <= SILENT_AFTER_MS) return;
    this.#beginLoss();
    this.#connect();
  };

  readonly #handleVisibility = (): void => {
    clearTimeout(this.#pauseTimer);
    if (document.visibilityState === "hidden") {
      this.#pauseTimer = setTimeout(() => this.#pause(), PAUSE_AFTER_HIDDEN_MS);
    } else if (this.#source === undefined) {
      this.#connect();
      this.#countToOffline();
    } else if (this.#lostAtMs !== undefined) {
      this.#connect();
    } else {
      this.#noticeSilence();
    }
  };

  #connect(): void {
    const { events, onHello, onResync } = this.#listeners;
    clearTimeout(this.#retryTimer);
    this.#source?.close();
    const query = { last_event_id: this.#lastEventId };
    const source = new EventSource(urlOf("GET /api/v1/containers/events", { query }));
    this.#source = source;
    this.#whenSilent(() => this.#notOpened(), OFFLINE_AFTER_MS);
    source.addEventListener("open", () => this.#found());
    source.addEventListener("error", () => this.#lost());
    source.addEventListener("hello", (event) => {
      this.#remember(event);
      onHello(JSON.parse(event.data));
    });
    source.addEventListener("resync", onResync);
    for (const [name, listener] of Object.entries(events)) {
      source.addEventListener(name, (event) => {
        this.#remember(event);
        // The server sends each event with the data of its name.
        (listener as (data: unknown) => void)(JSON.parse(event.data));
      });
    }
  }

  #remember({ lastEventId }: MessageEvent): void {
    this.#awaitNext();
    if (lastEventId !== "") this.#lastEventId = lastEventId;
  }

  #awaitNext(): void {
    this.#heardAtMs = Date.now();
    this.#whenSilent(() => this.#connect(), SILENT_AFTER_MS);
  }

  #whenSilent(act: () => void, afterMs: number): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = setTimeout(act, afterMs);
  }

  #found(): void {
    this.#awaitNext();
    clearTimeout(this.#offlineTimer);
    this.#lostAtMs = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    this.#listeners.onState({ phase: "live" });
  }

  #lost(): void {
    clearTimeout(this.#silenceTimer);
    this.#beginLoss();
    // A refused connection is tried again by the browser; an answer that is not a stream (a proxy's 502) is not.
    if (this.#source?.readyState !== EventSource.CLOSED) {
      this.#whenSilent(() => this.#connect(), LONGEST_RETRY_MS);
      return;
    }
    void leaveIfLoggedOut();
    this.#retryTimer = setTimeout(() => this.#connect(), this.#retryMs * (0.75 + Math.random() / 2));
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
  }

  /** It may hang for ever: nobody refused it. */
  #notOpened(): void {
    this.#beginLoss();
    this.#whenSilent(() => this.#connect(), LONGEST_RETRY_MS);
  }

  #beginLoss(): void {
    if (this.#lostAtMs !== undefined) return;
    this.#announceLoss();
    this.#countToOffline();
  }

  #announceLoss(): void {
    this.#lostAtMs = this.#heardAtMs;
    this.#listeners.onState({ phase: "reconnecting", sinceMs: this.#lostAtMs - clockAheadMs() });
  }

  #countToOffline(): void {
    this.#offlineTimer = setTimeout(() => {
      if (this.#lostAtMs !== undefined) this.#listeners.onState({ phase: "offline", sinceMs: this.#lostAtMs - clockAheadMs() });
    }, OFFLINE_AFTER_MS);
  }

  #stop(): void {
    for (const timer of [this.#retryTimer, this.#offlineTimer, this.#silenceTimer]) clearTimeout(timer);
    this.#source?.close();
    this.#source = undefined;
  }

  /** The page is not shown as live when somebody returns to it before it is. */
  #pause(): void {
    this.#stop();
    if (this.#lostAtMs === undefined) this.#announceLoss();
  }
}

/** Of a refused stream the browser does not say why. */
async function leaveIfLoggedOut(): Promise<void> {
  const answer = await fetch(STREAM, { method: "HEAD" }).catch(() => undefined);
  if (answer?.status === 401) goToLogin();
}
