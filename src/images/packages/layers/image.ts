import type { PackageList } from "../../image.ts";
import type { Bounds } from "../bounds.ts";
import { createNotes } from "../notes.ts";
import { unknownPackages } from "../package-list.ts";
import { readArchive } from "./archive.ts";
import { assemble } from "./assemble.ts";
import type { ReadFile } from "./file.ts";
import { createLayer } from "./layer.ts";
import { createTree } from "./tree.ts";
import { unpacked } from "./unpacked.ts";

/** The next piece of a layer; undefined at its end. */
export type Pull = () => Promise<Uint8Array | undefined>;

/** The reading of one image. */
export interface ImageReading {
  /** Reads the next layer up. Never throws: what is wrong with it is said in the result. The layer is always taken to its end, where its digest is held against it. */
  layer(pull: Pull): Promise<void>;
  result(): PackageList;
}

/** Something that the whole reading ends at. */
class BeyondBounds extends Error {}

export function createImageReading(bounds: Bounds): ImageReading {
  const notes = createNotes();
  const files = createTree<ReadFile>();
  let layers = 0;
  let entries = 0;
  let unpackedBytes = 0;
  let beyond: string | undefined;

  async function* bounded(pull: Pull): AsyncGenerator<Buffer> {
    let stored = 0;
    let large = 0;
    for await (const chunk of unpacked(storedBytes(pull))) {
      large += chunk.length;
      unpackedBytes += chunk.length;
      if (unpackedBytes > bounds.unpackedBytes)
        throw new BeyondBounds("The image is too large to be read: its files take more than allowed.");
      if (large > bounds.ratioFromBytes && large > stored * bounds.ratio)
        throw new BeyondBounds(`Layer ${layers} of the image grows beyond reason when it is unpacked, so the image was not read.`);
      yield chunk;
    }

    async function* storedBytes(next: Pull): AsyncGenerator<Buffer> {
      for (let bytes = await next(); bytes !== undefined; bytes = await next()) {
        stored += bytes.length;
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
    }
  }

  async function read(pull: Pull): Promise<void> {
    const layer = createLayer(files, notes, bounds.files);
    try {
      await readArchive(bounded(pull), (entry) => {
        entries += 1;
        if (entries > bounds.entries) throw new BeyondBounds(`The image has more than ${bounds.entries} files, so it was not read.`);
        return layer.take(entry);
      });
    } catch (error) {
      if (error instanceof BeyondBounds) beyond = error.message;
      else notes.add(`Layer ${layers} of the image is broken: what follows in it is left out.`);
    }
    layer.finish();
  }

  return {
    async layer(pull) {
      layers += 1;
      if (beyond === undefined) await read(pull);
      while ((await pull()) !== undefined);
    },
    result: () => (beyond === undefined ? assemble(files, notes, bounds.packages) : unknownPackages(beyond)),
  };
}
