import { sourceBeside, type SystemPackage, type SystemPackages } from "./installed.ts";
import { readRpmHeader } from "./rpm-header.ts";
import { sourceOfRpm, versionOfRpm } from "./rpm-name.ts";
import { readSqliteTable } from "./sqlite-table.ts";

/** Public keys stand in the database like packages. */
const KEYS = "gpg-pubkey";

/** Reads rpm's database in its SQLite form: a table `Packages` with a header a row. Throws when it is none. */
export function readRpmDatabase(bytes: Buffer, isOfLanguage: (path: string) => boolean): SystemPackages {
  const packages: SystemPackage[] = [];
  const owned: string[] = [];
  for (const [, blob] of readSqliteTable(bytes, "Packages")) {
    if (!Buffer.isBuffer(blob)) continue;
    const header = readRpmHeader(blob, isOfLanguage);
    if (header === undefined || header.name === KEYS) continue;
    const { name, epoch } = header;
    const version = versionOfRpm(epoch, `${header.version}-${header.release}`);
    packages.push({ name, version, source: sourceBeside(name, version, sourceOfRpm(header.sourceRpm, epoch)) });
    for (const file of header.files) owned.push(file);
  }
  return { packages, owned };
}
