import type { Migration } from "./migration.ts";

/**
 * What images are made of, by the digest of their manifest: a cache, so that no image is read twice. `bytes` is the compressed list as written by
 * the reader of that `format`; another format is as good as no row. `used_at` is when it was last asked for, to the day. Times as in 001.
 */
export const imagePackages: Migration = {
  name: "019-image-packages",
  statements: ({ bytes }) => [
    `CREATE TABLE image_packages (
      digest TEXT PRIMARY KEY,
      format BIGINT NOT NULL,
      complete BIGINT NOT NULL,
      size BIGINT NOT NULL,
      bytes ${bytes} NOT NULL,
      created_at BIGINT NOT NULL,
      used_at BIGINT NOT NULL
    )`,
    "CREATE INDEX image_packages_use ON image_packages (used_at, digest, size)",
  ],
};
