import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import type { PackageList } from "../image.ts";

/** Of what is kept and of how it was read: raised when either changes, so that images are read anew. */
export const FORMAT = 1;

const MOST_BYTES = 128 * 1024 * 1024;

const list = z.object({
  source: z.enum(["sbom", "layers"]).nullable(),
  complete: z.boolean(),
  note: z.string().nullable(),
  /** Ecosystem, name, version, and the source's name and version: names of columns a package would be half of it. */
  packages: z.array(z.tuple([z.string(), z.string(), z.string()]).rest(z.string())),
});

/** A list as bytes for the database. */
export async function pack({ source, complete, note, packages }: PackageList): Promise<Uint8Array> {
  const rows = packages.map((one) => [
    one.ecosystem,
    one.name,
    one.version,
    ...(one.source === null ? [] : [one.source.name, one.source.version]),
  ]);
  return promisify(gzip)(JSON.stringify({ source, complete, note, packages: rows }));
}

/** Throws when the bytes are no list. */
export async function unpack(bytes: Uint8Array): Promise<PackageList> {
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
