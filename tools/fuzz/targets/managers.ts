import assert from "node:assert/strict";
import { isOfLanguage } from "../../../src/images/packages/layers/file.ts";
import { readApkInstalled } from "../../../src/images/packages/managers/apk.ts";
import { readDpkgFiles, readDpkgStatus } from "../../../src/images/packages/managers/dpkg.ts";
import type { SystemPackages } from "../../../src/images/packages/distribution.ts";
import { readPythonMetadata } from "../../../src/images/packages/managers/languages.ts";
import { readRpmDatabase, readRpmHeader } from "../../../src/images/packages/managers/rpm.ts";
import { compareApk } from "../../../src/images/vulnerabilities/orders/apk.ts";
import { compareDpkg } from "../../../src/images/vulnerabilities/orders/dpkg.ts";
import { type VersionOrder, comparePython, compareSemver } from "../../../src/images/vulnerabilities/orders/order.ts";
import { compareRpm } from "../../../src/images/vulnerabilities/orders/rpm.ts";
import type { Target } from "../target.ts";

const TEXT = { maxBytes: 32_768, maxMs: 100 };

const apk: Target = {
  ...TEXT,
  name: "apk",
  reads: "apk's database of what is installed",
  run: (input) => check(readApkInstalled(input.toString("utf8"), isOfLanguage)),
};

const dpkg: Target = {
  ...TEXT,
  name: "dpkg",
  reads: "dpkg's status and lists of files, and the metadata of Python packages, which has its form",
  run(input) {
    const text = input.toString("utf8");
    check(readDpkgStatus(text));
    check(readDpkgFiles(text, isOfLanguage));
    const python = readPythonMetadata(text);
    if (python !== undefined) assert.ok(python.name !== "" && python.version !== "");
  },
};

const rpm: Target = {
  name: "rpm",
  reads: "rpm's database in its SQLite form",
  maxBytes: 24_576,
  maxMs: 200,
  isRefusal: (error) => error instanceof Error && (error.constructor === Error || leadsOut(error)),
  run: (input) => check(readRpmDatabase(input, isOfLanguage)),
};

/** An offset leads out of the file. */
function leadsOut(error: Error): boolean {
  return "code" in error && (error.code === "ERR_OUT_OF_RANGE" || error.code === "ERR_BUFFER_OUT_OF_BOUNDS");
}

const rpmHeader: Target = {
  name: "rpm-header",
  reads: "the header of a package in rpm's database",
  maxBytes: 65_536,
  maxMs: 200,
  run(input) {
    const header = readRpmHeader(input, () => true);
    if (header === undefined) return;
    assert.ok(header.name !== "" && header.version !== "" && header.release !== "" && header.epoch >= 0);
    for (const file of header.files) assert.ok(file.length <= input.length, "a path is not longer than what it is made of");
  },
};

function check({ packages, owned }: SystemPackages): void {
  for (const { name, version, source } of packages) assert.ok(name !== "" && version !== "" && source?.name !== "");
  for (const path of owned) assert.ok(isOfLanguage(path));
}

const ORDERS: readonly VersionOrder[] = [compareApk, compareDpkg, compareRpm, comparePython, compareSemver];

const versions: Target = {
  name: "versions",
  reads: "three versions in the order of each ecosystem: turned around the order is the opposite, and it goes through",
  maxBytes: 8192,
  maxMs: 100,
  run(input) {
    const [a = "", b = "", c = ""] = input.toString("latin1").split("\n");
    for (const order of ORDERS) {
      const [ab, bc, ac] = [order(a, b), order(b, c), order(a, c)];
      if (order(a, a) !== undefined) assert.equal(order(a, a), 0);
      if (ab === undefined) continue;
      assert.equal(Math.sign(order(b, a) ?? Number.NaN) + Math.sign(ab), 0, `${order.name} is the opposite when turned around`);
      if (bc === undefined || ac === undefined || (order === compareRpm && someReleaseOf([a, b, c]))) continue;
      if (ab <= 0 && bc <= 0) assert.ok(ac <= 0, `${order.name} goes through`);
    }
  },
};

/** Whether some of them have a release and others none, which RPM takes for any: only pairs of these have an order. */
function someReleaseOf(versionsOfRpm: readonly string[]): boolean {
  const withRelease = versionsOfRpm.filter((each) => each.includes("-"));
  return withRelease.length > 0 && withRelease.length < versionsOfRpm.length;
}

export const MANAGER_TARGETS: readonly Target[] = [rpm, rpmHeader, apk, dpkg, versions];
