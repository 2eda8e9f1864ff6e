/** What images are made of: from lists attached to them, else by reading their layers. */
import { MINUTE_MS } from "../../contract/time.ts";
import { countText } from "../../contract/words.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { createLimiter } from "../../platform/queues.ts";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import type { Database } from "../../storage/database.ts";
import { type PackageList, type PlatformImage, RegistryError } from "../image.ts";
import type { Registries } from "../registry/index.ts";
import { packagesOfBills } from "./bill-of-materials.ts";
import { createPackageCache } from "./cache.ts";
import { ReadingEnded, readInThread } from "./layers/thread.ts";
import { unknownPackages, BOUNDS, type Bounds, IMAGES_AT_ONCE } from "./package-list.ts";
import { createPackageStore } from "./store.ts";

/** Reads what an image is made of. Never throws but for the signal: the note says what cannot be read. */
export interface PackageReader {
  packagesOf(image: PlatformImage, signal: AbortSignal): Promise<PackageList>;
}

export interface PackagesOptions {
  registries: Pick<Registries, "blob" | "billsOfMaterials">;
  database: Database;
  clock: Clock;
  log: Log;
  /** Smaller ones for tests. */
  bounds?: Partial<Bounds>;
}

/** A list, and whether reading the image again would give another. */
interface Outcome {
  list: PackageList;
  isLasting: boolean;
}

/** Reads packages of images, two at a time, and remembers them in the database. */
export function createPackageReader({
  registries,
  database,
  clock,
  log: parent,
  bounds: given = {},
}: PackagesOptions): PackageReader & { prune(signal: AbortSignal): Promise<void> } {
  const log = parent.child({ component: "packages" });
  const bounds: Bounds = { ...BOUNDS, ...given };
  const cache = createPackageCache({ store: createPackageStore(database), clock, log });
  const inTurn = createLimiter(IMAGES_AT_ONCE);

  async function read(image: PlatformImage, signal: AbortSignal): Promise<Outcome> {
    const { attached, failure } = await ofBills(image, signal);
    if (attached !== undefined) return { list: attached, isLasting: true };
    const why = unreadable(image, bounds);
    if (why !== undefined) return { list: unknownPackages(why), isLasting: true };
    try {
      const { registry, repository, layers } = image;
      const open = async (index: number) => {
        const layer = layers[index];
        if (layer === undefined) throw new RangeError(`the image has no layer ${index}`);
        return registries.blob({ registry, repository }, layer.digest, { maxBytes: layer.size, signal });
      };
      const list = await readInThread({ sizes: layers.map(({ size }) => size), open, signal, clock, bounds });
      return { list: failure === undefined ? list : withNote(list, failure), isLasting: true };
    } catch (error) {
      signal.throwIfAborted();
      return failed(error, bounds, (message) => log.warn({ digest: image.digest, err: error }, message));
    }
  }

  /** Nothing attached when there is none that helps; `failure` when there may be one another time. */
  async function ofBills(image: PlatformImage, signal: AbortSignal): Promise<{ attached?: PackageList | undefined; failure?: string }> {
    try {
      return { attached: packagesOfBills(await registries.billsOfMaterials(image, signal)) };
    } catch (error) {
      signal.throwIfAborted();
      log.info({ digest: image.digest, reason: messageOf(error) }, "lists of packages attached to an image could not be fetched");
      if (!(error instanceof RegistryError && error.isPassing)) return {};
      return { failure: `Lists of packages that may be attached to the image could not be fetched: ${cleanName(error.message, 300)}` };
    }
  }

  return {
    async packagesOf(image, signal) {
      signal.throwIfAborted();
      const known = await cache.find(image.digest);
      if (known !== undefined) return known;
      return inTurn(async () => {
        // Somebody else may have read it meanwhile.
        const readMeanwhile = await cache.find(image.digest);
        if (readMeanwhile !== undefined) return readMeanwhile;
        const { list, isLasting } = await read(image, signal);
        if (isLasting) await cache.keep(image.digest, list);
        return list;
      }, signal);
    },
    prune: cache.prune,
  };
}

/** Not complete, so that it is read again. */
function withNote(list: PackageList, note: string): PackageList {
  return { ...list, complete: false, note: [note, list.note].filter((each) => each !== null).join(" ") };
}

/** Why the layers are not even asked for. */
function unreadable({ layers }: PlatformImage, bounds: Bounds): string | undefined {
  const bytes = layers.reduce((sum, { size }) => sum + size, 0);
  if (bytes > bounds.compressedBytes)
    return `The image takes ${mebibytes(bytes)}, and at most ${mebibytes(bounds.compressedBytes)} are read.`;
  if (layers.length > bounds.layers) return `The image has ${layers.length} layers, and at most ${bounds.layers} are read.`;
  if (layers.length === 0) return "The image has no layers.";
  return layers.some(({ mediaType }) => mediaType.includes("+encrypted")) ? "The image's layers are encrypted." : undefined;
}

function failed(error: unknown, bounds: Bounds, log: (message: string) => void): Outcome {
  if (error instanceof RegistryError)
    return { list: unknownPackages(`The image's layers could not be fetched: ${cleanName(error.message, 300)}`), isLasting: false };
  if (error instanceof ReadingEnded && error.reason === "time")
    return { list: unknownPackages(`Reading the image was given up after ${bounds.timeMs / MINUTE_MS} minutes.`), isLasting: false };
  if (error instanceof ReadingEnded && error.reason === "memory")
    return { list: unknownPackages("The image was not read: that would take too much memory."), isLasting: true };
  log("an image could not be read");
  return { list: unknownPackages("The image's layers could not be read to their end."), isLasting: false };
}

function mebibytes(bytes: number): string {
  return `${countText(Math.ceil(bytes / 1024 / 1024))} MiB`;
}
