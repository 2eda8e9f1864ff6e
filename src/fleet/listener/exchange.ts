import { type Metadata, ServerInterceptingCall, type ServerDuplexStream, type ServerInterceptor, status as codes } from "@grpc/grpc-js";
import type { Quota } from "../../http/quota.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { ServerMessage } from "../wire/index.ts";
import { addressOf } from "./connections.ts";
import { statusOf } from "./messages.ts";

/** The server's side of one stream. */
export interface Exchange {
  /** The address and port of the client. */
  readonly peer: string;
  /** Aborted when the stream has ended for the server, by either side: nothing more is read or sent. */
  readonly over: AbortSignal;
  /** Aborted when the client knows of the end, or has disconnected. */
  readonly closed: AbortSignal;
  /** To be called for an authenticated agent: its messages may have this many bytes. */
  allow(messageBytes: number): void;
  /** The next message; undefined when there is none any more. Nothing is read ahead. */
  receive(): Promise<Uint8Array | undefined>;
  /** Resolves when the message was sent, or never will be. */
  send(message: ServerMessage): Promise<void>;
  /** Ends the stream, with the error when one is given. Later calls do nothing. */
  end(error?: unknown): void;
}

export function createExchange(call: ServerDuplexStream<Uint8Array, ServerMessage>, reading: Reading): Exchange {
  const over = new AbortController();
  const closed = new AbortController();
  let arrived: ((message: Uint8Array | undefined) => void) | undefined;

  const finish = (): void => {
    over.abort();
    arrive(undefined);
  };
  const close = (): void => {
    finish();
    closed.abort();
  };
  function arrive(message: Uint8Array | undefined): void {
    arrived?.(message);
    arrived = undefined;
  }

  call.on("data", arrive);
  call.on("end", () => arrive(undefined));
  call.on("cancelled", close);
  call.on("close", close);

  return {
    peer: call.getPeer(),
    over: over.signal,
    closed: closed.signal,
    allow: (messageBytes) => reading.allow(messageBytes),
    receive() {
      return new Promise((resolve) => {
        if (over.signal.aborted || call.readableEnded) return resolve(undefined);
        arrived = resolve;
        reading.ask();
      });
    },
    send(message) {
      return new Promise((resolve) => {
        if (over.signal.aborted) return resolve();
        const done = (): void => {
          over.signal.removeEventListener("abort", done);
          resolve();
        };
        over.signal.addEventListener("abort", done);
        call.write(message, done);
      });
    },
    end(error) {
      if (over.signal.aborted) return;
      finish();
      if (error === undefined) call.end();
      else call.emit("error", statusOf(error));
    },
  };
}

/**
 * Reads messages of a call only on request. Otherwise grpc-js reads 16 messages ahead, of up to 4 MiB each; here the flow control of HTTP/2 keeps
 * them at the client.
 */
interface Reading {
  /** Requests one more message. */
  ask(): void;
  /** From now on messages may have this many bytes. */
  allow(messageBytes: number): void;
}

interface ReadingsOptions {
  /** Streams and enrollments that are not authenticated yet. A stream enters by itself. */
  waiting: Quota;
  /** For one message of an unauthenticated client. */
  strangerMessageBytes: number;
  /** How long an enrollment may take to arrive. */
  receiveMs: number;
  clock: Clock;
}

/**
 * Members of a call for which grpc-js has no method. Without them an unauthenticated message would be unpacked, up to the limit of an agent's, before
 * it can be checked.
 */
interface CallInternals {
  incomingEncoding: string;
  decoder: { maxReadMessageLength: number };
}

/**
 * Pairs calls with their readings by the metadata object, the only thing that both have. Refuses, before a byte is read, what an unauthenticated
 * client may not send.
 */
export function createReadings({ waiting, strangerMessageBytes, receiveMs, clock }: ReadingsOptions): {
  interceptor: ServerInterceptor;
  of(call: { metadata: Metadata }): Reading;
} {
  const readings = new WeakMap<Metadata, Reading>();

  const interceptor: ServerInterceptor = ({ requestStream }, next) => {
    const { incomingEncoding, decoder } = next as unknown as CallInternals;
    decoder.maxReadMessageLength = strangerMessageBytes;
    if (incomingEncoding !== "identity") {
      next.sendStatus({ code: codes.UNIMPLEMENTED, details: "Messages are not unpacked here: grpc-encoding must be identity." });
      return new ServerInterceptingCall(next);
    }
    if (!requestStream) return enrolling(next);
    const call = new ReadingCall(next, decoder, {
      start(proceed) {
        proceed({
          onReceiveMetadata(metadata, forward) {
            readings.set(metadata, call);
            forward(metadata);
          },
        });
      },
    });
    return call;
  };

  function enrolling(next: Next): ServerInterceptingCall {
    const leave = waiting.enter(addressOf(next.getPeer()));
    if (leave === undefined) {
      next.sendStatus(statusOf(new ServiceError("listener_unavailable", "Too many agents wait to enroll. Try again later.")));
      return new ServerInterceptingCall(next);
    }
    const late = new ServiceError("handshake_timeout", `The enrollment did not come within ${receiveMs / 1000} seconds.`);
    const deadline = clock.after(receiveMs, () => next.sendStatus(statusOf(late)));
    return new ServerInterceptingCall(next, {
      start(proceed) {
        proceed({
          onReceiveHalfClose(forward) {
            deadline.cancel();
            forward();
          },
          // Every call is cancelled at its end, however it ends.
          onCancel() {
            deadline.cancel();
            leave();
          },
        });
      },
    });
  }

  return {
    interceptor,
    of({ metadata }) {
      const reading = readings.get(metadata);
      if (reading === undefined) throw new Error("the call did not pass the interceptor");
      return reading;
    },
  };
}

type Next = Parameters<ServerInterceptor>[1];

class ReadingCall extends ServerInterceptingCall implements Reading {
  readonly #decoder: CallInternals["decoder"];
  #asked = false;
  #waiting = false;

  constructor(next: Next, decoder: CallInternals["decoder"], responder: ConstructorParameters<typeof ServerInterceptingCall>[1]) {
    super(next, responder);
    this.#decoder = decoder;
  }

  override startRead(): void {
    this.#waiting = true;
    this.#read();
  }

  ask(): void {
    this.#asked = true;
    this.#read();
  }

  allow(messageBytes: number): void {
    this.#decoder.maxReadMessageLength = messageBytes;
  }

  #read(): void {
    if (!this.#asked || !this.#waiting) return;
    this.#asked = false;
    this.#waiting = false;
    super.startRead();
  }
}
