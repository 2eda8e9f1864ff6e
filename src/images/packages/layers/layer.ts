import type { Notes } from "../notes.ts";
import type { Entry, TakeEntry } from "./archive.ts";
import { type ReadFile, readFile, unread } from "./file.ts";
import { kindOf, LARGEST, segmentsOf } from "./paths.ts";
import { createTree, type Tree } from "./tree.ts";

/** A deleted file is an empty one of this name; what a folder had below is deleted by the second. Source: OCI image specification, "Whiteouts". */
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

export interface Layer {
  take: TakeEntry;
  /** Lays what was read over the layers below. */
  finish(): void;
}

/**
 * One layer over those below. Nothing is written or followed: a link is only a name, and one to a file of the same image that was read tells
 * what that file tells.
 */
export function createLayer(below: Tree<ReadFile>, notes: Notes, mostFiles: number): Layer {
  const here = createTree<ReadFile>();

  function put(path: readonly string[], file: ReadFile): void {
    const isEmpty =
      (file.kind === "language" && file.packages.length === 0) ||
      (file.kind === "system" && file.contents.packages.length === 0 && file.contents.owned.length === 0);
    if (isEmpty) return;
    if (here.size + below.size >= mostFiles)
      notes.add(`The image has more than ${mostFiles} files that tell of packages; the rest are left out.`);
    else here.put(path, file);
  }

  /** Answers true when the entry says that something is gone. A whiteout is of what lies below, never of its own layer. */
  function isWhiteout(path: readonly string[]): boolean {
    const name = path.at(-1) ?? "";
    const folder = path.slice(0, -1);
    if (!name.startsWith(WHITEOUT)) return false;
    if (name === OPAQUE) below.empty(folder);
    else if (!name.startsWith(`${WHITEOUT}${WHITEOUT}`)) below.remove([...folder, name.slice(WHITEOUT.length)]);
    return true;
  }

  /** What a link tells: what the file tells that it leads to. Undefined for one that tells nothing. */
  function linked(path: readonly string[], { target }: Entry): ReadFile | undefined {
    const joined = path.join("/");
    const kind = kindOf(joined);
    const to = segmentsOf(target);
    if (kind === undefined) return undefined;
    const file = to === undefined || kindOf(to.join("/")) !== kind ? undefined : (here.get(to) ?? below.get(to));
    return file ?? unread(joined, "is a link to a file that was not read");
  }

  return {
    take(entry) {
      const path = segmentsOf(entry.name);
      if (path === undefined || path.length === 0 || isWhiteout(path)) return undefined;
      if (entry.type === "folder") {
        below.removeFile(path);
        return undefined;
      }
      // Asked for before what it replaces is gone: a link may lead to itself.
      const link = entry.type === "link" ? linked(path, entry) : undefined;
      below.remove(path);
      here.remove(path);
      if (link !== undefined) put(path, link);
      const joined = path.join("/");
      const kind = entry.type === "file" ? kindOf(joined) : undefined;
      if (kind === undefined || entry.size === 0) return undefined;
      if (entry.size > LARGEST[kind]) {
        put(path, unread(joined, kind === "rpm_unread" ? "has a form of rpm's database that is not known here" : "is too large"));
        return undefined;
      }
      return (content) => put(path, readFile(kind, joined, content));
    },
    finish: () => below.overlay(here),
  };
}
