import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { SEVERITIES } from "../../images/index.ts";
import { updateType, updateStatus } from "./api.ts";
import { MOST_SCAN_ERRORS } from "./known-image.ts";

const count = z.number().int().min(0);
const text = z.string();

export const vulnerability = z.object({
  id: text.meta({ description: "a CVE number where there is one, else the id in the database" }),
  osv_id: text,
  package: text,
  ecosystem: text,
  version: text,
  score: z.number().min(0).max(10).nullable().meta({ description: "computed from the CVSS vector of the record; null when it has none" }),
  vector: text.nullable(),
  severity: z
    .enum(SEVERITIES)
    .nullable()
    .meta({ description: "by the score, else as the distribution rates it; null when there is no rating" }),
  fixed_in: text.nullable().meta({ description: "the first version of the package without it" }),
  fixed_by_update: z
    .boolean()
    .nullable()
    .meta({ description: "the available image does not have it; null when nothing is available or that is not known" }),
  summary: text,
  url: text,
  published_at: text.nullable(),
});
export type VulnerabilityRecord = z.infer<typeof vulnerability>;

const severityCounts = z.object({ critical: count, high: count, medium: count, low: count, none: count, unknown: count });

export const cves = z.object({
  known: z.boolean().meta({ description: "the packages and the database could be read; else the list may be incomplete" }),
  source: z.enum(["sbom", "layers"]).nullable().meta({ description: "where the package list comes from" }),
  packages: count,
  note: text.nullable(),
  counts: severityCounts,
  fixed_by_update: count.nullable(),
  new_in_update: count.nullable().meta({ description: "vulnerabilities that only the available image has" }),
  vulnerabilities: z.array(vulnerability).meta({ description: "worst first, at most 500; in lists at most 5" }),
  checked_at: timestamp,
});
export type Cves = z.infer<typeof cves>;

const riskLevel = z.enum(["low", "medium", "high", "critical"]);
export type RiskLevel = z.infer<typeof riskLevel>;
const riskPart = z.object({
  name: z.enum(["update_type", "worst_cve", "exposure", "restarts", "age"]),
  points: count,
  of: count.meta({ description: "the most that this part can give" }),
  known: z.boolean().meta({ description: "false: its points could be more, since what would give them was not seen" }),
  why: text,
});
export type RiskPart = z.infer<typeof riskPart>;

const changelogEntry = z.object({
  version: text,
  title: text,
  url: text.nullable(),
  published_at: text.nullable(),
  text: text.meta({ description: "Markdown as its authors wrote it, cut; never to be shown as HTML" }),
  breaking: z.array(text).meta({ description: "the sentences about breaking changes" }),
});
export const changelog = z.object({ entries: z.array(changelogEntry), url: text.nullable(), note: text.nullable() });
export type ChangelogRecord = z.infer<typeof changelog>;

const command = z
  .object({
    text: text.meta({ description: "shell-quoted, of one or more lines" }),
    note: text.nullable().meta({ description: "what it does not do, or needs" }),
  })
  .nullable()
  .meta({ description: "null where none can be given" });

const figures = z.object({
  restarts_per_day: z.number().nullable(),
  failed_checks_percent: z.number().nullable(),
  response_time_ms: z.number().nullable(),
  cpu_cores_used: z.number().nullable(),
  memory_bytes: z.number().nullable(),
});

export const comparison = z.object({
  id: count,
  container_id: count,
  container_name: text,
  agent_id: z.uuid().nullable(),
  previous_image: text,
  previous_digest: text.nullable(),
  image: text,
  digest: text.nullable(),
  changed_at: timestamp,
  compared_at: timestamp.nullable(),
  window_seconds: count.meta({ description: "how long before and after the change was compared" }),
  verdict: z.enum(["pending", "unchanged", "better", "worse", "unknown"]),
  before: figures.nullable(),
  after: figures.nullable(),
  changes: z.array(
    z.object({ figure: z.enum(["state", "restarts", "failed_checks", "response_time", "cpu", "memory"]), worse: z.boolean(), text }),
  ),
});
export type ComparisonRecord = z.infer<typeof comparison>;

export const update = z.object({
  id: count,
  scan_id: z.uuid().nullable(),
  container_id: count,
  container_name: text,
  agent_id: z.uuid().nullable(),
  group: text,
  image: text,
  registry: text.nullable(),
  current_tag: text.nullable(),
  current_digest: text.nullable(),
  available_tag: text.nullable(),
  available_digest: text.nullable(),
  update_type: updateType.nullable(),
  status: updateStatus,
  status_reason: text
    .nullable()
    .meta({ description: "why it is pinned, excluded or not asked about, or what keeps the rest from being sure" }),
  pinned_by: z.enum(["person", "label"]).nullable().meta({ description: "a pin by a person is taken away here, one by a label there" }),
  published_at: timestamp.nullable().meta({ description: "when the available image was built, by its own metadata" }),
  source_url: text.nullable(),
  changelog_url: text.nullable(),
  changelog: changelog.nullable().meta({ description: "Pro; in lists null" }),
  risk_score: z.number().int().min(0).max(100).nullable().meta({ description: "Pro" }),
  risk_level: riskLevel.nullable().meta({ description: "Pro" }),
  risk_level_at_most: riskLevel.nullable().meta({ description: "Pro; what the level would be if all that is not known were at its worst" }),
  risk_parts: z.array(riskPart).nullable().meta({ description: "Pro; they add up to the score" }),
  cves: cves.nullable().meta({ description: "Pro; of the image that runs" }),
  update_command: command,
  rollback_command: command.meta({
    description:
      "while something is available: from there to what runs now; else to what ran before the image last changed; always by digest",
  }),
  comparison: comparison.nullable().meta({ description: "how it did since its image last changed" }),
  detected_at: timestamp.nullable().meta({ description: "when what is available was first seen" }),
  checked_at: timestamp.nullable(),
  check_error: text.nullable(),
});
export type UpdateRecord = z.infer<typeof update>;

export const updateList = z.object({ updates: z.array(update), total: count, has_more: z.boolean() });
export type UpdateList = z.infer<typeof updateList>;

export const scanError = z.object({ image: text, error: text });
export const scan = z.object({
  scan_id: z.uuid(),
  trigger: z.enum(["schedule", "manual"]),
  status: z.enum(["running", "completed", "failed"]),
  started_at: timestamp,
  completed_at: timestamp.nullable(),
  failure: text.nullable().meta({ description: "why it failed as a whole" }),
  total: count.meta({ description: "images, each however many containers run it" }),
  scanned: count,
  updates_found: count,
  errors: z.array(scanError).max(MOST_SCAN_ERRORS).meta({ description: "the first of them" }),
});
export type ScanRecord = z.infer<typeof scan>;

export const scanStarted = z.object({ scan_id: z.uuid(), status: z.literal("running") });

export const updateSummary = z.object({
  last_scan_at: timestamp.nullable(),
  last_scan: scan.nullable(),
  next_scan_at: timestamp.nullable(),
  scanning: scan.nullable().meta({ description: "the scan that runs now" }),
  counts: z.object({
    major: count,
    minor: count,
    patch: count,
    digest: count,
    pinned: count,
    excluded: count,
    up_to_date: count,
    unknown: count,
  }),
  studying: z
    .object({ total: count, done: count })
    .nullable()
    .meta({ description: "Pro: images whose vulnerabilities and release notes are being looked up, after a scan" }),
  fixing_critical: count.nullable().meta({ description: "Pro: available updates that mend a critical vulnerability" }),
  cve_counts: severityCounts.nullable().meta({ description: "Pro: each vulnerability once an image that runs" }),
});
export type UpdateSummary = z.infer<typeof updateSummary>;

export const dryRun = z.object({
  images: z.array(
    z.object({
      image: text,
      containers: z.array(z.object({ id: count, name: text, agent_id: z.uuid().nullable() })),
      mode: z.enum(["semver", "digest"]).nullable(),
      candidates_filter: text.nullable().meta({ description: "which tags count, as a sentence" }),
      registry: text.nullable(),
      skipped_reason: text.nullable(),
    }),
  ),
});
export type DryRun = z.infer<typeof dryRun>;
export const pin = z.object({
  container_id: count,
  container_name: text,
  pinned_at: timestamp,
  reason: text.nullable(),
  tag: text.nullable(),
  digest: text.nullable(),
});
export type PinRecord = z.infer<typeof pin>;
export const exclusion = z.object({
  id: count,
  image: text,
  matches: count.meta({ description: "containers that it holds for now" }),
  created_at: timestamp,
});
export type ExclusionRecord = z.infer<typeof exclusion>;
export const exclusionList = z.object({ exclusions: z.array(exclusion), total: count });
export type ExclusionList = z.infer<typeof exclusionList>;
