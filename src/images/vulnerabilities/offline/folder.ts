import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";

/** What a folder holds: folders with records as files, and zip files; and how they were when they were found. */
export interface Folder {
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
export async function listFolder(root: string, signal: AbortSignal): Promise<Folder> {
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

/** Whether something changed since it was looked through. A record that was rewritten in its place is no change: it is read anew each time. */
export async function isUnchanged({ folders, zips }: Folder): Promise<boolean> {
  for (const { path, mark } of [...folders, ...zips]) if ((await markOf(path).catch(() => "")) !== mark) return false;
  return true;
}

async function markOf(path: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(path);
  return `${mtimeMs} ${size} ${ino}`;
}
