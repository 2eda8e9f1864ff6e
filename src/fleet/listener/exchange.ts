import type { ServerDuplexStream } from "@grpc/grpc-js";
import type { ServerMessage } from "../wire/index.ts";
import type { Reading } from "./reading.ts";
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
