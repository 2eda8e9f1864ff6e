import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, describe, it } from "node:test";
import { MEDIA_TYPES, sha256, SPDX } from "../../../test/support/registry-images.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { type AttachedBills, type PlatformImage, RegistryError } from "../image.ts";
import { billIn } from "./bills.ts";
import { createRegistries, plainHttpOf } from "./index.ts";

const PRIVATE = [{ host: "127.0.0.1", port: undefined, plain: true }];
const SPDX_TYPE = "application/spdx+json";
const spdx = (name: string): object => ({ spdxVersion: "SPDX-2.3", name });
const stops: (() => void)[] = [];

after(() => {
  for (const stop of stops) stop();
});

/** What refers to an image by the referrers API of a registry, with a document each; or what BuildKit lists beside it, in one manifest. */
async function referred(
  documents: readonly object[],
  { statedSize, isBeside = false }: { statedSize?: number; isBeside?: boolean } = {},
): Promise<AttachedBills> {
  const files = new Map<string, string>();
  const keep = (content: string): { digest: string; size: number } => {
    const body = Buffer.from(content);
    files.set(sha256(body), content);
    return { digest: sha256(body), size: body.length };
  };
  const config = { mediaType: "application/vnd.oci.empty.v1+json", ...keep("{}") };
  const annotations = { "in-toto.io/predicate-type": SPDX };
  const layers = documents.map((document) => {
    const layer = isBeside ? { mediaType: MEDIA_TYPES.statement, annotations } : { mediaType: SPDX_TYPE };
    const kept = keep(JSON.stringify(isBeside ? { predicateType: SPDX, subject: [], predicate: document } : document));
    return { ...layer, ...kept, size: statedSize ?? kept.size };
  });
  const holder = (held: readonly object[]) => keep(JSON.stringify({ schemaVersion: 2, config, layers: held }));
  const digest = sha256(Buffer.from("image"));
  const beside = {
    mediaType: MEDIA_TYPES.manifest,
    ...holder(isBeside ? layers : []),
    annotations: { "vnd.docker.reference.digest": digest },
  };
  const manifests = isBeside
    ? []
    : layers.map((layer) => ({ mediaType: MEDIA_TYPES.manifest, artifactType: SPDX_TYPE, ...holder([layer]) }));
  const index = JSON.stringify({ schemaVersion: 2, mediaType: MEDIA_TYPES.index, manifests: [beside] });
  const image = { digest, repository: "a/b", indexDigest: keep(index).digest, configDigest: "", layers: [], annotations: {} };
  const server = createServer((request, response) => {
    const { url = "" } = request;
    const name = url.split("/").at(-1) ?? "";
    if (url === `/v2/a/b/referrers/${image.digest}`) {
      response.writeHead(200, { "content-type": MEDIA_TYPES.index }).end(JSON.stringify({ schemaVersion: 2, manifests }));
    } else if (files.has(name)) {
      const type = files.get(name) === index ? MEDIA_TYPES.index : MEDIA_TYPES.manifest;
      response.writeHead(200, { "content-type": type }).end(files.get(name));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const outbound = createOutbound({ allowPrivate: false, privateHosts: PRIVATE, clock: systemClock });
  stops.push(() => {
    outbound.stop();
    server.close();
    server.closeAllConnections();
  });
  const keychain = { find: async () => ({ credentials: undefined, note: "without credentials" }) };
  const registries = createRegistries({ outbound, keychain, plainHttp: plainHttpOf(PRIVATE), clock: systemClock, log: silentLog });
  const full: PlatformImage = { ...image, registry: `127.0.0.1:${(server.address() as AddressInfo).port}` };
  return registries.billsOfMaterials(full, new AbortController().signal);
}

describe("what refers to an image", () => {
  const named = (...names: string[]) => names.map((name) => ({ format: "spdx", document: spdx(name) }));

  it("is found by the referrers API, four documents at most, and the others are counted", async () => {
    assert.deepEqual(await referred([]), { bills: [], unread: 0 });
    assert.deepEqual(await referred(["a", "b", "c", "d"].map(spdx)), { bills: named("a", "b", "c", "d"), unread: 0 });
    assert.deepEqual(await referred(["a", "b", "c", "d", "e", "f"].map(spdx)), { bills: named("a", "b", "c", "d"), unread: 2 });
    const many = Array.from({ length: 20 }, (_, number) => spdx(`${number}`));
    assert.deepEqual(await referred(many), { bills: named("0", "1", "2", "3"), unread: 16 });
  });

  it("is counted when it says that it is a list and has a form that is not known", async () => {
    assert.deepEqual(await referred([{ "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld" }, spdx("a")]), {
      bills: named("a"),
      unread: 1,
    });
  });

  it("is taken of BuildKit's documents without those of the build's stages and context", async () => {
    const stages = ["sbom-base", "/run/src/extras/sbom-build", "sbom-context", "sbom-go", "sbom-test", "sbom"].map(spdx);
    assert.deepEqual(await referred(stages, { isBeside: true }), { bills: named("sbom"), unread: 0 });
    assert.deepEqual(await referred([spdx("/run/src/core/sbom")], { isBeside: true }), { bills: named("/run/src/core/sbom"), unread: 0 });
    assert.deepEqual(await referred([spdx("sbom-base")], { isBeside: true }), { bills: [], unread: 0 });
    assert.deepEqual((await referred([spdx("sbom-1.2")])).bills, named("sbom-1.2"), "others may call theirs so");
  });

  it("is not read when it is too large, or when its stated size is wrong", async () => {
    const tooLarge = (error: unknown): boolean => error instanceof RegistryError && error.reason === "too_large";
    await assert.rejects(referred([spdx("x")], { statedSize: 1e9 }), tooLarge);
    await assert.rejects(referred([spdx("x".repeat(33_554_432))], { statedSize: 10 }), tooLarge);
  });
});

describe("a document", () => {
  const statement = (predicateType: string, predicate: unknown): object => ({ predicateType, subject: [], predicate });
  const wrapped = (inner: object): object => ({ payload: Buffer.from(JSON.stringify(inner)).toString("base64") });
  const bom = { bomFormat: "CycloneDX", components: [] };
  const spdxBill = { format: "spdx", document: spdx("x") };
  const cases: [what: string, content: unknown, bill: unknown][] = [
    ["that is SPDX itself", spdx("x"), spdxBill],
    ["that is CycloneDX itself", bom, { format: "cyclonedx", document: bom }],
    ["in a statement", statement("https://spdx.dev/Document", spdx("x")), spdxBill],
    ["in a statement that wraps it", statement("https://spdx.dev/Document", { Data: spdx("x") }), spdxBill],
    ["in an envelope", wrapped(statement("https://cyclonedx.org/bom", bom)), { format: "cyclonedx", document: bom }],
    ["in a bundle", { dsseEnvelope: wrapped(statement("https://spdx.dev/Document", spdx("x"))) }, spdxBill],
    ["of how it was built", statement("https://slsa.dev/provenance/v1", { builder: {} }), undefined],
    ["of something else", { hello: "world" }, undefined],
    ["that is null", null, undefined],
    ["that is a list", [], undefined],
  ];
  for (const [what, content, bill] of cases)
    it(`${what} is ${bill === undefined ? "none" : "taken"}`, () =>
      assert.deepEqual(billIn(Buffer.from(JSON.stringify(content)), "It"), bill));
  it("that is no JSON is malformed", () => assert.throws(() => billIn(Buffer.from("<html>"), "It"), { reason: "malformed" }));
});
