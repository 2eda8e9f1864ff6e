import { encodeEvent, type EventStream, type SseEvent } from "../../../http/sse.ts";

/** All who follow the page. Each change is encoded once and written to each of them. */
export interface Viewers {
  /** Sends hello to a viewer, and keeps it until it is gone, too slow, or dismissed. */
  follow(stream: EventStream, hello: SseEvent): Promise<void>;
  send(events: readonly SseEvent[]): void;
  /** Ends all streams. */
  dismiss(): void;
}

interface Viewer {
  /** What it was sent last has not left this program yet. */
  isBehind: boolean;
  leave(): void;
}

export function createViewers(): Viewers {
  const viewers = new Map<EventStream, Viewer>();

  function push(stream: EventStream, viewer: Viewer, bytes: Buffer): void {
    // By now the system holds megabytes for it. It reconnects, and gets the present state then.
    if (viewer.isBehind) return stream.cut();
    if (stream.push(bytes)) return;
    viewer.isBehind = true;
    void stream.drained().then(() => {
      viewer.isBehind = false;
    });
  }

  return {
    async follow(stream, hello) {
      if (stream.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const viewer = {
          isBehind: false,
          leave(): void {
            viewers.delete(stream);
            resolve();
          },
        };
        viewers.set(stream, viewer);
        stream.signal.addEventListener("abort", viewer.leave, { once: true });
        push(stream, viewer, encodeEvent(hello));
      });
    },
    send(events) {
      if (viewers.size === 0 || events.length === 0) return;
      const bytes = Buffer.concat(events.map(encodeEvent));
      for (const [stream, viewer] of viewers) push(stream, viewer, bytes);
    },
    dismiss() {
      for (const { leave } of viewers.values()) leave();
    },
  };
}
