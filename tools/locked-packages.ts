import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = "node_modules/";

/** A package as package-lock.json names it. */
export interface LockedPackage {
  /** Where npm installs it: `node_modules/a/node_modules/b`. */
  path: string;
  name: string;
  version: string;
  /** An SPDX expression, in the package's own words. */
  license: string | undefined;
  /** One or more of `sha512-BASE64`. */
  integrity: string | undefined;
  /** Names of the packages that it depends on; of peers those that must be there. */
  needs: readonly string[];
  isDevelopment: boolean;
  isOptional: boolean;
}

interface Entry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** All packages of the lock file, by their paths. */
export function lockedPackages(text = readFileSync(join(ROOT, "package-lock.json"), "utf8")): Map<string, LockedPackage> {
  // npm writes the file; this is its shape since version 2.
  const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };
  const found = new Map<string, LockedPackage>();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === "") continue;
    if (entry.version === undefined) throw new Error(`package-lock.json: ${path} has no version`);
    found.set(path, {
      path,
      name: entry.name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length),
      version: entry.version,
      license: entry.license,
      integrity: entry.integrity,
      needs: needsOf(entry),
      isDevelopment: entry.dev === true,
      isOptional: entry.optional === true,
    });
  }
  return found;
}

function needsOf({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }: Entry): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...new Set([...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])].sort();
}

/** Those that a package gets when it imports these names, as Node finds them: the nearest folder first. What is not installed is left out. */
export function resolvedFrom(path: string, names: readonly string[], packages: ReadonlyMap<string, LockedPackage>): LockedPackage[] {
  return names.flatMap((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf(`/${FOLDER}`)))) {
      const found = packages.get(at === "" ? FOLDER + name : `${at}/${FOLDER}${name}`);
      if (found !== undefined) return [found];
      if (at === "") return [];
    }
  });
}

/** The packages of these names, as the root of the project gets them, with everything that they need; in the order of their paths. */
export function withAllNeeded(names: readonly string[], packages: ReadonlyMap<string, LockedPackage>): LockedPackage[] {
  const found = new Set<LockedPackage>();
  const waiting = resolvedFrom("", names, packages);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...resolvedFrom(next.path, next.needs, packages));
  }
  return [...found].sort((a, b) => (a.path < b.path ? -1 : 1));
}
