import { CERTIFICATE_BOUNDS } from "../../../../../src/contract/certificate.ts";
import type { CertificateRecord } from "../../../../../src/monitoring/certificates/answers.ts";

const { interval, mostThresholds, mostDays } = CERTIFICATE_BOUNDS;

/** When to alert and how often to check, as it is being typed. */
export interface WatchingDraft {
  /** `30, 14, 7, 3, 1` */
  days: string;
  hours: string;
}

type Watching = Pick<CertificateRecord, "alert_thresholds_days" | "check_interval_seconds">;
export type WatchingFaults = Partial<Record<keyof Watching, string>>;

/** The fields that a fault of the server can stand beside. */
export const WATCHING_FIELDS = ["alert_thresholds_days", "check_interval_seconds"];

export function watchingOf({ alert_thresholds_days, check_interval_seconds }: Watching): WatchingDraft {
  return { days: alert_thresholds_days.join(", "), hours: String(Math.round((check_interval_seconds / 3600) * 1000) / 1000) };
}

/** What the draft asks for that is other than what is set, or what is wrong with it. An interval is not shown to the second, so one that was not changed is left out. */
export function readWatching(draft: WatchingDraft, asSet?: WatchingDraft): { body: Partial<Watching> } | { faults: WatchingFaults } {
  const faults: WatchingFaults = {};
  const words = draft.days.split(/[\s,]+/).filter((word) => word !== "");
  const days = [...new Set(words.map((word) => (/^\d+$/.test(word) ? Number(word) : Number.NaN)))].toSorted((a, b) => b - a);
  if (days.length === 0 || days.length > mostThresholds || !days.every((day) => day >= 1 && day <= mostDays))
    faults.alert_thresholds_days = `1 to ${mostThresholds} whole numbers of days, each from 1 to ${mostDays}.`;
  const hours = /^\d+(?:[.,]\d+)?$/.test(draft.hours.trim()) ? Number(draft.hours.trim().replace(",", ".")) : Number.NaN;
  const seconds = Math.round(hours * 3600);
  if (!(seconds >= interval.min && seconds <= interval.max)) faults.check_interval_seconds = "From a minute (0.017) to a week (168).";
  if (Object.keys(faults).length > 0) return { faults };
  return {
    body: {
      ...(draft.days !== asSet?.days && { alert_thresholds_days: days }),
      ...(draft.hours !== asSet?.hours && { check_interval_seconds: seconds }),
    },
  };
}
