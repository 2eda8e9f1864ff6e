import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Generated, Selectable } from "kysely";
import type { EnrichmentDetails, Outline } from "./enrichment.ts";
import type { KnownImage, Exclusion, Pin, Scan } from "./known-image.ts";

/** The columns of this feature's tables; see storage/migrations/018-updates.ts for their meaning. */
export interface UpdateTables {
  update_images: ImageRow;
  update_enrichments: EnrichmentRow;
  update_pins: PinRow;
  update_exclusions: ExclusionRow;
  update_scans: ScanRow;
  update_scan_claim: ClaimRow;
}

interface ImageRow {
  subject: string;
  facts: Uint8Array;
  checked_at: number;
}

interface EnrichmentRow {
  subject: string;
  outline: string;
  details: Uint8Array;
  checked_at: number;
}

interface PinRow {
  id: Generated<number>;
  host: string;
  container_id: number;
  container_name: string;
  reason: string | null;
  tag: string | null;
  digest: string | null;
  pinned_at: number;
}

interface ExclusionRow {
  id: Generated<number>;
  image: string;
  created_at: number;
}

interface ScanRow {
  id: Generated<number>;
  scan_id: string;
  started_by: string;
  status: string;
  failure: string | null;
  started_at: number;
  completed_at: number | null;
  total: number;
  scanned: number;
  updates_found: number;
  errors: string;
}

interface ClaimRow {
  id: number;
  scan_id: string | null;
  alive_at: number;
}

const LARGEST_BYTES = 64 * 1024 * 1024;

/** What is known of one image of some containers' choice, as it was kept. */
export interface KeptOutline {
  subject: string;
  outline: Outline;
  checkedAt: Date;
}

function pack(facts: unknown): Uint8Array {
  return zstdCompressSync(Buffer.from(JSON.stringify(facts)));
}

function unpack(bytes: Uint8Array): unknown {
  return JSON.parse(zstdDecompressSync(bytes, { maxOutputLength: LARGEST_BYTES }).toString());
}

export function imageToRow(subject: string, known: KnownImage): ImageRow {
  return { subject, facts: pack(known), checked_at: known.checkedAt };
}

/** These columns hold what toRow wrote, which is of these types. */
export function imageFromRow({ subject, facts }: Selectable<ImageRow>): { subject: string; known: KnownImage } {
  return { subject, known: unpack(facts) as KnownImage };
}

export function enrichmentToRow(subject: string, outline: Outline, details: EnrichmentDetails, now: Date): EnrichmentRow {
  return { subject, outline: JSON.stringify(outline), details: pack(details), checked_at: now.getTime() };
}

export function outlineFromRow({
  subject,
  outline,
  checked_at,
}: Pick<Selectable<EnrichmentRow>, "subject" | "outline" | "checked_at">): KeptOutline {
  return { subject, outline: JSON.parse(outline) as Outline, checkedAt: new Date(checked_at) };
}

export function detailsFromRow({ details }: Pick<Selectable<EnrichmentRow>, "details">): EnrichmentDetails {
  return unpack(details) as EnrichmentDetails;
}

export function pinToRow({ host, containerId, containerName, reason, tag, digest, at }: Omit<Pin, "id">): Omit<PinRow, "id"> {
  return { host, container_id: containerId, container_name: containerName, reason, tag, digest, pinned_at: at.getTime() };
}

export function pinFromRow(row: Selectable<PinRow>): Pin {
  const { id, host, container_id: containerId, container_name: containerName, reason, tag, digest, pinned_at } = row;
  return { id, host, containerId, containerName, reason, tag, digest, at: new Date(pinned_at) };
}

export function exclusionFromRow({ id, image, created_at }: Selectable<ExclusionRow>): Exclusion {
  return { id, image, at: new Date(created_at) };
}

export function scanToRow(scan: Scan): Omit<ScanRow, "id"> {
  return {
    scan_id: scan.scanId,
    started_by: scan.trigger,
    status: scan.status,
    failure: scan.failure,
    started_at: scan.startedAt.getTime(),
    completed_at: scan.completedAt?.getTime() ?? null,
    total: scan.total,
    scanned: scan.scanned,
    updates_found: scan.updatesFound,
    errors: JSON.stringify(scan.errors),
  };
}

export function scanFromRow(row: Selectable<ScanRow>): Scan {
  return {
    scanId: row.scan_id,
    trigger: row.started_by as Scan["trigger"],
    status: row.status as Scan["status"],
    failure: row.failure,
    startedAt: new Date(row.started_at),
    completedAt: row.completed_at === null ? null : new Date(row.completed_at),
    total: row.total,
    scanned: row.scanned,
    updatesFound: row.updates_found,
    errors: JSON.parse(row.errors) as Scan["errors"],
  };
}
