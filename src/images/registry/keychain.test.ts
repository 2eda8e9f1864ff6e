import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { createKeychain } from "./keychain.ts";

const REPOSITORY = { registry: "ghcr.io", repository: "a/b" };
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "binnacle-keychain-"));
});
after(() => rm(folder, { recursive: true, force: true }));

describe("a keychain", () => {
  it("is the file at home when no other is named, read again when it changed", async () => {
    const { log, text } = createLogCapture();
    const keychain = createKeychain({ authFile: undefined, home: folder, log });
    const path = join(folder, ".docker", "config.json");
    assert.equal((await keychain.find(REPOSITORY)).note, `without credentials: there is no ${path}`);
    await mkdir(join(folder, ".docker"));
    await writeFile(path, JSON.stringify({ auths: { "ghcr.io": { username: "u", password: "first-secret" } }, currentContext: "x" }));
    const found = await keychain.find(REPOSITORY);
    assert.deepEqual(found, {
      credentials: { kind: "password", username: "u", password: "first-secret" },
      note: `with the credentials in ${path}`,
    });
    await writeFile(path, JSON.stringify({ auths: { "ghcr.io": { username: "u", password: "another-secret" } } }));
    assert.deepEqual((await keychain.find(REPOSITORY)).credentials, { kind: "password", username: "u", password: "another-secret" });
    assert.equal(text(), "");
  });

  it("says once what is wrong with its file, without what is in it", async () => {
    const { log, text } = createLogCapture();
    const authFile = join(folder, "auth.json");
    const keychain = createKeychain({ authFile, home: folder, log });
    assert.equal((await keychain.find(REPOSITORY)).note, `without credentials: ${authFile} cannot be read (ENOENT)`);
    for (const content of [
      '{"auths": {"ghcr.io": "hidden-secret"',
      '{"auths": {"ghcr.io": "hidden-secret"}}',
      "[]",
      " ".repeat(2_000_000),
    ]) {
      await writeFile(authFile, content);
      for (let count = 0; count < 3; count += 1) {
        const { credentials, note } = await keychain.find(REPOSITORY);
        assert.equal(credentials, undefined);
        assert.match(note, /is not in the form of Docker's config\.json|is too large/);
      }
    }
    assert.equal(text().split("\n").length, 3);
    assert.doesNotMatch(text(), /hidden-secret/);
  });
});
