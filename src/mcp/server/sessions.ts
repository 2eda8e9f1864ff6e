import { randomUUID } from "node:crypto";
import type { Server, WebStandardStreamableHTTPServerTransport, EventStore } from "@modelcontextprotocol/server";
import { MINUTE_MS } from "../../contract/time.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import type { Grant } from "../access.ts";
import type { Caller, Protocol } from "./protocol.ts";

/** What a client of a version before 2026-07-28 opened with `initialize`. */
export interface Session {
  /** Nobody else may use it. */
  grantId: number | null;
  transport: WebStandardStreamableHTTPServerTransport;
  server: Server;
  /** Whom `server` answers; their scopes are those of the latest request. */
  caller: Caller;
  /** Resolves when it has ended; the SDK leaves pending requests without an answer. */
  ended: Promise<void>;
  /** The ids of requests that wait for their answer. */
  pending: Set<string>;
  /** Streams that are open now. */
  streams: number;
  /** By the monotonic clock. */
  usedAtMs: number;
}

export interface Sessions {
  /** A session that becomes one when its transport has served `initialize`. */
  begin(grant: Grant, served: Pick<Session, "server" | "caller">): Promise<Session>;
  /** Under this id and this grant, whose scopes it has from now on: a connection's next token may have others. */
  find(id: string, grant: Grant): Session | undefined;
  /** Ends those of a grant, or all. */
  end(grantId?: number): Promise<void>;
  count(): number;
}

const MOST_SESSIONS = 100;
/** Of these, of one connection: it must not crowd out the others. */
const MOST_OF_ONE = 20;
const IDLE_MS = 30 * MINUTE_MS;
const SWEEP_EVERY_MS = MINUTE_MS;

export function createSessions({ sdk, clock }: { sdk: Protocol["sdk"]; clock: Clock }): Sessions {
  const sessions = new Map<string, Session>();
  let sweeping: Timer | undefined;

  function close(id: string, { server }: Session): Promise<void> {
    sessions.delete(id);
    return server.close();
  }

  function sweep(): void {
    const before = clock.monotonicMs() - IDLE_MS;
    for (const [id, session] of sessions) if (session.streams === 0 && session.usedAtMs <= before) void close(id, session);
    sweeping = sessions.size > 0 ? clock.after(SWEEP_EVERY_MS, sweep) : undefined;
  }

  /** The one that was used longest ago goes, rather one that nobody listens to; its client begins again when it gets 404. */
  function makeRoom(grantId: number | null): void {
    // Without tokens nobody knows one caller from another.
    const own = grantId === null ? [] : [...sessions].filter(([, session]) => session.grantId === grantId);
    if (own.length < MOST_OF_ONE && sessions.size < MOST_SESSIONS) return;
    const [oldest] = (own.length < MOST_OF_ONE ? [...sessions] : own).sort(
      ([, one], [, other]) => Math.min(one.streams, 1) - Math.min(other.streams, 1) || one.usedAtMs - other.usedAtMs,
    );
    if (oldest !== undefined) void close(...oldest);
  }

  return {
    async begin(grant, { server, caller }) {
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        eventStore: createEvents(),
        onsessioninitialized(id) {
          makeRoom(grant.id);
          sessions.set(id, session);
          sweeping ??= clock.after(SWEEP_EVERY_MS, sweep);
        },
        onsessionclosed: (id) => void sessions.delete(id),
      });
      const ended = Promise.withResolvers<void>();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK offers nothing else
      server.onclose = () => ended.resolve();
      const session = {
        grantId: grant.id,
        transport,
        server,
        caller,
        ended: ended.promise,
        pending: new Set<string>(),
        streams: 0,
        usedAtMs: clock.monotonicMs(),
      };
      await server.connect(transport);
      return session;
    },
    find(id, grant) {
      const session = sessions.get(id);
      if (session === undefined || session.grantId !== grant.id) return undefined;
      session.usedAtMs = clock.monotonicMs();
      session.caller.scopes = grant.scopes;
      session.caller.name = grant.clientName;
      return session;
    },
    async end(grantId) {
      const ended = [...sessions].filter(([, session]) => grantId === undefined || session.grantId === grantId);
      if (grantId === undefined) sweeping?.cancel();
      await Promise.all(ended.map((each) => close(...each)));
    },
    count: () => sessions.size,
  };
}

/** The last so many messages of a session, for a client that comes back to its stream. */
export function createEvents(most = 100): EventStore {
  const kept: { at: number; streamId: string; message: Parameters<EventStore["storeEvent"]>[1] }[] = [];
  let count = 0;

  return {
    async storeEvent(streamId, message) {
      count += 1;
      kept.push({ at: count, streamId, message });
      if (kept.length > most) kept.shift();
      return `${count}_${streamId}`;
    },
    getStreamIdForEventId: async (eventId) => parse(eventId)?.streamId,
    async replayEventsAfter(lastEventId, { send }) {
      const last = parse(lastEventId);
      if (last === undefined) throw new Error("This event id was not given by this server.");
      for (const { at, streamId, message } of kept.slice()) {
        const isPriming = Object.keys(message).length === 0;
        if (streamId === last.streamId && at > last.at && !isPriming) await send(`${at}_${streamId}`, message);
      }
      return last.streamId;
    },
  };
}

function parse(eventId: string): { at: number; streamId: string } | undefined {
  const [, at, streamId] = /^(\d{1,12})_([\w-]{1,64})$/.exec(eventId) ?? [];
  return at === undefined || streamId === undefined ? undefined : { at: Number(at), streamId };
}
