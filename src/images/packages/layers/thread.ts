import type { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import type { Clock } from "../../../platform/clock.ts";
import type { PackageList } from "../../image.ts";
import type { Bounds } from "../package-list.ts";

/** What the thread says: that it wants the next piece of a layer, or what it found. */
export type FromThread = { pull: number } | { done: PackageList };
/** The next piece; without bytes the layer is over. */
export interface ToThread {
  bytes: Uint8Array | undefined;
}

/** Why a thread gave nothing: it had to be ended, or ended by itself. */
export class ReadingEnded extends Error {
  readonly reason: "time" | "memory" | "thread";

  constructor(reason: ReadingEnded["reason"], options?: ErrorOptions) {
    super(`the reading of an image ended: ${reason}`, options);
    this.reason = reason;
  }
}

export interface ThreadOptions {
  /** Their sizes as they are stored, from the lowest up. */
  sizes: readonly number[];
  open(layer: number): Promise<Readable>;
  signal: AbortSignal;
  clock: Clock;
  bounds: Bounds;
}

/** What the heap of a thread may take; the buffers of unpacking come on top. */
const HEAP_MB = 256;

/**
 * Reads an image in a separate thread: unpacking and parsing would hold up everything else, and a thread can be ended wherever it is.
 * Throws a ReadingEnded, what a layer's stream throws, and the signal's reason.
 */
export async function readInThread({ sizes, open, signal, clock, bounds }: ThreadOptions): Promise<PackageList> {
  signal.throwIfAborted();
  // Beside this file when run from source; the build lays it beside the bundle.
  const url = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./layers-worker.js", import.meta.url);
  const worker = new Worker(url, {
    workerData: { layers: sizes.length, bounds },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  const feed = createFeed(sizes, open);
  const over = new AbortController();
  try {
    return await new Promise<PackageList>((resolve, reject) => {
      const timer = clock.after(bounds.timeMs, () => reject(new ReadingEnded("time")));
      over.signal.addEventListener("abort", () => timer.cancel());
      signal.addEventListener("abort", () => reject(signal.reason), { once: true, signal: over.signal });
      worker.on("error", (cause) => {
        const isMemory = "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
        reject(new ReadingEnded(isMemory ? "memory" : "thread", { cause }));
      });
      worker.on("exit", () => reject(new ReadingEnded("thread")));
      worker.on("message", (message: FromThread) => {
        if ("done" in message) return resolve(message.done);
        feed.next(message.pull).then((bytes) => {
          const answer: ToThread = { bytes };
          worker.postMessage(answer, bytes === undefined ? [] : [bytes.buffer as ArrayBuffer]);
        }, reject);
      });
    });
  } finally {
    over.abort();
    feed.stop();
    await worker.terminate();
  }
}

/** Hands out the layers one after another, each opened when it is asked for. */
function createFeed(sizes: readonly number[], open: ThreadOptions["open"]) {
  let current: { layer: number; stream: Readable; pieces: AsyncIterator<unknown>; left: number } | undefined;
  let isStopped = false;
  /** The thread may ask again before it was answered. */
  let turn: Promise<unknown> = Promise.resolve();

  async function nextPiece(layer: number): Promise<Uint8Array | undefined> {
    if (current?.layer !== layer) {
      const stream = await open(layer);
      if (isStopped) stream.destroy();
      current = { layer, stream, pieces: stream[Symbol.asyncIterator](), left: sizes[layer] ?? 0 };
    }
    const piece = await current.pieces.next();
    if (piece.done === true) return undefined;
    // A copy: the piece may be a part of a larger buffer that others use.
    const bytes = new Uint8Array(piece.value as Buffer);
    current.left -= bytes.length;
    if (current.left < 0) throw new RangeError(`layer ${layer + 1} is larger than the manifest says`);
    return bytes;
  }

  return {
    next(layer: number): Promise<Uint8Array | undefined> {
      const answer = turn.then(() => nextPiece(layer));
      turn = answer.catch(() => undefined);
      return answer;
    },
    stop(): void {
      isStopped = true;
      // What it says of being destroyed concerns nobody.
      current?.stream.on("error", () => undefined).destroy();
    },
  };
}
