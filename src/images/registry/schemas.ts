/** What registries, token servers and Docker's configuration say, as it must look to be taken. */
import { z } from "zod";
import { isDigest } from "./reference.ts";

const digest = z.string().refine(isDigest);
const mediaType = z.string().max(255);
const annotations = z.record(z.string(), z.string()).nullish();

const descriptor = z.object({
  mediaType: mediaType.nullish(),
  digest,
  size: z.number().int().min(0).nullish(),
  annotations,
  artifactType: mediaType.nullish(),
});

const platform = z.object({ os: z.string().max(100), architecture: z.string().max(100), variant: z.string().max(100).nullish() });

export const indexSchema = z.object({
  manifests: z.array(descriptor.extend({ platform: platform.nullish() })).max(5000),
  annotations,
});
export type IndexEntry = z.infer<typeof indexSchema>["manifests"][number];

export const manifestSchema = z.object({
  config: descriptor,
  layers: z.array(descriptor).max(1000),
  annotations,
  artifactType: mediaType.nullish(),
});

/** Enough to know what a manifest is before it is read as that. */
export const anyManifestSchema = z.looseObject({
  schemaVersion: z.number().optional(),
  manifests: z.unknown().optional(),
  layers: z.unknown().optional(),
  fsLayers: z.unknown().optional(),
});

const lines = z.array(z.string()).max(5000).nullish();
export const configSchema = z.object({
  os: z.string().max(100).nullish(),
  architecture: z.string().max(100).nullish(),
  variant: z.string().max(100).nullish(),
  created: z.string().max(100).nullish(),
  config: z.object({ Labels: z.record(z.string(), z.string()).nullish(), Env: lines, Cmd: lines, Entrypoint: lines }).nullish(),
});

export const tagsSchema = z.object({ tags: z.array(z.string()).nullish() });

export const tokenSchema = z.object({
  token: z.string().nullish(),
  access_token: z.string().nullish(),
  expires_in: z.number().nullish(),
});

/** Docker's config.json, and the files of its relatives. */
export const credentialFileSchema = z.object({
  auths: z
    .record(
      z.string(),
      z.object({
        auth: z.string().nullish(),
        username: z.string().nullish(),
        password: z.string().nullish(),
        identitytoken: z.string().nullish(),
        registrytoken: z.string().nullish(),
      }),
    )
    .nullish(),
  credHelpers: z.record(z.string(), z.string()).nullish(),
  credsStore: z.string().nullish(),
});
export type CredentialFile = z.infer<typeof credentialFileSchema>;

export const statementSchema = z.object({ predicateType: z.string(), predicate: z.unknown() });
/** Around a statement that is signed. Source: DSSE, and Sigstore's bundle. */
const envelope = z.object({ payload: z.string() });
export const envelopeSchema = z.union([envelope, z.object({ dsseEnvelope: envelope }).transform(({ dsseEnvelope }) => dsseEnvelope)]);
