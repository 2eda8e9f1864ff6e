/** The thread that reads one image; started by thread.ts, which hands it the layers piece by piece as it asks for them. */
import { parentPort, workerData } from "node:worker_threads";
import { BOUNDS, type Bounds } from "../package-list.ts";
import { createImageReading } from "./image.ts";
import type { FromThread, ToThread } from "./thread.ts";

const port = parentPort;
if (port === null) throw new Error("This is started as a thread.");
const { layers, bounds } = workerData as { layers: number; bounds: Bounds | undefined };
const reading = createImageReading(bounds ?? BOUNDS);
const waiting: ((bytes: Uint8Array | undefined) => void)[] = [];
port.on("message", ({ bytes }: ToThread) => waiting.shift()?.(bytes));
const post = (message: FromThread): void => port.postMessage(message);

// No await at the top: the bundle is CommonJS.
void (async () => {
  for (let layer = 0; layer < layers; layer += 1) {
    let isOver = false;
    await reading.layer(async () => {
      if (isOver) return undefined;
      const bytes = await new Promise<Uint8Array | undefined>((resolve) => {
        waiting.push(resolve);
        post({ pull: layer });
      });
      isOver ||= bytes === undefined;
      return bytes;
    });
  }
  post({ done: reading.result() });
})();
