/** The README.md of each folder of src, two levels deep: its second paragraph says what the folder may import, and is held to that. */
import { type Zone, ZONES } from "./import-rules.ts";
import { matches } from "./imports/match.ts";
import type { LinkedFile } from "./imports/source-file.ts";

const PREFIX = "May import: ";

/** `src/monitoring` of `src/monitoring/intake.ts`, `src/monitoring/logs` of what is below that; undefined of files directly in src. */
export function folderOf(path: string): string | undefined {
  const folders = path.split("/").slice(0, -1);
  return folders[0] === "src" && folders.length > 1 ? folders.slice(0, 3).join("/") : undefined;
}

/** What is wrong with the notes, as sentences. `notes` are the texts of README.md by folder; `files` are the program without its tests. */
export function noteFaults(files: readonly LinkedFile[], notes: ReadonlyMap<string, string>): string[] {
  const folders = new Set(files.flatMap(({ path }) => parentsOf(folderOf(path))));
  return [...folders].sort().flatMap((folder) => {
    const text = notes.get(folder);
    if (text === undefined) return [`${folder}: has no README.md that says what it does and what it may import`];
    const expected = PREFIX + (isPart(folder) ? partRule(folder) : neighbourRule(folder, files));
    const [title = "", what = "", may = ""] = text.trim().split("\n\n");
    if (!title.startsWith("# ") || what === "")
      return [`${folder}/README.md: begins with a title and a sentence that says what the folder does`];
    return may === expected ? [] : [`${folder}/README.md: its third paragraph is to be\n    ${expected}`];
  });
}

function parentsOf(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  return isPart(folder) ? [folder] : [folder.split("/").slice(0, 2).join("/"), folder];
}

function isPart(folder: string): boolean {
  return folder.split("/").length === 2;
}

function partRule(folder: string): string {
  const zone = ZONES.find(({ name, files }) => `src/${name}` === folder || matches(`${folder}/file.ts`, files));
  if (zone === undefined || zone.forAll === true) return "nothing, not even a package.";
  if (zone.mayImport === "all of src") return "all of `src`.";
  const always = ZONES.filter((each: Zone) => each.forAll === true).map(({ name }) => name);
  return `${listOf([...always, ...zone.mayImport])}.`;
}

/** The neighbours that its files import now: a new one is a decision, and is written down with it. */
function neighbourRule(folder: string, files: readonly LinkedFile[]): string {
  const [, part = ""] = folder.split("/");
  const targets = files
    .filter(({ path }) => folderOf(path) === folder)
    .flatMap(({ imports }) => imports.map(({ target }) => folderOf(target ?? "")));
  const neighbours = new Set(
    targets.filter((target) => target !== undefined && target !== folder && !isPart(target) && target.startsWith(`src/${part}/`)),
  );
  const names = [...neighbours].map((neighbour) => neighbour?.split("/")[2] ?? "").sort();
  return `what \`${part}\` may; ${names.length === 0 ? "none of its neighbours" : `of its neighbours ${listOf(names)}`}.`;
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}
