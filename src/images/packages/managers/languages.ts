import { z } from "zod";

/** A package of a language, as its ecosystem in OSV names it. */
export interface LanguagePackage {
  ecosystem: "npm" | "PyPI";
  name: string;
  version: string;
}

const described = z.object({ name: z.string().min(1), version: z.string().min(1) });

/** Reads the package.json of an installed package; undefined when it does not say what it is. Throws when it is no JSON. */
export function readNpmPackage(text: string): LanguagePackage | undefined {
  const read = described.safeParse(JSON.parse(withoutMark(text)));
  return read.success ? { ecosystem: "npm", ...read.data } : undefined;
}

const flag = z.boolean().optional().catch(undefined);
const lockedPackage = z
  .object({ name: z.string().optional().catch(undefined), version: z.string(), link: flag, dev: flag })
  .optional()
  .catch(undefined);
const lockedDependency = z
  .object({ version: z.string(), dev: flag, dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined) })
  .optional()
  .catch(undefined);
const lock = z
  .object({
    packages: z.record(z.string(), lockedPackage).optional().catch(undefined),
    dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  })
  .catch({});

/**
 * Reads package-lock.json of any version; what only development needs is left out. Throws when it is no JSON.
 * Source: npm's documentation, "package-lock.json".
 */
export function readNpmLock(text: string): LanguagePackage[] {
  const { packages, dependencies } = lock.parse(JSON.parse(withoutMark(text)));
  const found: LanguagePackage[] = [];
  const add = (name: string, version: string): void => {
    // A version may also be where it was fetched from.
    if (name !== "" && /^\d/.test(version)) found.push({ ecosystem: "npm", name, version });
  };
  for (const [path, locked] of Object.entries(packages ?? {})) {
    const folder = "node_modules/";
    if (locked === undefined || locked.link === true || locked.dev === true || !path.includes(folder)) continue;
    add(locked.name ?? path.slice(path.lastIndexOf(folder) + folder.length), locked.version);
  }
  if (packages !== undefined) return found;
  const waiting = [dependencies ?? {}];
  for (let level = waiting.pop(); level !== undefined; level = waiting.pop()) {
    for (const [name, value] of Object.entries(level)) {
      const dependency = lockedDependency.parse(value);
      if (dependency === undefined || dependency.dev === true) continue;
      add(name, dependency.version);
      if (dependency.dependencies !== undefined) waiting.push(dependency.dependencies);
    }
  }
  return found;
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** Reads METADATA of a `.dist-info` or PKG-INFO of an `.egg-info`: fields up to the first empty line. Source: core metadata specifications. */
export function readPythonMetadata(text: string): LanguagePackage | undefined {
  const [head = ""] = text.split(/\r?\n\r?\n/, 1);
  const [, name] = /^Name:[ \t]*(\S+)[ \t]*\r?$/im.exec(head) ?? [];
  const [, version] = /^Version:[ \t]*(\S+)[ \t]*\r?$/im.exec(head) ?? [];
  return name === undefined || version === undefined ? undefined : { ecosystem: "PyPI", name: normalizedPythonName(name), version };
}

/** Source: PEP 503, "Normalized Names". */
export function normalizedPythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
