import type { UpdateStatus, UpdateType } from "../../events.ts";
import type { UpdateSettings } from "../../observations.ts";
import { type Available, type KnownImage, type Running, runsContent, settingsKey } from "./known-image.ts";

/** What people decided about a container's image. */
export interface Decisions {
  pin: { reason: string | null } | undefined;
  /** The pattern that excludes it. */
  exclusion: string | undefined;
}

/** How a container's image stands against what its registry has. */
export interface Standing {
  status: UpdateStatus;
  /** Why it is pinned, excluded or not asked about, or what keeps the rest from being sure. */
  reason: string | null;
  type: UpdateType | null;
  available: Available | null;
  checkError: string | null;
}

export interface StandingQuestion {
  running: Running;
  settings: UpdateSettings;
  known: KnownImage | undefined;
  decisions: Decisions;
}

const NOTHING = { reason: null, type: null, available: null, checkError: null } as const;

/** Decides how a container stands, from what is remembered alone. */
export function standingOf({ running, settings, known, decisions }: StandingQuestion): Standing {
  const kept = whyLeftOut(settings, decisions);
  if (kept !== undefined) return { ...NOTHING, status: "excluded", reason: kept };
  const found = findingOf(running, settings, known);
  const pinned = decisions.pin?.reason ?? (decisions.pin === undefined ? labelPin(settings) : "");
  if (pinned !== undefined) return { ...found, status: "pinned", reason: pinned || null };
  return found;
}

/** Why nothing is asked about a container at all; undefined when it is. */
export function whyLeftOut({ enabled }: UpdateSettings, { exclusion }: Pick<Decisions, "exclusion">): string | undefined {
  if (!enabled) return "Excluded by its label service.update.enabled.";
  return exclusion === undefined ? undefined : `Excluded by ${exclusion}.`;
}

function labelPin({ pin }: UpdateSettings): string | undefined {
  return pin === null ? undefined : `Pinned to ${pin} by its label service.update.pin.`;
}

function findingOf(running: Running, settings: UpdateSettings, known: KnownImage | undefined): Standing {
  if (known === undefined) return { ...NOTHING, status: "unknown", reason: "Not checked yet. The next scan checks it." };
  const choice = known.choices[settingsKey(settings)];
  const checkError = known.error;
  if (choice?.plan.skippedReason) {
    const byDigest = known.reference !== null && known.reference.tag === null && known.reference.digest !== null;
    return { ...NOTHING, status: byDigest ? "pinned" : "unknown", reason: choice.plan.skippedReason };
  }
  // What keeps it from being the newest there is.
  const reason = known.note;
  if (choice?.newer) return { status: "available", reason, type: choice.newer.type, available: choice.newer.available, checkError };
  if (choice === undefined && known.error === null && known.note === null)
    return { ...NOTHING, status: "unknown", reason: "Its update labels changed. The next scan checks it again." };
  const same = known.remote === null ? undefined : runsContent(running, known.remote.digest, known.contents);
  if (same === false) return { ...NOTHING, status: "available", type: "digest", available: known.remote, reason, checkError };
  if (checkError !== null) return { ...NOTHING, status: "unknown", checkError };
  if (same === true) return { ...NOTHING, status: "up_to_date", reason: known.note };
  return { ...NOTHING, status: "unknown", reason: known.note ?? whyNotCompared(running) };
}

function whyNotCompared({ imageDigest, imageId }: Running): string {
  if (imageDigest === null || imageDigest === imageId)
    return "Its host knows no digest of a registry for it, so that its content cannot be compared: it may have been built or loaded there.";
  return "Its image changed since the last scan. The next scan compares it.";
}

/** Whether it raises an alert. */
export function isAlerting({ status }: Standing, { alertOn }: UpdateSettings, fixesCritical: boolean): boolean {
  return status === "available" && (alertOn === "all" || (alertOn === "critical" && fixesCritical));
}
