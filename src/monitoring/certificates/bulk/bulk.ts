import { countOutcomes } from "../../../http/bulk.ts";
import { BulkAnswer } from "../../../http/route.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import type { SavedCertificate } from "../certificate.ts";
import { certificateRecord } from "../records.ts";
import type { Register } from "../register.ts";
import type { Scanning } from "../scanning.ts";
import type { CertificateItem } from "./api.ts";
import type { CertificateBulkAnswer } from "./answers.ts";
import { type Plan, planAll } from "./plan.ts";

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
