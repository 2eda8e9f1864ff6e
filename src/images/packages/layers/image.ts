import { counted } from "../../../platform/text.ts";
import type { Package, PackageList } from "../../image.ts";
import { type Distribution, placeOf, type SystemManager, type SystemPackage } from "../distribution.ts";
import type { LanguagePackage } from "../managers/languages.ts";
import { packageList, unknownPackages, createNotes, type Notes, type Bounds } from "../package-list.ts";
import { readArchive, type Entry, type TakeEntry, unpacked } from "./archive.ts";
import { type ReadFile, readFile, unread, kindOf, LARGEST, segmentsOf } from "./file.ts";
import { createTree, type Tree } from "./tree.ts";

/** The next piece of a layer; undefined at its end. */
export type Pull = () => Promise<Uint8Array | undefined>;

/** The reading of one image. */
export interface ImageReading {
  /** Reads the next layer up. Never throws: the result says what is wrong with it. The layer is always taken to its end, where its digest is checked. */
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

/** Makes the list of packages of what the files of an image say. */
function assemble(files: Tree<ReadFile>, notes: Notes, most: number): PackageList {
  const distributions = new Map<string, Distribution>();
  const installed: Record<SystemManager, SystemPackage[]> = { dpkg: [], apk: [], rpm: [] };
  const owned = new Set<string>();
  const ofLanguages: [path: string, packages: readonly LanguagePackage[]][] = [];
  const locked: typeof ofLanguages = [];
  for (const [path, file] of files.files()) {
    if (file.kind === "unread") notes.add(file.note);
    else if (file.kind === "language") ofLanguages.push([path, file.packages]);
    else if (file.kind === "lock") locked.push([path, file.packages]);
    else if (file.kind === "distribution") {
      if (file.distribution !== undefined) distributions.set(path, file.distribution);
    } else {
      for (const one of file.contents.packages) installed[file.manager].push(one);
      for (const one of file.contents.owned) owned.add(one);
    }
  }
  const found: Package[] = [];
  const distribution = distributions.get("etc/os-release") ?? distributions.get("usr/lib/os-release");
  for (const manager of ["dpkg", "apk", "rpm"] as const) {
    if (installed[manager].length === 0) continue;
    const place = placeOf(manager, distribution);
    if (place.note !== null) notes.add(place.note);
    if (place.ecosystem === null) continue;
    for (const one of installed[manager]) found.push({ ecosystem: place.ecosystem, ...one });
  }
  for (const [path, packages] of ofLanguages) if (!owned.has(path)) for (const one of packages) found.push({ ...one, source: null });
  for (const [path, packages] of locked) {
    if (files.has([...path.split("/").slice(0, -1), "node_modules"])) continue;
    for (const one of packages) found.push({ ...one, source: null });
  }
  if (found.length > 0) return packageList("layers", found, notes, most);
  const leftOut = Object.values(installed).reduce((sum, packages) => sum + packages.length, 0);
  const why = leftOut === 0 ? "No list of packages was found in the image." : `${counted(leftOut, "package")} could not be looked up.`;
  return unknownPackages([notes.text(), why].filter((part) => part !== null).join(" "));
}

/** A deleted file is an empty one of this name; what a folder had below is deleted by the second. Source: OCI image specification, "Whiteouts". */
const WHITEOUT = ".wh.";
const OPAQUE = ".wh..wh..opq";

interface Layer {
  take: TakeEntry;
  /** Lays what was read over the layers below. */
  finish(): void;
}

/**
 * One layer over those below. Nothing is written or followed: a link is only a name, and one to a file of the same image that was read describes
 * what that file describes.
 */
function createLayer(below: Tree<ReadFile>, notes: Notes, mostFiles: number): Layer {
  const here = createTree<ReadFile>();

  function put(path: readonly string[], file: ReadFile): void {
    const isEmpty =
      (file.kind === "language" && file.packages.length === 0) ||
      (file.kind === "system" && file.contents.packages.length === 0 && file.contents.owned.length === 0);
    if (isEmpty) return;
    if (here.size + below.size >= mostFiles)
      notes.add(`The image has more than ${mostFiles} files that describe packages; the rest are left out.`);
    else here.put(path, file);
  }

  /** Answers true when the entry says that something is gone. A whiteout removes what lies below, never from its own layer. */
  function isWhiteout(path: readonly string[]): boolean {
    const name = path.at(-1) ?? "";
    const folder = path.slice(0, -1);
    if (!name.startsWith(WHITEOUT)) return false;
    if (name === OPAQUE) below.empty(folder);
    else if (!name.startsWith(`${WHITEOUT}${WHITEOUT}`)) below.remove([...folder, name.slice(WHITEOUT.length)]);
    return true;
  }

  /** What a link describes: what its target describes. Undefined for one that describes nothing. */
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
