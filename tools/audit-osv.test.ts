import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createOfflineSource } from "../src/images/vulnerabilities/offline/offline.ts";
import { osvRecord } from "../test/support/osv.ts";
import { systemClock } from "../src/platform/clock.ts";
import { silentLog } from "../src/platform/log.ts";
import { audit } from "./audit-osv.ts";
import { lockedPackages } from "./locked-packages.ts";

/** Records of OSV about lodash and semver. */
const RECORDS = join(import.meta.dirname, "../test/fixtures/osv");
const empty = mkdtempSync(join(tmpdir(), "binnacle-audit-"));
const others = mkdtempSync(join(tmpdir(), "binnacle-audit-"));
after(() => [empty, others].forEach((folder) => rmSync(folder, { recursive: true })));

const packages = [
  ...lockedPackages(
    JSON.stringify({
      packages: {
        "": {},
        "node_modules/a/node_modules/semver": { version: "7.5.1", dev: true },
        "node_modules/lodash": { version: "4.17.20" },
        "node_modules/semver": { version: "7.5.2" },
        "node_modules/zod": { version: "4.0.0" },
      },
    }),
  ).values(),
];

async function auditOf(folder: string, bundled: readonly string[]): ReturnType<typeof audit> {
  const source = createOfflineSource({ folder, clock: systemClock, log: silentLog });
  try {
    return await audit(packages, new Set(packages.filter(({ path }) => bundled.includes(path))), source);
  } finally {
    source.stop();
  }
}

/** Runs the command, with the records of a folder or of an address. */
function run(env: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(import.meta.dirname, "audit-osv.ts"), ...args],
      { env: { PATH: process.env["PATH"], ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe("the audit of our packages", () => {
  it("names what is vulnerable, and first what users run", async () => {
    assert.deepEqual(await auditOf(RECORDS, ["node_modules/lodash"]), {
      lines: [
        "bundled  lodash 4.17.20  CVE-2021-23337  high 7.2  fixed in 4.17.21  Command Injection in lodash",
        "tools    semver 7.5.1  CVE-2022-25883  high 7.5  fixed in 7.5.2  semver vulnerable to Regular Expression Denial of Service",
      ],
      notes: [],
      isWhole: true,
    });
  });

  it("does not take a folder without records for good news", async () => {
    await assert.rejects(auditOf(empty, []), /has none that can be read/);
    mkdirSync(join(others, "PyPI"));
    writeFileSync(join(others, "PyPI/PYSEC-1.json"), JSON.stringify(osvRecord({ id: "PYSEC-1", ecosystem: "PyPI", name: "x" })));
    const { lines, isWhole, notes } = await auditOf(others, []);
    assert.deepEqual([lines, isWhole], [[], false]);
    assert.match(notes.join(" "), /no records of npm/);
  });

  it("is a command that ends with what it found", async () => {
    const known = await run({}, "--dir", RECORDS);
    assert.match(known.output, /packages, \d+ of them bundled: no vulnerability\n$/);
    assert.equal(known.code, 0);
    assert.equal((await run({ SERVICE_OSV_DIR: empty })).code, 2);
    const away = await run({ SERVICE_OSV_URL: "https://osv.invalid" });
    assert.equal(away.code, 2);
    assert.match(away.output, /osv\.invalid/);
  });
});
