import { type Metadata, ServerInterceptingCall, type ServerInterceptor } from "@grpc/grpc-js";

/**
 * Reads of one call, each let through only when it is asked for. Without this a stream reads 16 messages ahead, of up to 4 MiB each; so what is
 * not wanted yet stays with the sender, by the flow control of HTTP/2.
 */
export interface Reading {
  /** One message more. */
  ask(): void;
}

/** Pairs calls with their readings; both see the same metadata, and nothing else that is the same. */
export function createReadings(): { interceptor: ServerInterceptor; of(call: { metadata: Metadata }): Reading } {
  const readings = new WeakMap<Metadata, Reading>();

  const interceptor: ServerInterceptor = ({ requestStream }, next) => {
    if (!requestStream) return new ServerInterceptingCall(next);
    const call = new ReadingCall(next, {
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
  return {
    interceptor,
    of({ metadata }) {
      const reading = readings.get(metadata);
      if (reading === undefined) throw new Error("the call did not pass the interceptor");
      return reading;
    },
  };
}

class ReadingCall extends ServerInterceptingCall implements Reading {
  #asked = false;
  #waiting = false;

  override startRead(): void {
    this.#waiting = true;
    this.#read();
  }

  ask(): void {
    this.#asked = true;
    this.#read();
  }

  #read(): void {
    if (!this.#asked || !this.#waiting) return;
    this.#asked = false;
    this.#waiting = false;
    super.startRead();
  }
}
