import { counted } from "../../platform/text.ts";
import type { Package, PackageList } from "../image.ts";
import type { Notes } from "./notes.ts";

/** Neither white space nor what cannot be seen, and none of the marks of HTML and shells: no package is called so. */
const PLAUSIBLE = /^[^\s\p{C}<>"'`\\]{1,255}$/u;

/** Makes the list of what was found: hostile names out, each once, in a settled order, at most so many. */
export function packageList(source: "sbom" | "layers", found: Iterable<Package>, notes: Notes, most: number): PackageList {
  const packages = new Map<string, Package>();
  let implausible = 0;
  let tooMany = 0;
  for (const one of found) {
    if (!isPlausible(one)) implausible += 1;
    else if (packages.size < most) packages.set(keyOf(one), one);
    else if (!packages.has(keyOf(one))) tooMany += 1;
  }
  if (implausible > 0)
    notes.add(`${counted(implausible, "package")} without a usable name or version ${implausible === 1 ? "is" : "are"} left out.`);
  if (tooMany > 0) notes.add(`Only the first ${most} packages are looked at.`);
  const sorted = [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const note = notes.text();
  return { source, packages: sorted, complete: note === null, note };
}

/** Nothing is known of an image's packages, and why. */
export function unknownPackages(note: string): PackageList {
  return { source: null, packages: [], complete: false, note };
}

function isPlausible({ ecosystem, name, version, source }: Package): boolean {
  return (
    ecosystem.length <= 255 &&
    [name, version, ...(source === null ? [] : [source.name, source.version])].every((text) => PLAUSIBLE.test(text))
  );
}

function keyOf({ ecosystem, name, version, source }: Package): string {
  return [ecosystem, name, version, source?.name ?? "", source?.version ?? ""].join("\0");
}
