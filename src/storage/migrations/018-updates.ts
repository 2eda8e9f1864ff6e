import type { Migration } from "./migration.ts";

/**
 * What registries said of images, what people decided about them, and the scans. Times as in 001.
 *
 * `update_images` holds one row for each name of an image with its platform and the registry asked in place of its own; `facts` is JSON, packed.
 * `update_enrichments` is what is known of the content that runs against the content that is available: `outline` is JSON of few bytes that is kept
 * in memory, `details` packed JSON that is read when somebody asks. `update_scan_claim` has one row, which a program makes its own to scan.
 * `host` is `local` or an agent's UUID.
 */
export const updates: Migration = {
  name: "018-updates",
  statements: ({ generatedKey, bytes }) => [
    `CREATE TABLE update_images (
      subject TEXT PRIMARY KEY,
      facts ${bytes} NOT NULL,
      checked_at BIGINT NOT NULL
    )`,
    `CREATE TABLE update_enrichments (
      subject TEXT PRIMARY KEY,
      outline TEXT NOT NULL,
      details ${bytes} NOT NULL,
      checked_at BIGINT NOT NULL
    )`,
    `CREATE TABLE update_pins (
      id ${generatedKey},
      host TEXT NOT NULL,
      container_id BIGINT NOT NULL,
      container_name TEXT NOT NULL,
      reason TEXT,
      tag TEXT,
      digest TEXT,
      pinned_at BIGINT NOT NULL,
      UNIQUE (host, container_name)
    )`,
    `CREATE TABLE update_exclusions (
      id ${generatedKey},
      image TEXT NOT NULL UNIQUE,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE update_scans (
      id ${generatedKey},
      scan_id TEXT NOT NULL UNIQUE,
      started_by TEXT NOT NULL,
      status TEXT NOT NULL,
      failure TEXT,
      started_at BIGINT NOT NULL,
      completed_at BIGINT,
      total BIGINT NOT NULL,
      scanned BIGINT NOT NULL,
      updates_found BIGINT NOT NULL,
      errors TEXT NOT NULL
    )`,
    `CREATE TABLE update_scan_claim (
      id BIGINT PRIMARY KEY,
      scan_id TEXT,
      alive_at BIGINT NOT NULL
    )`,
    "INSERT INTO update_scan_claim (id, scan_id, alive_at) VALUES (1, NULL, 0)",
  ],
};
