import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status as codes } from "@grpc/grpc-js";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Quota } from "../../http/quota.ts";
import { addressOf } from "./connections.ts";
import { statusOf } from "./messages.ts";

/**
 * Reads messages of a call only on request. Otherwise grpc-js reads 16 messages ahead, of up to 4 MiB each; here the flow control of HTTP/2 keeps
 * them at the client.
 */
export interface Reading {
  /** Requests one more message. */
  ask(): void;
  /** From now on messages may have this many bytes. */
  allow(messageBytes: number): void;
}

export interface ReadingsOptions {
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
