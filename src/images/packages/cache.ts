import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { PackageList } from "../image.ts";
import { CACHE } from "./package-list.ts";
import type { PackageStore } from "./store.ts";

/** What is known of images, by their digest. A database that is away only costs reading them again. */
export interface PackageCache {
  find(digest: string): Promise<PackageList | undefined>;
  keep(digest: string, list: PackageList): Promise<void>;
  /** Brings it back to its bounds. */
  prune(signal: AbortSignal): Promise<void>;
}

export function createPackageCache({ store, clock, log }: { store: PackageStore; clock: Clock; log: Log }): PackageCache {
  const now = (): number => clock.now().getTime();

  return {
    async find(digest) {
      try {
        const row = await store.find(digest);
        if (row === undefined || row.format > FORMAT) return undefined;
        if (row.complete === 0 && row.created_at <= now() - CACHE.incompleteDays * DAY_MS) return undefined;
        // To the day: it is asked for often, and that need not be written each time.
        if (row.used_at <= now() - DAY_MS) await store.use(digest, now());
        const known = await unpack(row.bytes);
        // Format 1 did not say what it left out of attached lists; what it read from layers holds, and is dear to read.
        return row.format < FORMAT && known.source === "sbom" ? undefined : known;
      } catch (error) {
        log.warn({ digest, err: error }, "the packages of an image could not be read from the database");
        return undefined;
      }
    },

    async keep(digest, list) {
      try {
        const bytes = await pack(list);
        const complete = list.complete ? 1 : 0;
        await store.save({ digest, format: FORMAT, complete, size: bytes.length, bytes, created_at: now(), used_at: now() });
      } catch (error) {
        log.warn({ digest, err: error }, "the packages of an image could not be kept");
      }
    },

    async prune(signal) {
      let isMore = true;
      while (isMore && !signal.aborted) isMore = await store.pruneUnused(now() - CACHE.unusedDays * DAY_MS);
      isMore = true;
      while (isMore && !signal.aborted) {
        const { rows, bytes } = await store.sums();
        const excess = { rows: rows - CACHE.rows, bytes: bytes - CACHE.bytes };
        isMore = (excess.rows > 0 || excess.bytes > 0) && (await store.pruneOldest(excess));
      }
    },
  };
}

/** Of what is kept and of how it was read: raised when either changes, so that images for which it matters are read again. */
const FORMAT = 2;

const MOST_BYTES = 128 * 1024 * 1024;

const list = z.object({
  source: z.enum(["sbom", "layers"]).nullable(),
  complete: z.boolean(),
  note: z.string().nullable(),
  /** Ecosystem, name, version, and the source's name and version: names of columns a package would be half of it. */
  packages: z.array(z.tuple([z.string(), z.string(), z.string()]).rest(z.string())),
});

/** A list as bytes for the database. */
async function pack({ source, complete, note, packages }: PackageList): Promise<Uint8Array> {
  const rows = packages.map((one) => [
    one.ecosystem,
    one.name,
    one.version,
    ...(one.source === null ? [] : [one.source.name, one.source.version]),
  ]);
  return promisify(gzip)(JSON.stringify({ source, complete, note, packages: rows }));
}

/** Throws when the bytes are no list. */
async function unpack(bytes: Uint8Array): Promise<PackageList> {
  const text = (await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })).toString("utf8");
  const { packages, ...rest } = list.parse(JSON.parse(text));
  return {
    ...rest,
    packages: packages.map(([ecosystem, name, version, sourceName, sourceVersion]) => ({
      ecosystem,
      name,
      version,
      source: sourceName === undefined || sourceVersion === undefined ? null : { name: sourceName, version: sourceVersion },
    })),
  };
}
