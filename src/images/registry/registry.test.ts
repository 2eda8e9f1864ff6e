import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startEngine, type TestEngine } from "../../../test/support/engine.ts";
import { BUSYBOX, importBusybox } from "../../../test/support/images.ts";
import { startRegistry, type TestRegistry } from "../../../test/support/registry.ts";
import {
  CYCLONEDX,
  type Descriptor,
  MEDIA_TYPES,
  pushAttestation,
  pushBlob,
  pushImage,
  pushIndex,
  pushManifest,
  SPDX,
} from "../../../test/support/registry-images.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound, type Outbound } from "../../platform/outbound.ts";
import { type Repository, RegistryError } from "../image.ts";
import type { Registries } from "./index.ts";
import { createKeychain, createRegistries, plainHttpOf } from "./index.ts";

const PRIVATE = [{ host: "127.0.0.1", port: undefined, plain: true }];
const { signal } = new AbortController();
const AMD64 = { os: "linux", architecture: "amd64", variant: null };

let folder: string;
let outbound: Outbound;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "binnacle-keychain-"));
  outbound = createOutbound({ allowPrivate: false, privateHosts: PRIVATE, clock: systemClock });
});
after(async () => {
  outbound.stop();
  await rm(folder, { recursive: true, force: true });
});

function client(authFile?: string): Registries {
  const keychain = createKeychain({ authFile, home: undefined, log: silentLog });
  return createRegistries({ outbound, keychain, plainHttp: plainHttpOf(PRIVATE), clock: systemClock, log: silentLog });
}

function asked(registry: TestRegistry): string[] {
  return registry.requests.splice(0).map(({ method, path, status }) => `${method} ${path.replace("/v2/", "")} ${status}`);
}

async function reason(attempt: Promise<unknown>): Promise<RegistryError> {
  const error = await attempt.then(
    () => assert.fail("it was answered"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RegistryError)) throw error;
  return error;
}

describe("a registry that asks nobody who he is", () => {
  let registry: TestRegistry;
  let engine: TestEngine;
  const at = (repository: string): Repository => ({ registry: registry.host, repository });

  before(async () => {
    registry = await startRegistry();
    engine = await startEngine();
  });
  after(async () => {
    await registry.stop();
    await engine.stop();
  });

  it("answers the digest that Docker pushed, in one request, and its layers and configuration", async () => {
    await importBusybox(engine);
    const digest = await registry.pushFrom(engine, BUSYBOX, "team/busybox:1.0");
    registry.requests.length = 0;
    const registries = client();
    assert.equal(await registries.digestOf(at("team/busybox"), { tag: "1.0" }, signal), digest);
    assert.deepEqual(asked(registry), ["HEAD team/busybox/manifests/1.0 200"]);
    const image = await registries.image(at("team/busybox"), { tag: "1.0" }, AMD64, signal);
    assert.deepEqual([image.digest, image.indexDigest, image.layers.length], [digest, null, 1]);
    assert.deepEqual(asked(registry), ["HEAD team/busybox/manifests/1.0 200", `GET team/busybox/manifests/${digest} 200`]);
    const id = await engine.docker("inspect", "-f", "{{.Id}}", BUSYBOX);
    assert.equal(image.configDigest, id);
    const config = await registries.config(image, signal);
    assert.equal(config.command?.[0], "/bin/sh");
    assert.equal(config.platform?.os, "linux");
    assert.ok(config.createdAt !== null && config.createdAt.getUTCFullYear() > 2020);
    const [layer] = image.layers;
    assert.ok(layer !== undefined);
    const bytes = Buffer.concat(await (await registries.blob(image, layer.digest, { maxBytes: layer.size, signal })).toArray());
    assert.equal(bytes.length, layer.size);
  });

  it("is asked nothing again that cannot have changed", async () => {
    const pushed = await pushImage(registry, "team/app", { labels: { a: "b" } }, "2.0");
    const registries = client();
    await registries.config(await registries.image(at("team/app"), { tag: "2.0" }, AMD64, signal), signal);
    registry.requests.length = 0;
    const image = await registries.image(at("team/app"), { tag: "2.0" }, AMD64, signal);
    assert.deepEqual((await registries.config(image, signal)).labels, { a: "b" });
    assert.equal(await registries.digestOf(at("team/app"), { digest: pushed.digest }, signal), pushed.digest);
    assert.deepEqual(asked(registry), ["HEAD team/app/manifests/2.0 200"]);
  });

  it("answers the digest of a list, and the image of a platform, never an attestation", async () => {
    const amd64 = await pushImage(registry, "team/multi", { note: "a" });
    const arm64 = await pushImage(registry, "team/multi", { architecture: "arm64", note: "b" });
    const armv6 = await pushImage(registry, "team/multi", { architecture: "arm", variant: "v6", note: "c" });
    const attested = await pushAttestation(registry, "team/multi", {
      image: amd64,
      predicateType: SPDX,
      document: { spdxVersion: "SPDX-2.3", packages: [] },
    });
    const index = await pushIndex(registry, "team/multi", [attested, amd64, arm64, armv6], "3");
    const registries = client();
    const repository = at("team/multi");
    assert.equal(await registries.digestOf(repository, { tag: "3" }, signal), index.digest);
    const of = async (architecture: string, variant: string | null): Promise<string> =>
      (await registries.image(repository, { tag: "3" }, { os: "linux", architecture, variant }, signal)).digest;
    assert.equal(await of("amd64", null), amd64.digest);
    assert.equal(await of("arm64", "v8"), arm64.digest);
    assert.equal(await of("arm", "v7"), armv6.digest);
    assert.equal((await reason(of("arm", "v5"))).message, `team/multi of ${registry.host} is not there for linux/arm/v5.`);
    assert.equal((await reason(registries.image(repository, { tag: "3" }, null, signal))).reason, "not_found");
    const image = await registries.image(repository, { tag: "3" }, AMD64, signal);
    assert.equal(image.indexDigest, index.digest);
    assert.deepEqual((await registries.billsOfMaterials(image, signal)).bills, [
      { format: "spdx", document: { spdxVersion: "SPDX-2.3", packages: [] } },
    ]);
    const other = await registries.image(repository, { tag: "3" }, { ...AMD64, architecture: "arm64" }, signal);
    assert.deepEqual(await registries.billsOfMaterials(other, signal), { bills: [], unread: 0 });
  });

  it("lists what refers to an image by the tag of its digest, signed or not", async () => {
    const image = await pushImage(registry, "team/referred", { note: "r" }, "1");
    const document = { bomFormat: "CycloneDX", components: [] };
    const statement = { predicateType: CYCLONEDX, subject: [], predicate: document };
    const envelope = {
      payloadType: MEDIA_TYPES.statement,
      payload: Buffer.from(JSON.stringify(statement)).toString("base64"),
      signatures: [],
    };
    const holders: Descriptor[] = [];
    for (const [mediaType, content] of [
      ["application/vnd.cyclonedx+json", document],
      ["application/vnd.dsse.envelope.v1+json", envelope],
      ["application/vnd.cncf.notary.signature", { no: "bill" }],
    ] as const) {
      const layer = await pushBlob(registry, "team/referred", Buffer.from(JSON.stringify(content)), mediaType);
      const config = await pushBlob(registry, "team/referred", Buffer.from("{}"), "application/vnd.oci.empty.v1+json");
      const manifest = { schemaVersion: 2, mediaType: MEDIA_TYPES.manifest, config, layers: [layer], artifactType: mediaType };
      holders.push({ ...(await pushManifest(registry, "team/referred", manifest)), artifactType: mediaType });
    }
    await pushIndex(registry, "team/referred", holders, image.digest.replace(":", "-"));
    const registries = client();
    const found = await registries.image(at("team/referred"), { tag: "1" }, AMD64, signal);
    assert.deepEqual((await registries.billsOfMaterials(found, signal)).bills, [
      { format: "cyclonedx", document },
      { format: "cyclonedx", document },
    ]);
  });

  it("lists tags, and says what it does not have", async () => {
    const tags = Array.from({ length: 30 }, (_, index) => `1.${index}`);
    await pushImage(registry, "team/tagged", {}, ...tags);
    const registries = client();
    registry.requests.length = 0;
    const listed = await registries.tags(at("team/tagged"), signal);
    assert.deepEqual([[...listed.tags].sort(), listed.complete], [[...tags].sort(), true]);
    assert.equal(asked(registry).length, 1);
    assert.equal(
      (await reason(registries.digestOf(at("team/tagged"), { tag: "none" }, signal))).message,
      `${registry.host} has no team/tagged:none.`,
    );
    assert.equal((await reason(registries.tags(at("team/nothing"), signal))).reason, "not_found");
    assert.equal(
      (await reason(registries.digestOf(at("team/nothing"), { digest: `sha256:${"0".repeat(64)}` }, signal))).reason,
      "not_found",
    );
  });

  it("refuses a blob of more bytes than were asked for", async () => {
    const layer = await pushBlob(registry, "team/app", Buffer.alloc(100_000, 7), MEDIA_TYPES.layer);
    assert.equal((await reason(client().blob(at("team/app"), layer.digest, { maxBytes: 99_999, signal }))).reason, "too_large");
  });
});

for (const auth of ["htpasswd", "token"] as const) {
  describe(`a registry that asks for credentials by ${auth}`, () => {
    let registry: TestRegistry;
    let authFile: string;
    const at = (repository: string): Repository => ({ registry: registry.host, repository });

    before(async () => {
      registry = await startRegistry({ auth });
      await pushImage(registry, "team/secret", {}, "1", "2");
      await pushImage(registry, "team/other", {}, "1");
      authFile = join(folder, `${auth}.json`);
      await writeFile(authFile, JSON.stringify(registry.dockerConfig));
    });
    after(() => registry.stop());

    it("gets them, and is not asked twice once it is known how", async () => {
      registry.requests.length = 0;
      const registries = client(authFile);
      await registries.digestOf(at("team/secret"), { tag: "1" }, signal);
      assert.deepEqual(asked(registry), ["HEAD team/secret/manifests/1 401", "HEAD team/secret/manifests/1 200"]);
      await registries.digestOf(at("team/secret"), { tag: "1" }, signal);
      await registries.tags(at("team/secret"), signal);
      await registries.digestOf(at("team/other"), { tag: "1" }, signal);
      assert.deepEqual(asked(registry), [
        "HEAD team/secret/manifests/1 200",
        "GET team/secret/tags/list?n=1000 200",
        "HEAD team/other/manifests/1 200",
      ]);
    });

    it("refuses who has none, or wrong ones, in a sentence without them", async () => {
      const none = await reason(client().digestOf(at("team/secret"), { tag: "1" }, signal));
      assert.equal(none.reason, "unauthorized");
      assert.match(none.message, /without credentials: no file with any is configured/);
      const wrong = join(folder, `${auth}-wrong.json`);
      await writeFile(wrong, JSON.stringify({ auths: { [registry.host]: { username: "monitor", password: "wrong-secret" } } }));
      const registries = client(wrong);
      registry.requests.length = 0;
      const refused = await reason(registries.digestOf(at("team/secret"), { tag: "1" }, signal));
      assert.equal(refused.reason, "unauthorized");
      assert.match(refused.message, /with the credentials in .*-wrong\.json/);
      assert.doesNotMatch(refused.message, /secret"|wrong-secret/);
      assert.ok(asked(registry).length <= 2);
      await writeFile(wrong, JSON.stringify(registry.dockerConfig));
      await registries.digestOf(at("team/secret"), { tag: "1" }, signal);
    });

    it("says of helpers that they are not run", async () => {
      const helped = join(folder, `${auth}-helped.json`);
      await writeFile(helped, JSON.stringify({ auths: { [registry.host]: {} }, credsStore: "desktop" }));
      const refused = await reason(client(helped).digestOf(at("team/secret"), { tag: "1" }, signal));
      assert.match(refused.message, /leaves them to the helper "desktop", and helpers are not run/);
    });
  });
}

describe("a registry with tokens", () => {
  it("gives them to anybody, for a refresh token, and again shortly before they expire", async () => {
    const registry = await startRegistry({ auth: "token", anonymous: ["pull"] });
    const { tokens } = registry;
    assert.ok(tokens !== undefined);
    await pushImage(registry, "open/app", {}, "1");
    const repository = { registry: registry.host, repository: "open/app" };
    const anonymous = client();
    for (let count = 0; count < 3; count += 1) await anonymous.digestOf(repository, { tag: "1" }, signal);
    assert.equal(tokens.asked.length, 1);
    assert.equal(tokens.asked[0]?.query.get("scope"), "repository:open/app:pull");
    assert.equal(tokens.asked[0]?.authorization, undefined);
    tokens.lifeSeconds = 0;
    const impatient = client();
    for (let count = 0; count < 2; count += 1) await impatient.digestOf(repository, { tag: "1" }, signal);
    assert.equal(tokens.asked.length, 3);
    const identity = join(folder, "identity.json");
    await writeFile(identity, JSON.stringify({ auths: { [registry.host]: { identitytoken: "refresh-monitor" } } }));
    await client(identity).digestOf(repository, { tag: "1" }, signal);
    assert.equal(tokens.asked.at(-1)?.query.get("grant_type"), "refresh_token");
    await registry.stop();
  });
});
