import { isDeepStrictEqual } from "node:util";
import { type BulkOutcome, createItemFaults } from "../../../http/bulk.ts";
import { type Certificate, newCertificate, notChecked, type SavedCertificate } from "../certificate.ts";
import { certificateTargetKey } from "../../../observations.ts";
import type { CertificateItem } from "./api.ts";

/** What becomes of an item of a bulk operation; `previous` is the monitor that it means. */
export interface Plan {
  key: string;
  outcome: BulkOutcome;
  previous: SavedCertificate | undefined;
  next: Certificate;
}

/**
 * What becomes of each item. It means the monitor of its key, else the one of its domain, port and server name, which then takes the key and follows no
 * endpoint or label any more. Throws `unusable_values` with all items whose peer another monitor has.
 */
export function planAll(items: readonly CertificateItem[], known: readonly SavedCertificate[], now: Date): Plan[] {
  const byKey = new Map(known.flatMap((each) => (each.callerKey === null ? [] : [[each.callerKey, each] as const])));
  const byPeer = new Map(known.map((each) => [certificateTargetKey(each), each]));
  const faults = createItemFaults("certificates");
  const plans = items.map((item, index): Plan => {
    const settings = settingsOf(item);
    const atPeer = byPeer.get(certificateTargetKey(settings));
    const ofKey = byKey.get(item.key);
    const previous = ofKey ?? atPeer;
    if (atPeer !== undefined && (atPeer !== previous || (atPeer.callerKey !== null && atPeer.callerKey !== item.key)))
      faults.add(index, item.key, { path: "domain", message: watchedBy(atPeer) });
    return planOf(previous, { ...settings, callerKey: item.key }, now);
  });
  faults.refuse();
  return plans;
}

type Settings = ReturnType<typeof settingsOf> & { callerKey: string };

function planOf(previous: SavedCertificate | undefined, settings: Settings, now: Date): Plan {
  const key = settings.callerKey;
  // Due at once.
  if (previous === undefined) return { key, outcome: "created", previous, next: newCertificate(settings, { now, dueAt: now }) };
  const { state: _, id: _id, createdAt: _created, updatedAt: _updated, ...before } = previous;
  if (isDeepStrictEqual(before, settings)) return { key, outcome: "unchanged", previous, next: previous };
  const isSamePeer = certificateTargetKey(previous) === certificateTargetKey(settings);
  const state = isSamePeer ? { ...previous.state, nextCheckAt: now } : notChecked(now);
  return { key, outcome: "updated", previous, next: { ...previous, ...settings, updatedAt: now, state } };
}

function settingsOf({ domain, port, server_name: serverName = domain, alert_thresholds_days, check_interval_seconds }: CertificateItem) {
  return {
    domain,
    port,
    serverName,
    agentId: null,
    source: "standalone" as const,
    endpointId: null,
    container: null,
    alerts: { severity: "critical" as const, channels: [], tags: [] },
    thresholdsDays: alert_thresholds_days,
    checkIntervalMs: check_interval_seconds * 1000,
  };
}

function watchedBy({ id, callerKey }: SavedCertificate): string {
  const by = callerKey === null ? `monitor ${id}` : `monitor ${id} under the key ${callerKey}`;
  return `This domain, port and server name are watched already, by ${by}`;
}
