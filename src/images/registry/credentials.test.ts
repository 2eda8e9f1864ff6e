import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { credentialsFor, whyNone } from "./credentials.ts";

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

  it("that helpers keep are said to be there", () => {
    assert.match(whyNone({ credHelpers: { "gcr.io": "gcloud" } }, "gcr.io", "F"), /helper "gcloud"/);
    assert.match(whyNone({ credsStore: "desktop" }, "gcr.io", "F"), /helper "desktop"/);
    assert.equal(whyNone({ credHelpers: { "gcr.io": "gcloud" } }, "ghcr.io", "F"), "F has none for ghcr.io");
  });
});
