import type { Event, EventData } from "../../events.ts";
import { cleanName } from "../../platform/text.ts";
import { aboutContainer } from "../containers/index.ts";
import type { Entry } from "./projection.ts";
import type { Scan } from "./known-image.ts";

type UpdateData = EventData["update.changed"];

const LONGEST_MESSAGE = 500;

export function detectedEvent(entry: Entry, at: Date): Event {
  return { type: "update.detected", data: aboutUpdate(entry, at) };
}

export function changedEvent(entry: Entry, at: Date): Event {
  return { type: "update.changed", data: aboutUpdate(entry, at) };
}

export function pinEvent(what: "pinned" | "unpinned", entry: Entry, { at, reason }: { at: Date; reason: string | null }): Event {
  const data = aboutUpdate(entry, at);
  return what === "pinned" ? { type: "update.pinned", data: { ...data, reason } } : { type: "update.unpinned", data };
}

/** Of a container that is gone or ignored from now on: nothing is known of newer images for it any more. */
export function overEvent(entry: Entry, at: Date): Event {
  const standing = { status: "unknown" as const, reason: null, type: null, available: null, checkError: null };
  return changedEvent({ ...entry, standing, alerting: false }, at);
}

/** What somebody who saw it before would see changed. */
export function shownOf({ container, standing, alerting, known, outline }: Entry): string {
  const { status, reason, type, available, checkError } = standing;
  const { image, imageDigest } = container;
  return JSON.stringify([
    [image, imageDigest, status, reason, type, available?.tag, available?.digest, checkError, alerting],
    [known?.reference?.tag, outline?.cves?.counts, outline?.cves?.fixed_by_update, outline?.changelogUrl],
  ]);
}

/** A version that was never seen before, under whatever name: by tag, and by content where the tag is the same. */
export function isNewlySeen(entry: Entry): boolean {
  const { known, standing } = entry;
  return standing.status === "available" && standing.available?.seenAt === known?.checkedAt;
}

/** `web can be updated from 1.25.3 to 1.27.1 (minor).` null when nothing is available. */
export function messageOf({ container, standing, known }: Entry): string | null {
  const { type, available } = standing;
  if (type === null || available === null) return null;
  const current = known?.reference?.tag ?? "latest";
  const text =
    type === "digest"
      ? `${container.name} can be updated: its tag ${current} has a newer digest.`
      : `${container.name} can be updated from ${current} to ${available.tag} (${type}).`;
  return cleanName(text, LONGEST_MESSAGE);
}

export function scanEvent(what: "scan_started" | "scan_progress" | "scan_completed", scan: Scan, at: Date): Event {
  const data = {
    scan_id: scan.scanId,
    total: scan.total,
    scanned: scan.scanned,
    updates_found: scan.updatesFound,
    agent_id: null,
    timestamp: at.toISOString(),
  };
  if (what === "scan_started") return { type: "update.scan_started", data: { ...data, trigger: scan.trigger } };
  if (what === "scan_progress") return { type: "update.scan_progress", data };
  const status = scan.status === "completed" ? "completed" : "failed";
  return { type: "update.scan_completed", data: { ...data, status, errors: scan.errors.length } };
}

function aboutUpdate(entry: Entry, at: Date): UpdateData {
  const { container, standing, known, alerting } = entry;
  const { alert_severity: _, ...about } = aboutContainer(container, at);
  return {
    ...about,
    update_id: container.id,
    status: standing.status,
    update_type: standing.type,
    current_tag: known?.reference?.tag ?? null,
    current_digest: container.imageDigest,
    available_tag: standing.available?.tag ?? null,
    available_digest: standing.available?.digest ?? null,
    alerting,
    message: messageOf(entry),
  };
}
