import type { Package, PackageList } from "../../image.ts";
import { type Distribution, placeOf, type SystemManager } from "../distribution.ts";
import type { SystemPackage } from "../managers/installed.ts";
import type { LanguagePackage } from "../managers/npm.ts";
import { counted, type Notes } from "../notes.ts";
import { packageList, unknownPackages } from "../package-list.ts";
import type { ReadFile } from "./file.ts";
import type { Tree } from "./tree.ts";

/** Makes the list of packages of what the files of an image say. */
export function assemble(files: Tree<ReadFile>, notes: Notes, most: number): PackageList {
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
