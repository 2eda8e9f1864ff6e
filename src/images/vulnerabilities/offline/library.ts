import { constants } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { packageKey } from "../ecosystem.ts";
import { inParallel } from "../in-parallel.ts";
import { MOST_RECORD_BYTES, recordId } from "../record.ts";
import { type Folder, listFolder } from "./folder.ts";
import { createRecordIndex, type Place, type RecordIndex } from "./record-index.ts";
import { readZipEntry, zipEntries, ZipError } from "./zip.ts";

/** The records of a folder, and where each of them is. */
export interface Library {
  folder: Folder;
  index: RecordIndex;
  /** Of which there are records, as package keys spell them. */
  ecosystems: ReadonlySet<string>;
  /** Files that are no records, or could not be read. */
  unreadable: number;
  /** Zip files that could not be read to their end. */
  brokenZips: readonly string[];
  /** There was no room for all of them. */
  full: boolean;
  /** A record as parsed JSON. Throws when it is gone, changed, too large or no JSON. */
  read(record: number): Promise<unknown>;
  close(): Promise<void>;
}

const MOST_ECOSYSTEMS = 5000;
/** Not more, since what is read together is parsed in one turn. */
export const READ_AT_ONCE = 4;
const text = z.string().max(300);
const outline = z.object({
  id: recordId,
  affected: z
    .array(z.object({ package: z.object({ ecosystem: text, name: text }).nullish() }))
    .max(20_000)
    .nullish(),
});

/** Reads every record once, to know which packages it tells of. Each is read in a turn of its own, so that nothing else waits for long. */
export async function openLibrary(root: string, signal: AbortSignal): Promise<Library> {
  const folder = await listFolder(root, signal);
  const index = createRecordIndex();
  const ecosystems = new Set<string>();
  const brokenZips: string[] = [];
  const zips = new Map<number, FileHandle>();
  const containers = [...folder.folders, ...folder.zips].map(({ path }) => path);
  let unreadable = 0;
  let full = false;

  async function read(place: Place): Promise<unknown> {
    const content = "name" in place ? await readFile(join(containers[place.container] ?? "", place.name)) : await readZipped(place);
    return JSON.parse(content.toString());
  }

  async function readZipped(place: { container: number; at: number; bytes: number }): Promise<Buffer> {
    const file = zips.get(place.container);
    if (file === undefined) throw new ZipError("it is closed");
    return readZipEntry(file, { at: place.at, packedBytes: place.bytes }, MOST_RECORD_BYTES);
  }

  async function take(place: Place): Promise<void> {
    signal.throwIfAborted();
    if (full) return;
    const outlined = outline.safeParse(await read(place).catch(() => undefined));
    if (!outlined.success) return void (unreadable += 1);
    const keys = [idKey(outlined.data.id)];
    for (const { package: named } of outlined.data.affected ?? []) {
      if (named == null) continue;
      const key = packageKey(named.ecosystem, named.name);
      keys.push(key);
      if (ecosystems.size < MOST_ECOSYSTEMS) ecosystems.add(ecosystemOfKey(key));
    }
    full = !index.add(place, keys);
  }

  async function takeZip(container: number, path: string): Promise<void> {
    const file = await open(path, "r");
    zips.set(container, file);
    await inParallel(zipEntries(file), READ_AT_ONCE, async ({ name, at, packedBytes }) => {
      if (isRecordFile(name)) await take({ container, at, bytes: packedBytes });
    });
  }

  async function close(): Promise<void> {
    const held = [...zips.values()];
    zips.clear();
    for (const file of held) await file.close().catch(() => undefined);
  }

  try {
    for (const [container, path] of containers.entries()) {
      if (container >= folder.folders.length) {
        await takeZip(container, path).catch((error: unknown) => {
          signal.throwIfAborted();
          if (!(error instanceof ZipError) && !isSystemError(error)) throw error;
          brokenZips.push(path);
        });
        continue;
      }
      await inParallel(await opendir(path), READ_AT_ONCE, async (entry) => {
        if (isRecordFile(entry.name) && !entry.isDirectory()) await take({ container, name: entry.name });
      });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, index, ecosystems, unreadable, brokenZips, full, read: (record) => read(index.place(record)), close };
}

/** What a record is found by, beside its packages. */
export function idKey(id: string): string {
  return `\n${id}`;
}

export function ecosystemOfKey(key: string): string {
  return key.slice(0, key.indexOf("\n"));
}

function isRecordFile(name: string): boolean {
  return /\.json$/i.test(name) && !/(?:^|\/)\./.test(name);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "code" in error;
}

/** A regular file that is not too large. */
async function readFile(path: string): Promise<Buffer> {
  // A pipe is then opened at once, and refused, instead of waiting for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const seen = await file.stat();
    if (!seen.isFile() || seen.size > MOST_RECORD_BYTES) throw new Error("no record");
    return await file.readFile();
  } finally {
    await file.close();
  }
}
