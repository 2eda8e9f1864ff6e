import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Clock, Timer } from "../platform/clock.ts";
import { ServiceError, isServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { quotaKey } from "./client-address.ts";
import type { HttpLimits } from "./http-config.ts";
import { Answer } from "./route.ts";

export interface SseEvent {
  id?: string;
  event: string;
  /** Sent as JSON. */
  data: unknown;
}

/** An open stream of server-sent events, as the handler of its route sees it. */
export interface EventStream {
  /** Sends an event, and waits while the client reads slower than the server writes. */
  send(event: SseEvent): Promise<void>;
  /** Sends events in few writes, and waits in the same way. */
  sendAll(events: Iterable<SseEvent>): Promise<void>;
  /**
   * Sends frames made by {@link encodeEvent}. `false` asks the caller to wait for {@link drained}. A client for which too much waits already is cut.
   * The frames themselves may be larger than that limit, since one event can be.
   */
  push(frames: Buffer): boolean;
  /** Waits until the client has read what was pushed, or has disconnected. */
  drained(): Promise<void>;
  /** Disconnects a client that is too far behind: sends it the farewell and ends. */
  cut(): void;
  /** Aborted when the client disconnected or was cut, and when the server stops. */
  readonly signal: AbortSignal;
}

/** Runs while a stream is open; the stream ends when it returns. */
export type EventStreamRun = (stream: EventStream) => Promise<void>;

/** An answer that stays open; see {@link openEventStream}. */
export class EventStreamAnswer extends Answer {
  readonly run: EventStreamRun;
  readonly farewell: SseEvent | undefined;
  readonly isLog: boolean;

  constructor(run: EventStreamRun, { farewell, isLog }: { farewell: SseEvent | undefined; isLog: boolean }) {
    super(200);
    this.run = run;
    this.farewell = farewell;
    this.isLog = isLog;
  }
}

/**
 * Answers with a stream of server-sent events that `run` fills. Keep-alive comments, slow and disconnected clients and the server's stop are handled
 * here. `farewell` is the last event for a client that is cut for being too slow. `isLog`: it holds a connection to an engine, so fewer are allowed.
 * Check everything that may fail before calling this: afterwards a failure can only be sent as an `error` event.
 */
export function openEventStream(run: EventStreamRun, { farewell, isLog = false }: { farewell?: SseEvent; isLog?: boolean } = {}): Answer {
  return new EventStreamAnswer(run, { farewell, isLog });
}

/** The bytes of one event. Source: HTML standard, server-sent events. */
export function encodeEvent(event: SseEvent): Buffer {
  return Buffer.from(textOf(event));
}

function textOf({ id, event, data }: SseEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** In characters. */
const WRITTEN_AT_ONCE = 64 * 1024;
const KEEP_ALIVE_MS = 15_000;
const KEEP_ALIVE = Buffer.from(": keep-alive\n\n");
/** How long a client that was cut may take to read the rest. */
const FAREWELL_MS = 10_000;
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  // nginx would otherwise hold events back until its buffer is full.
  "x-accel-buffering": "no",
};

/** All open event streams of the server. */
export interface EventStreams {
  /** `client`: its address; `isPublic`: on a public route. Throws `rate_limited` when there are too many. */
  open(reply: FastifyReply, answer: EventStreamAnswer, whose: { client: string; isPublic: boolean }): void;
  count(): number;
  stop(): void;
}

export function createEventStreams({ limits, clock, log }: { limits: HttpLimits; clock: Clock; log: Log }): EventStreams {
  const streams = new Set<ResponseStream>();
  const publicShare = createShare({ total: limits.publicStreams, perClient: limits.publicStreamsPerClient });
  const logShare = createShare({ total: limits.logStreams, perClient: limits.logStreamsPerClient });
  let keepAlive: Timer | undefined;
  let stopped = false;

  function tick(): void {
    for (const stream of streams) stream.keepAlive();
    keepAlive = streams.size > 0 ? clock.after(KEEP_ALIVE_MS, tick) : undefined;
  }

  return {
    open(reply, answer, whose) {
      const client = quotaKey(whose.client);
      const shares = [...(whose.isPublic ? [publicShare] : []), ...(answer.isLog ? [logShare] : [])];
      if (streams.size >= limits.streams || shares.some((share) => share.isFull(client)))
        throw new ServiceError(
          "rate_limited",
          `Too many ${answer.isLog ? "logs are followed" : "event streams are open"}. Close one, or try again later.`,
        );
      const response = reply.headers(HEADERS).hijack().raw;
      if (response.closed) return;
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) response.setHeader(name, value);
      response.writeHead(200);
      response.flushHeaders();
      const stream = new ResponseStream(response, { bufferBytes: limits.streamBufferBytes, farewell: answer.farewell, clock });
      streams.add(stream);
      for (const share of shares) share.count(client, 1);
      keepAlive ??= clock.after(KEEP_ALIVE_MS, tick);
      response.once("close", () => {
        streams.delete(stream);
        for (const share of shares) share.count(client, -1);
      });
      if (stopped) stream.end();
      else void fill(stream, answer.run, log);
    },
    count: () => streams.size,
    stop() {
      stopped = true;
      keepAlive?.cancel();
      for (const stream of streams) stream.end();
    },
  };
}

/** Counts open streams of one kind, in all and by client. */
function createShare({ total, perClient }: { total: number; perClient: number }) {
  let all = 0;
  const ofClient = new Map<string, number>();
  return {
    isFull: (client: string): boolean => all >= total || (ofClient.get(client) ?? 0) >= perClient,
    count(client: string, change: 1 | -1): void {
      all += change;
      const count = (ofClient.get(client) ?? 0) + change;
      if (count === 0) ofClient.delete(client);
      else ofClient.set(client, count);
    },
  };
}

async function fill(stream: ResponseStream, run: EventStreamRun, log: Log): Promise<void> {
  try {
    await run(stream);
  } catch (error) {
    if (stream.signal.aborted) return;
    const known = isServiceError(error);
    if (!known) log.error({ err: error }, "event stream failed");
    stream.push(encodeEvent({ event: "error", data: known ? { code: error.code, message: error.message } : { code: "internal" } }));
  } finally {
    stream.end();
  }
}

class ResponseStream implements EventStream {
  readonly #response: ServerResponse;
  readonly #bufferBytes: number;
  readonly #farewell: SseEvent | undefined;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #wasBehind = false;

  constructor(
    response: ServerResponse,
    { bufferBytes, farewell, clock }: { bufferBytes: number; farewell: SseEvent | undefined; clock: Clock },
  ) {
    this.#response = response;
    this.#bufferBytes = bufferBytes;
    this.#farewell = farewell;
    this.#clock = clock;
    response.once("close", () => this.#ended.abort());
    response.on("drain", () => {
      this.#wasBehind = false;
    });
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  async send(event: SseEvent): Promise<void> {
    this.push(encodeEvent(event));
    await this.drained();
  }

  async sendAll(events: Iterable<SseEvent>): Promise<void> {
    let text = "";
    for (const event of events) {
      text += textOf(event);
      if (text.length < WRITTEN_AT_ONCE) continue;
      this.push(Buffer.from(text));
      text = "";
      await this.drained();
    }
    if (text === "") return;
    this.push(Buffer.from(text));
    await this.drained();
  }

  push(frames: Buffer): boolean {
    if (this.signal.aborted) return false;
    if (this.#response.writableLength <= this.#bufferBytes) return this.#response.write(frames);
    this.cut();
    return false;
  }

  async drained(): Promise<void> {
    if (this.signal.aborted || !this.#response.writableNeedDrain) return;
    // Rejects only when the stream has ended, which the signal reports too.
    await once(this.#response, "drain", { signal: this.signal }).catch(() => undefined);
  }

  /** Sends a comment. If the client has read nothing since the last one, it is treated as disconnected. */
  keepAlive(): void {
    if (this.#response.writableNeedDrain && this.#wasBehind) return this.cut();
    this.#wasBehind = this.#response.writableNeedDrain;
    if (!this.#wasBehind) this.#response.write(KEEP_ALIVE);
  }

  cut(): void {
    if (this.signal.aborted) return;
    if (this.#farewell !== undefined) this.#response.write(encodeEvent(this.#farewell));
    this.end();
  }

  end(): void {
    if (this.signal.aborted) return;
    this.#ended.abort();
    this.#response.end();
    const timer = this.#clock.after(FAREWELL_MS, () => this.#response.destroy());
    this.#response.once("close", () => timer.cancel());
  }
}
