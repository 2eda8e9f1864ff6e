import { sourceBeside, type SystemPackage, type SystemPackages } from "../distribution.ts";

/** States in which a package's files are there. Source: dpkg(1). */
const PRESENT = new Set(["installed", "unpacked", "half-configured", "triggers-awaited", "triggers-pending"]);

/**
 * Reads the paragraphs of /var/lib/dpkg/status, or of a file in status.d, as images without dpkg have them: those say no status.
 * Source: deb-control(5), dpkg(1).
 */
export function readDpkgStatus(text: string): SystemPackages {
  const packages: SystemPackage[] = [];
  let fields = new Map<string, string>();
  const end = (): void => {
    const one = packageOf(fields);
    if (one !== undefined) packages.push(one);
    fields = new Map();
  };
  for (const line of lines(text)) {
    if (line === "") end();
    else {
      const field = /^(Package|Status|Version|Source):/.exec(line)?.[1];
      if (field !== undefined) fields.set(field, line.slice(field.length + 1).trim());
    }
  }
  end();
  return { packages, owned: [] };
}

/** Reads /var/lib/dpkg/info/*.list: the files of a package, a line each. */
export function readDpkgFiles(text: string, isOfLanguage: (path: string) => boolean): SystemPackages {
  const owned: string[] = [];
  for (const line of lines(text)) {
    const path = line.slice(1);
    if (isOfLanguage(path)) owned.push(path);
  }
  return { packages: [], owned };
}

function packageOf(fields: ReadonlyMap<string, string>): SystemPackage | undefined {
  const name = fields.get("Package") ?? "";
  const version = fields.get("Version") ?? "";
  const status = fields.get("Status");
  if (name === "" || version === "") return undefined;
  if (status !== undefined && !PRESENT.has(status.split(" ")[2] ?? "")) return undefined;
  // `glibc`, or `glibc (2.36-9)` where the versions differ.
  const [, sourceName, sourceVersion = version] = /^(\S+)(?:\s+\((\S+)\))?$/.exec(fields.get("Source") ?? "") ?? [];
  const source = sourceName === undefined ? null : { name: sourceName, version: sourceVersion };
  return { name, version, source: sourceBeside(name, version, source) };
}

/** Without making millions of strings at once of a hostile file. */
function* lines(text: string): Generator<string> {
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf("\n", start);
    yield end === -1 ? text.slice(start) : text.slice(start, end);
    if (end === -1) return;
    start = end + 1;
  }
}
