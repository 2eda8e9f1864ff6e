import { constants } from "node:fs";
import { type FileHandle, open, opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { packageKey } from "../ecosystem.ts";
import { inParallel } from "../source.ts";
import { MOST_RECORD_BYTES, recordId } from "../record.ts";
import { createRecordIndex, type Place, type RecordIndex } from "./record-index.ts";
import { readZipEntry, zipEntries, ZipError } from "./zip.ts";

/** The records of a folder, and where each of them is. */
export interface Library {
  folder: Folder;
  index: RecordIndex;
  /** The ecosystems that have records, as package keys spell them. */
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

/** Reads every record once, to know which packages it is about. Each is read in its own turn of the event loop, so that nothing else waits for long. */
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

/** What a folder holds: folders with records as files, and zip files; and how they were when they were found. */
interface Folder {
  folders: Seen[];
  zips: Seen[];
  /** Left out, since they are too many or too deep. */
  left: number;
}

interface Seen {
  path: string;
  /** Differs when it was changed: a folder when something in it came, went or was replaced. */
  mark: string;
}

/** Folders in folders. */
const MOST_DEPTH = 4;
const MOST_FOLDERS = 20_000;
const MOST_ZIPS = 500;

/** Looks for zip files and folders. Throws what Node throws when the folder itself cannot be read. */
async function listFolder(root: string, signal: AbortSignal): Promise<Folder> {
  const found: Folder = { folders: [], zips: [], left: 0 };
  async function look(path: string, depth: number): Promise<void> {
    signal.throwIfAborted();
    if (depth > MOST_DEPTH || found.folders.length >= MOST_FOLDERS) return void (found.left += 1);
    // Before its content: what comes meanwhile is then seen the next time.
    found.folders.push({ path, mark: await markOf(path) });
    const inside: string[] = [];
    for await (const entry of await opendir(path)) {
      const name = join(path, entry.name);
      const kind = entry.isSymbolicLink() ? await stat(name).catch(() => entry) : entry;
      if (kind.isDirectory() && !entry.name.startsWith(".")) inside.push(name);
      else if (kind.isFile() && /\.zip$/i.test(entry.name)) {
        if (found.zips.length < MOST_ZIPS) found.zips.push({ path: name, mark: await markOf(name) });
        else found.left += 1;
      }
    }
    for (const name of inside.sort()) await look(name, depth + 1);
  }
  await look(root, 0);
  return found;
}

/** Whether something changed since it was looked through. A record that was rewritten in its place is no change: it is read again each time. */
export async function isUnchanged({ folders, zips }: Folder): Promise<boolean> {
  for (const { path, mark } of [...folders, ...zips]) if ((await markOf(path).catch(() => "")) !== mark) return false;
  return true;
}

async function markOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${size} ${ino}`;
}
