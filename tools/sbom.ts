/** `node tools/sbom.ts`: writes dist/sbom.cdx.json, the packages that are bundled into the program and its web app, as CycloneDX 1.6. */
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LockedPackage, lockedPackages, resolvedFrom, withAllNeeded } from "./locked-packages.ts";

const ROOT = join(import.meta.dirname, "..");
const OUTPUT = "dist/sbom.cdx.json";

/** A document of CycloneDX, of which this is what we write. Source: ECMA-424, and https://cyclonedx.org/docs/1.6/json/. */
interface Document {
  $schema: string;
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  serialNumber: string;
  version: number;
  metadata: object;
  components: object[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** The program's own name, version and licence, and the names of the packages that it imports. */
export interface Program {
  name: string;
  version: string;
  license: string;
  imports: readonly string[];
}

/** Writes the document. The same lock file and sources give the same bytes. */
export function writeSbom(): void {
  const document = sbomOf(program(), lockedPackages());
  mkdirSync(dirname(join(ROOT, OUTPUT)), { recursive: true });
  writeFileSync(join(ROOT, OUTPUT), `${JSON.stringify(document, null, 2)}\n`);
}

/** What package.json says of the program; it imports its dependencies, and what the web app's sources name. */
export function program(): Program {
  const { name, version, license, dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Omit<
    Program,
    "imports"
  > & { dependencies: Record<string, string> };
  return { name, version, license, imports: [...new Set([...Object.keys(dependencies), ...importsOfWebApp()])].sort() };
}

/** Names of packages in the web app's imports, those of its styles included. */
function importsOfWebApp(): string[] {
  const files = globSync("web/src/**/*.{ts,tsx,css}", { cwd: ROOT, exclude: ["**/*.test.{ts,tsx}"] });
  return files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:\bfrom|\bimport|@import) ?\(?"((?:@[\w.-]+\/)?[\w][\w.-]*)[^"]*"/g)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "node"),
  );
}

export function sbomOf({ name, version, license, imports }: Program, packages: ReadonlyMap<string, LockedPackage>): Document {
  const bundled = withAllNeeded(imports, packages);
  const root = `pkg:npm/${name}@${version}`;
  const refOf = ({ path }: LockedPackage): string => `${root}#${path}`;
  const content = {
    metadata: {
      component: { type: "application", "bom-ref": root, name, version, licenses: licensesOf(license), purl: root },
      lifecycles: [{ phase: "build" }],
    },
    components: bundled.map((each) => ({
      type: "library",
      "bom-ref": refOf(each),
      ...namesOf(each.name),
      version: each.version,
      scope: "required",
      hashes: hashesOf(each.integrity),
      licenses: licensesOf(each.license),
      purl: packageUrlOf(each),
    })),
    dependencies: [
      { ref: root, dependsOn: resolvedFrom("", imports, packages).map(refOf) },
      ...bundled.map((each) => ({ ref: refOf(each), dependsOn: resolvedFrom(each.path, each.needs, packages).map(refOf) })),
    ],
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

function namesOf(name: string): { group?: string; name: string } {
  const [scope, own] = name.split("/", 2);
  return scope === undefined || own === undefined ? { name } : { group: scope, name: own };
}

/** Source: the purl specification, type npm: the `@` of a scope is encoded. */
export function packageUrlOf({ name, version }: Pick<LockedPackage, "name" | "version">): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${encodeURIComponent(version)}`;
}

const ALGORITHMS: Readonly<Record<string, string>> = { sha1: "SHA-1", sha256: "SHA-256", sha384: "SHA-384", sha512: "SHA-512" };

/** Source: W3C, Subresource Integrity. */
function hashesOf(integrity = ""): { alg: string; content: string }[] {
  return integrity.split(/\s+/).flatMap((each) => {
    const [, algorithm = "", digest = ""] = /^(\w+)-([A-Za-z0-9+/=]+)$/.exec(each) ?? [];
    const alg = ALGORITHMS[algorithm];
    return alg === undefined ? [] : { alg, content: Buffer.from(digest, "base64").toString("hex") };
  });
}

/** One id of SPDX, or an expression of several. */
function licensesOf(license: string | undefined): object[] {
  if (license === undefined) return [];
  return /^[\w.+-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }];
}

/** The same content has the same number. Source: RFC 9562, section 5.8. */
function uuidOf(content: string): string {
  const bytes = createHash("sha256").update(content).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

if (import.meta.main) writeSbom();
