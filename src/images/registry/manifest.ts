import { createHash } from "node:crypto";
import type { z } from "zod";
import { RegistryError } from "../image.ts";
import { parseJson, readShape } from "./faults.ts";
import { anyManifestSchema, indexSchema, manifestSchema } from "./schemas.ts";

/** What a tag or a digest leads to. */
export type Manifest =
  | ({ kind: "image"; digest: string } & z.infer<typeof manifestSchema>)
  | ({ kind: "index"; digest: string } & z.infer<typeof indexSchema>);

/** What we can read, the newest first. */
export const MANIFEST_TYPES = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;

const SCHEMA_1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+/;

/** Throws when the type of an answer says that it is no manifest, or one of the kind that Docker gave up. `what` is whose it is. */
export function checkManifestType(contentType: string | undefined, what: string): void {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (SCHEMA_1.test(type)) throw schema1(what);
  if (type !== "" && !/^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type))
    throw new RegistryError(
      "malformed",
      `The registry answered with ${JSON.stringify(type.slice(0, 60))} when asked for the manifest of ${what}.`,
    );
}

/** Reads a manifest as it was sent. Throws a RegistryError when it is none. */
export function parseManifest(body: Buffer, contentType: string | undefined, digest: string, what: string): Manifest {
  checkManifestType(contentType, what);
  const name = `The manifest of ${what}`;
  const json = parseJson(body, name);
  const shape = readShape(json, anyManifestSchema, name);
  if (shape.schemaVersion === 1 || shape.fsLayers !== undefined) throw schema1(what);
  // What is both could be read as either, by its own choice. Source: CVE-2021-41190.
  if (shape.manifests !== undefined && shape.layers !== undefined)
    throw new RegistryError("malformed", `${name} is a list and an image at once.`);
  if (shape.manifests !== undefined) return { kind: "index", digest, ...readShape(json, indexSchema, name) };
  return { kind: "image", digest, ...readShape(json, manifestSchema, name) };
}

/** Of bytes, in the algorithm of a digest. */
export function digestLike(body: Buffer, digest: string): string {
  const algorithm = digest.startsWith("sha512:") ? "sha512" : "sha256";
  return `${algorithm}:${createHash(algorithm).update(body).digest("hex")}`;
}

function schema1(what: string): RegistryError {
  return new RegistryError(
    "refused",
    `${what} has a manifest of schema 1, which Docker gave up in 2019: it must be pushed again to be looked at.`,
  );
}
