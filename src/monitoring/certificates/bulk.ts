import { isDeepStrictEqual } from "node:util";
import { countOutcomes, type BulkOutcome, createItemFaults } from "../../http/bulk.ts";
import { BulkAnswer } from "../../http/route.ts";
import { certificateTargetKey } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { type SavedCertificate, type Certificate, newCertificate, notChecked } from "./certificate.ts";
import { certificateRecord } from "./records.ts";
import type { Register } from "./register.ts";
import type { Scanning } from "./scanning.ts";
import type { CertificateBody, CertificateItem } from "./api.ts";
import type { CertificateBulkAnswer } from "./answers.ts";

export interface CertificateBulkParts {
  register: Register;
  scanning: Pick<Scanning, "wake">;
  clock: Clock;
}

/** Creates and changes many certificate monitors, all of them or none; they are checked soon. Throws `unusable_values`, or `conflict` when others changed them meanwhile. */
export type CertificateBulk = (items: readonly CertificateItem[]) => Promise<BulkAnswer>;

/** Monitors come by labels and endpoints too, at any time. */
const ATTEMPTS = 3;

export function createCertificateBulk({ register, scanning, clock }: CertificateBulkParts): CertificateBulk {
  const local = (): SavedCertificate[] => [...register.all()].filter(({ agentId }) => agentId === null);

  /** Undefined when another change came between. */
  async function setUp(items: readonly CertificateItem[]): Promise<BulkAnswer | undefined> {
    const plans = planAll(items, local(), clock.now());
    const held = new Set(plans.flatMap(({ previous }) => (previous === undefined ? [] : [previous.id])));
    const release = await register.hold([...held]);
    try {
      const now = clock.now();
      const current = planAll(items, local(), now);
      if (current.some(({ previous }) => previous !== undefined && !held.has(previous.id))) return undefined;
      const saved = await register.setUp(current, now);
      return saved && answerOf(current, saved, now);
    } finally {
      release();
    }
  }

  return async (items) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const answer = await setUp(items);
      if (answer === undefined) continue;
      if (answer.changes.length > 0) scanning.wake();
      return answer;
    }
    throw new ServiceError(
      "conflict",
      "Some of these certificates were changed by others at the same time. Nothing was saved; send it again.",
    );
  };
}

function answerOf(plans: readonly Plan[], saved: readonly SavedCertificate[], now: Date): BulkAnswer {
  const certificates = plans.map(({ key, outcome }, index) => ({ key, id: saved[index]?.id ?? 0, outcome }));
  const answer: CertificateBulkAnswer = { certificates, ...countOutcomes(certificates) };
  const changes = plans.flatMap(({ outcome, previous }, index) => {
    const after = saved[index];
    if (outcome === "unchanged" || after === undefined) return [];
    return [{ ...(previous !== undefined && { before: certificateRecord(previous, now) }), after: certificateRecord(after, now) }];
  });
  return new BulkAnswer(answer, changes);
}

/** What becomes of an item of a bulk operation; `previous` is the monitor that it means. */
interface Plan {
  key: string;
  outcome: BulkOutcome;
  previous: SavedCertificate | undefined;
  next: Certificate;
}

/**
 * What becomes of each item. It means the monitor of its key, else the one of its domain, port and server name, which then takes the key and follows no
 * endpoint or label any more. Throws `unusable_values` with all items whose peer another monitor has.
 */
function planAll(items: readonly CertificateItem[], known: readonly SavedCertificate[], now: Date): Plan[] {
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

/** What a body says of a certificate that nothing but a person asks for. */
export function settingsOf({
  domain,
  port,
  server_name: serverName = domain,
  alert_thresholds_days,
  check_interval_seconds,
}: CertificateBody) {
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
