import assert from "node:assert/strict";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { StartError } from "../platform/errors.ts";
import { openOwnCertificate } from "./own-certificate.ts";

const NAMES = ["monitor.example.org"];
const NOW = new Date("2026-03-01T12:00:00Z");

test("the certificate of a data folder is made once, and kept for this user alone", () => {
  const dataDir = join(temporaryFolder(), "data");
  const made = openOwnCertificate({ dataDir, names: NAMES, now: NOW });
  const path = join(dataDir, "grpc-certificate.pem");
  assert.equal(statSync(path).mode & 0o777, 0o600);
  chmodSync(path, 0o644);
  const read = openOwnCertificate({ dataDir, names: ["another.example.org"], now: NOW });
  assert.deepEqual([made.isNew, read], [true, { ...made, isNew: false }]);
  assert.match(made.fingerprint, /^sha256:[0-9a-f]{64}$/);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const elsewhere = openOwnCertificate({ dataDir: temporaryFolder(), names: NAMES, now: NOW });
  assert.notEqual(elsewhere.fingerprint, made.fingerprint);
});

test("a certificate that cannot be used is named, and never replaced", () => {
  const other = openOwnCertificate({ dataDir: temporaryFolder(), names: NAMES, now: NOW });
  const own = openOwnCertificate({ dataDir: temporaryFolder(), names: NAMES, now: NOW });
  for (const text of ["", "hello", own.certificate, own.key, own.certificate + other.key, "x".repeat(100_000)]) {
    const dataDir = temporaryFolder();
    const path = join(dataDir, "grpc-certificate.pem");
    writeFileSync(path, text);
    assert.throws(
      () => openOwnCertificate({ dataDir, names: NAMES, now: NOW }),
      (error) => error instanceof StartError && error.message.includes(path) && !error.message.includes("PRIVATE KEY"),
    );
    assert.equal(readFileSync(path, "utf8"), text);
  }
});
