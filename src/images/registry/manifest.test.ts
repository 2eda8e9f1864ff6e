import assert from "node:assert/strict";
import { test } from "node:test";
import { MANIFEST_TYPES } from "./manifests.ts";

test("manifests are asked for by the registered names of OCI's and Docker's types", () => {
  // https://github.com/opencontainers/image-spec/blob/main/media-types.md, https://distribution.github.io/distribution/spec/manifest-v2-2/
  const oci = ["application/vnd.oci.image.index.v1+json", "application/vnd.oci.image.manifest.v1+json"];
  const docker = ["application/vnd.docker.distribution.manifest.list.v2+json", "application/vnd.docker.distribution.manifest.v2+json"];
  assert.deepEqual(new Set(MANIFEST_TYPES), new Set([...oci, ...docker]));
});
