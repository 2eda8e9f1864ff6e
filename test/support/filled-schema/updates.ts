import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/contract/time.ts";
import { AGENT_ID, ago, json, NEWER_NGINX_DIGEST, NGINX_DIGEST, type Rows } from "./row.ts";

const REFERENCE = { registry: "docker.io", repository: "library/nginx", tag: "1.26.1", digest: null };
const NEWER = {
  tag: "1.27.0",
  digest: NEWER_NGINX_DIGEST,
  described: true,
  publishedAt: ago(4 * DAY_MS),
  sourceUrl: "https://github.com/nginx/nginx",
  seenAt: ago(2 * DAY_MS),
};
const IMAGE = {
  reference: REFERENCE,
  remote: null,
  contents: { [NGINX_DIGEST]: { platformDigest: NGINX_DIGEST, configDigest: `sha256:${"3c".repeat(32)}` } },
  choices: {
    [json([null, null, false, false, null, null])]: {
      plan: { mode: "semver", candidatesFilter: "versions like 1.26.1", skippedReason: null },
      newer: { tag: "1.27.0", type: "minor", available: NEWER },
    },
  },
  scanId: "4c2a8d7e-9a51-4b61-bb0f-1f5f0c6b8a01",
  checkedAt: ago(2 * HOUR_MS),
  error: null,
  note: null,
};
const VULNERABILITY = {
  id: "CVE-2026-1001",
  osv_id: "DEBIAN-CVE-2026-1001",
  package: "openssl",
  ecosystem: "Debian:12",
  version: "3.0.1-1",
  score: 8.1,
  vector: "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H",
  severity: "high",
  fixed_in: "3.0.2-1",
  fixed_by_update: true,
  summary: "A crafted certificate crashes the server.",
  url: "https://osv.dev/vulnerability/DEBIAN-CVE-2026-1001",
};
const CVES = {
  known: true,
  source: "layers",
  packages: 1,
  note: null,
  counts: { critical: 0, high: 1, medium: 0, low: 0, unknown: 0 },
  fixed_by_update: 1,
  new_in_update: 0,
  checked_at: new Date(ago(2 * HOUR_MS)).toISOString(),
  top: [VULNERABILITY],
  worstFixed: "high",
};
const ENTRY = {
  version: "1.27.0",
  title: "1.27.0",
  url: "https://github.com/nginx/nginx/releases/1.27.0",
  published_at: new Date(ago(4 * DAY_MS)).toISOString(),
  text: "HTTP/3 is faster.",
  breaking: [],
};
const OSV = {
  id: VULNERABILITY.osv_id,
  aliases: [VULNERABILITY.id],
  summary: VULNERABILITY.summary,
  details: null,
  severity: [],
  affected: [],
};
const FIGURES = { restartsPerDay: 0, failedChecksPercent: 0.1, responseTimeMs: 12.5, cpuCoresUsed: 0.2, memoryBytes: 50_000_000 };

/** Images, what is known of them, and what people decided about updates. */
export const UPDATES: Rows = {
  update_images: [{ subject: "nginx:1.26.1\n\nlinux/amd64", facts: zstdCompressSync(json(IMAGE)), checked_at: IMAGE.checkedAt }],
  update_enrichments: [
    {
      subject: ["docker.io/library/nginx", NGINX_DIGEST, "linux/amd64", `1.27.0@${NEWER_NGINX_DIGEST}`].join("\n"),
      outline: json({ cves: CVES, builtAt: ago(40 * DAY_MS), ecosystem: "nginx", changelogUrl: "https://github.com/nginx/nginx/releases" }),
      details: zstdCompressSync(
        json({
          vulnerabilities: [VULNERABILITY],
          changelog: { entries: [ENTRY], url: "https://github.com/nginx/nginx/releases", note: null },
        }),
      ),
      checked_at: ago(2 * HOUR_MS),
    },
  ],
  update_pins: [
    {
      id: 1,
      host: "local",
      container_id: 2,
      container_name: "shop-db-1",
      reason: "Until the data is moved.",
      tag: "16.3",
      digest: null,
      pinned_at: ago(6 * DAY_MS),
    },
    {
      id: 2,
      host: AGENT_ID,
      container_id: 3,
      container_name: "edge-proxy",
      reason: null,
      tag: null,
      digest: NGINX_DIGEST,
      pinned_at: ago(DAY_MS),
    },
  ],
  update_exclusions: [{ id: 1, image: "shop/*", created_at: ago(6 * DAY_MS) }],
  update_scans: [
    {
      id: 1,
      scan_id: IMAGE.scanId,
      started_by: "schedule",
      status: "completed",
      failure: null,
      started_at: ago(2 * HOUR_MS),
      completed_at: ago(2 * HOUR_MS - MINUTE_MS),
      total: 3,
      scanned: 3,
      updates_found: 1,
      errors: "[]",
    },
  ],
  update_scan_claim: [{ id: 1, scan_id: null, alive_at: ago(2 * HOUR_MS - MINUTE_MS) }],
  image_packages: [
    {
      digest: NGINX_DIGEST,
      format: 1,
      complete: 1,
      size: 80,
      bytes: gzipSync(json({ source: "layers", complete: true, note: null, packages: [["Debian:12", "openssl", "3.0.1-1"]] })),
      created_at: ago(2 * DAY_MS),
      used_at: ago(DAY_MS),
    },
  ],
  osv_records: [
    {
      id: OSV.id,
      modified: "2026-02-20T00:00:00Z",
      record: deflateSync(json({ shape: 1, record: OSV })),
      fetched_at: ago(DAY_MS),
      used_at: ago(DAY_MS),
    },
    { id: "DEBIAN-CVE-2026-1002", modified: "", record: null, fetched_at: ago(DAY_MS), used_at: ago(DAY_MS) },
  ],
  changelogs: [
    {
      source: "github.com/nginx/nginx",
      current_tag: "1.26.1",
      available_tag: "1.27.0",
      changelog: json({
        entries: [
          { version: ENTRY.version, title: ENTRY.title, url: ENTRY.url, publishedAt: ENTRY.published_at, text: ENTRY.text, breaking: [] },
        ],
        url: "https://github.com/nginx/nginx/releases",
        note: null,
      }),
      found: 1,
      etag: '"5f"',
      fetched_at: ago(DAY_MS),
    },
  ],
  image_runs: [
    {
      host: "local",
      name: "shop-web-1",
      container_id: 1,
      container_ids: json([1]),
      image: "nginx:1.26.1",
      image_digest: NGINX_DIGEST,
      image_id: `sha256:${"3c".repeat(32)}`,
      since: ago(8 * DAY_MS),
      started_at: ago(8 * DAY_MS),
      gone_at: null,
      comparison_id: 1,
    },
  ],
  update_comparisons: [
    {
      id: 1,
      host: "local",
      name: "shop-web-1",
      before_ids: json([1]),
      before_image: "nginx:1.26.0",
      before_digest: null,
      before_since: ago(20 * DAY_MS),
      before_until: ago(8 * DAY_MS),
      before_cpus: 2,
      image: "nginx:1.26.1",
      image_digest: NGINX_DIGEST,
      changed_at: ago(8 * DAY_MS),
      look: 4,
      due_at: null,
      compared_at: ago(7 * DAY_MS),
      window_ms: DAY_MS,
      verdict: "worse",
      figures: json({ before: FIGURES, after: { ...FIGURES, memoryBytes: 90_000_000 } }),
      changes: json([{ figure: "memory", worse: true, text: "90 MB instead of 50 MB of memory" }]),
      alerting: 0,
    },
  ],
};
