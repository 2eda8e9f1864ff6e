import { type Distribution, readOsRelease, type SystemManager, type SystemPackages } from "../distribution.ts";
import { readApkInstalled } from "../managers/apk.ts";
import { readDpkgFiles, readDpkgStatus } from "../managers/dpkg.ts";
import { type LanguagePackage, readNpmLock, readNpmPackage, readPythonMetadata } from "../managers/languages.ts";
import { readRpmDatabase } from "../managers/rpm.ts";
import { FILE_BYTES } from "../package-list.ts";

/** What a file describes, by where it lies. */
type FileKind =
  | "os_release"
  | "dpkg_status"
  | "dpkg_files"
  | "apk_installed"
  | "rpm_sqlite"
  /** A database of rpm in a form that is not read, or changes to one that are not in it yet. */
  | "rpm_unread"
  | "npm_package"
  | "npm_lock"
  | "python_metadata";

const EXACT: ReadonlyMap<string, FileKind> = new Map([
  ["etc/os-release", "os_release"],
  ["usr/lib/os-release", "os_release"],
  ["var/lib/dpkg/status", "dpkg_status"],
  ["lib/apk/db/installed", "apk_installed"],
  ["usr/lib/apk/db/installed", "apk_installed"],
  // Where rpm keeps its database, by age and distribution, and the three forms that it has.
  ...["var/lib/rpm", "usr/lib/sysimage/rpm", "usr/share/rpm"].flatMap((folder): [string, FileKind][] => [
    [`${folder}/rpmdb.sqlite`, "rpm_sqlite"],
    [`${folder}/rpmdb.sqlite-wal`, "rpm_unread"],
    [`${folder}/Packages.db`, "rpm_unread"],
    [`${folder}/Packages`, "rpm_unread"],
  ]),
]);

/** The largest that a file of a kind may be. */
export const LARGEST: Record<FileKind, number> = {
  os_release: FILE_BYTES.description,
  dpkg_status: FILE_BYTES.database,
  dpkg_files: FILE_BYTES.database,
  apk_installed: FILE_BYTES.database,
  rpm_sqlite: FILE_BYTES.rpmDatabase,
  rpm_unread: 0,
  npm_package: FILE_BYTES.description,
  npm_lock: FILE_BYTES.database,
  python_metadata: FILE_BYTES.description,
};

const MAX_LENGTH = 4096;
const MAX_DEPTH = 128;

/** The parts of a name in an archive; undefined for one that leads out of the image or is beyond reason. The root has no parts. */
export function segmentsOf(name: string): string[] | undefined {
  if (name.length > MAX_LENGTH || name.includes("\0")) return undefined;
  const segments = name.split("/").filter((part) => part !== "" && part !== ".");
  return segments.length > MAX_DEPTH || segments.includes("..") ? undefined : segments;
}

/** Undefined for a file that describes no packages. */
export function kindOf(path: string): FileKind | undefined {
  const exact = EXACT.get(path);
  if (exact !== undefined) return exact;
  if (path.startsWith("var/lib/dpkg/")) {
    if (/^var\/lib\/dpkg\/status\.d\/[^/]+$/.test(path)) return path.endsWith(".md5sums") ? undefined : "dpkg_status";
    return /^var\/lib\/dpkg\/info\/[^/]+\.list$/.test(path) ? "dpkg_files" : undefined;
  }
  return kindOfLanguage(path);
}

/** Whether a file describes a package of a language. */
export function isOfLanguage(path: string): boolean {
  const kind = kindOfLanguage(path);
  return kind === "npm_package" || kind === "python_metadata";
}

function kindOfLanguage(path: string): FileKind | undefined {
  if (path.endsWith("/package.json"))
    return /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path) ? "npm_package" : undefined;
  if (/(?:^|\/)package-lock\.json$/.test(path)) return /(?:^|\/)node_modules\//.test(path) ? undefined : "npm_lock";
  if (/\.dist-info\/METADATA$|\.egg-info\/PKG-INFO$|\/[^/]+\.egg-info$/.test(path)) return "python_metadata";
  return undefined;
}

/** What was read of a file: its bytes are not kept. */
export type ReadFile =
  | { kind: "distribution"; distribution: Distribution | undefined }
  | { kind: "system"; manager: SystemManager; contents: SystemPackages }
  | { kind: "language"; packages: LanguagePackage[] }
  /** What is to be installed, where nothing is. */
  | { kind: "lock"; packages: LanguagePackage[] }
  | { kind: "unread"; note: string };

/** Reads a file by its kind. Never throws: what cannot be read is a note. */
export function readFile(kind: FileKind, path: string, bytes: Buffer): ReadFile {
  try {
    return contentsOf(kind, path, bytes);
  } catch {
    return unread(path, "cannot be read");
  }
}

/** A file that matters and was not read. */
export function unread(path: string, why: string): ReadFile {
  return { kind: "unread", note: `"${path.slice(-200)}" ${why}, so what it lists is left out.` };
}

function contentsOf(kind: FileKind, path: string, bytes: Buffer): ReadFile {
  switch (kind) {
    case "os_release":
      return { kind: "distribution", distribution: readOsRelease(bytes.toString("utf8")) };
    case "dpkg_status":
      return { kind: "system", manager: "dpkg", contents: readDpkgStatus(bytes.toString("utf8")) };
    case "dpkg_files":
      return { kind: "system", manager: "dpkg", contents: readDpkgFiles(bytes.toString("utf8"), isOfLanguage) };
    case "apk_installed":
      return { kind: "system", manager: "apk", contents: readApkInstalled(bytes.toString("utf8"), isOfLanguage) };
    case "rpm_sqlite":
      return { kind: "system", manager: "rpm", contents: readRpmDatabase(bytes, isOfLanguage) };
    case "npm_package":
      return language(readNpmPackage(bytes.toString("utf8")));
    case "python_metadata":
      return language(readPythonMetadata(bytes.toString("utf8")));
    case "npm_lock":
      return { kind: "lock", packages: readNpmLock(bytes.toString("utf8")) };
    case "rpm_unread":
      return unread(path, "has a form of rpm's database that is not known here");
  }
}

function language(one: LanguagePackage | undefined): ReadFile {
  return { kind: "language", packages: one === undefined ? [] : [one] };
}
