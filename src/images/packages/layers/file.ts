import type { Distribution, SystemManager } from "../distribution.ts";
import { readOsRelease } from "../distribution.ts";
import { readApkInstalled } from "../managers/apk.ts";
import { readDpkgFiles, readDpkgStatus } from "../managers/dpkg.ts";
import type { SystemPackages } from "../managers/installed.ts";
import { type LanguagePackage, readNpmLock, readNpmPackage } from "../managers/npm.ts";
import { readPythonMetadata } from "../managers/python.ts";
import { readRpmDatabase } from "../managers/rpm.ts";
import { type FileKind, isOfLanguage } from "./paths.ts";

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
