import assert from "node:assert/strict";
import Fastify from "fastify";
import { addBodyParsers } from "../../../src/http/body-parsers.ts";
import { packagesOfBills } from "../../../src/images/packages/bill-of-materials.ts";
import { readNpmLock, readNpmPackage } from "../../../src/images/packages/managers/languages.ts";
import { readPackageUrl } from "../../../src/images/packages/url-package.ts";
import { RegistryError } from "../../../src/images/image.ts";
import { billIn } from "../../../src/images/registry/bills.ts";
import { parseManifest } from "../../../src/images/registry/manifests.ts";
import { judge } from "../../../src/images/vulnerabilities/affected.ts";
import { readRecord } from "../../../src/images/vulnerabilities/record.ts";
import { ServiceError } from "../../../src/platform/errors.ts";
import { parseEvent } from "../../../src/runtimes/docker/event.ts";
import type { Target } from "../target.ts";

const isRegistryError = (error: unknown): boolean => error instanceof RegistryError;

const sbom: Target = {
  name: "sbom",
  reads: "a list of packages that is attached to an image: SPDX, CycloneDX, or either in a signed statement; and package URLs",
  maxBytes: 8192,
  maxMs: 100,
  isRefusal: isRegistryError,
  run(input) {
    const url = readPackageUrl(input.toString("utf8"));
    if (url !== undefined) assert.ok(url.version !== "");
    const bill = billIn(input, "The list");
    const list = bill === undefined ? undefined : packagesOfBills({ bills: [bill], unread: 0 });
    for (const { name, version, ecosystem } of list?.packages ?? [])
      assert.ok([name, version, ecosystem].every((text) => typeof text === "string"));
  },
};

const DIGEST = `sha256:${"0".repeat(64)}`;
const PACKAGE = { ecosystem: "npm", name: "left-pad", version: "1.3.0" };

const json: Target = {
  name: "json",
  reads: "JSON of others: events of an engine, manifests, package.json and its lock, records of vulnerabilities",
  maxBytes: 8192,
  maxMs: 100,
  isRefusal: (error) => error instanceof SyntaxError || isRegistryError(error),
  run(input) {
    const text = input.toString("utf8");
    const event = parseEvent(text, { podman: false });
    if (event !== undefined) assert.ok(event.containerId !== "" && event.timeNs >= 0n);
    const value: unknown = JSON.parse(text);
    const record = readRecord(value);
    if (record !== undefined) judge(record, PACKAGE);
    readNpmPackage(text);
    for (const { name, version } of readNpmLock(text)) assert.ok(name !== "" && version !== "");
    parseManifest(input, undefined, DIGEST, "an image");
  },
};

const DEEPEST = 64;
const server = Fastify();
addBodyParsers(server, DEEPEST);
server.setErrorHandler((error, _request, reply) => {
  const status = error instanceof ServiceError ? 400 : ((error as { statusCode?: number }).statusCode ?? 500);
  return reply.code(status).send({});
});
/** What the server made of the last body. */
let given: unknown;
server.post("/", (request, reply) => {
  given = request.body;
  return reply.send({});
});

const body: Target = {
  name: "body",
  reads: "the body of a request: it is refused, or read as JSON.parse reads it",
  maxBytes: 4096,
  maxMs: 100,
  async run(payload) {
    const { statusCode, body: answer } = await server.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "application/json" },
      payload,
    });
    assert.ok(statusCode === 200 || (statusCode >= 400 && statusCode < 500), `answered with ${statusCode}: ${answer}`);
    if (statusCode !== 200 || payload.length === 0) return;
    assert.deepEqual(given, JSON.parse(payload.toString("utf8")));
    assert.ok(depthOf(given) <= DEEPEST && !reachesPrototype(given));
  },
};

function depthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

function reachesPrototype(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(reachesPrototype);
}

export const DOCUMENT_TARGETS: readonly Target[] = [sbom, json, body];
