import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Selectable } from "kysely";
import type { EnrichmentDetails, Outline } from "./enrichment.ts";
import type { KnownImage } from "./known-image.ts";
import type { Exclusion, Pin } from "./pin.ts";
import type { Scan } from "./scan.ts";
import type { EnrichmentRow, ExclusionRow, ImageRow, PinRow, ScanRow } from "./tables.ts";

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
