import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readLicense } from "../src/editions/license.ts";
import { mintLicense } from "./license.ts";

test("a minted key is accepted by the checkout's own public key, and by no other's", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-license-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const here = join(folder, "here");
  const order = { edition: "pro", organisation: "Harbour", days: 10 };

  const key = mintLicense(here, order);
  const publicKey = readFileSync(join(here, "public.pem"), "utf8");
  const license = readLicense(key, publicKey);
  assert.ok("edition" in license);
  assert.equal(license.edition, "pro");
  assert.equal(license.organisation, "Harbour");
  assert.equal(license.expiresAt.getTime() - license.issuedAt.getTime(), 10 * 86_400_000);
  assert.equal(statSync(join(here, "private.pem")).mode & 0o777, 0o600);

  mintLicense(here, order);
  assert.equal(readFileSync(join(here, "public.pem"), "utf8"), publicKey, "the pair is made once");
  assert.ok("fault" in readLicense(mintLicense(join(folder, "elsewhere"), order), publicKey));
});

test("an expired licence can be minted", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-license-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const license = readLicense(
    mintLicense(folder, { edition: "personal", organisation: "x", days: -20 }),
    readFileSync(join(folder, "public.pem"), "utf8"),
  );
  assert.ok("edition" in license);
  assert.ok(license.issuedAt <= license.expiresAt && license.expiresAt < new Date());
});
