import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createLogCapture } from "../../../test/support/log-capture.ts";
import { createKeychain, credentialsFor, whyNone } from "./keychain.ts";

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

const auth = (text: string): { auth: string } => ({ auth: Buffer.from(text).toString("base64") });
const user = (name: string): object => ({ kind: "password", username: name, password: "pw" });

describe("credentials in Docker's file", () => {
  for (const key of [
    "https://index.docker.io/v1/",
    "index.docker.io",
    "docker.io",
    "https://registry-1.docker.io/v2/",
    "registry.hub.docker.com",
    "HTTPS://Index.Docker.io/v1",
  ])
    it(`of Docker Hub are found as ${key}`, () => {
      const file = { auths: { [key]: auth("u:pw") } };
      assert.deepEqual(credentialsFor(file, { registry: "docker.io", repository: "library/x" }), user("u"));
      assert.equal(credentialsFor(file, { registry: "ghcr.io", repository: "a/b" }), undefined);
    });

  it("are those of the narrowest entry that holds", () => {
    const file = { auths: { "quay.io": auth("all:pw"), "quay.io/team": auth("team:pw"), "quay.io/team/app": auth("app:pw") } };
    const of = (repository: string): unknown => credentialsFor(file, { registry: "quay.io", repository });
    assert.deepEqual(
      [of("x/y"), of("teams/x"), of("team/x"), of("team/app"), of("team/app/z")].map((each) => (each as { username: string }).username),
      ["all", "all", "team", "app", "app"],
    );
  });

  it("come in several kinds", () => {
    const of = (entry: object): unknown => credentialsFor({ auths: { "r.lan:5000": entry } }, { registry: "r.lan:5000", repository: "a" });
    assert.deepEqual(of(auth("u:pw\0\0")), user("u"));
    assert.deepEqual(of(auth("u:p:w")), { kind: "password", username: "u", password: "p:w" });
    assert.deepEqual(of({ username: "u", password: "pw" }), user("u"));
    assert.deepEqual(of({ ...auth("<token>:"), identitytoken: "t" }), { kind: "identity", token: "t" });
    assert.deepEqual(of({ registrytoken: "t" }), { kind: "registry", token: "t" });
    for (const nothing of [{}, auth("nocolon"), { auth: "%%%" }, { username: "u" }, auth(":pw")]) assert.equal(of(nothing), undefined);
  });

  it("that helpers keep are named as the reason", () => {
    assert.match(whyNone({ credHelpers: { "gcr.io": "gcloud" } }, "gcr.io", "F"), /helper "gcloud"/);
    assert.match(whyNone({ credsStore: "desktop" }, "gcr.io", "F"), /helper "desktop"/);
    assert.equal(whyNone({ credHelpers: { "gcr.io": "gcloud" } }, "ghcr.io", "F"), "F has none for ghcr.io");
  });
});
