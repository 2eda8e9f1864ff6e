import { DEFAULT_THRESHOLDS, THRESHOLD_BOUNDS, type ResourceMetric } from "../../../../src/contract/thresholds.ts";
import type { ThresholdsBody } from "../../../../src/monitoring/resources/api.ts";
import type { Thresholds } from "../../../../src/monitoring/resources/answers.ts";

type SetThresholds = Pick<Thresholds, "configured" | keyof ThresholdsBody>;

/** The thresholds as they are being typed. */
export interface ThresholdDraft {
  cpu: Level;
  memory: Level;
  debounce: string;
}

interface Level {
  isOn: boolean;
  /** Kept while it is off, so that it is there when it is turned on again. */
  percent: string;
}

export type ThresholdFaults = Partial<Record<keyof ThresholdsBody, string>>;

const { percent: PERCENT, debounceSeconds: DEBOUNCE_SECONDS } = THRESHOLD_BOUNDS;

/** What is set, ready to be edited. What is off shows what it would be; until something is set all is off. */
export function draftOf({ configured, cpu_threshold, memory_threshold, debounce_seconds }: SetThresholds): ThresholdDraft {
  const level = (threshold: number | null, otherwise: number): Level => ({
    isOn: configured && threshold !== null,
    percent: String(threshold ?? otherwise),
  });
  const cpu = level(cpu_threshold, DEFAULT_THRESHOLDS.cpu_threshold);
  return { cpu, memory: level(memory_threshold, DEFAULT_THRESHOLDS.memory_threshold), debounce: String(debounce_seconds) };
}

/** The draft with one figure's threshold moved; moved, it is on. */
export function withPercent(draft: ThresholdDraft, metric: ResourceMetric, percent: number): ThresholdDraft {
  return { ...draft, [metric]: { isOn: true, percent: String(percent) } };
}

/** Whether two drafts show the same. */
export function isSameDraft(one: ThresholdDraft, other: ThresholdDraft): boolean {
  const isSame = (metric: ResourceMetric): boolean =>
    one[metric].isOn === other[metric].isOn && one[metric].percent === other[metric].percent;
  return isSame("cpu") && isSame("memory") && one.debounce === other.debounce;
}

/** What the draft asks for, or what is wrong with it, field by field. */
export function readDraft(draft: ThresholdDraft): { body: ThresholdsBody } | { faults: ThresholdFaults } {
  const cpu = readPercent(draft.cpu);
  const memory = readPercent(draft.memory);
  const debounce = readNumber(draft.debounce, "s");
  const faults: ThresholdFaults = {};
  if (cpu === undefined) faults.cpu_threshold = PERCENT_FAULT;
  if (memory === undefined) faults.memory_threshold = PERCENT_FAULT;
  const isDebounce = debounce !== undefined && Number.isInteger(debounce) && isWithin(debounce, DEBOUNCE_SECONDS);
  if (!isDebounce) faults.debounce_seconds = `A whole number of seconds, ${DEBOUNCE_SECONDS.min} to ${DEBOUNCE_SECONDS.max}.`;
  if (cpu === undefined || memory === undefined || !isDebounce) return { faults };
  return { body: { cpu_threshold: cpu, memory_threshold: memory, debounce_seconds: debounce } };
}

const PERCENT_FAULT = `A percentage from ${PERCENT.min} to ${PERCENT.max}.`;

/** The percentage that a level shows, for as long as it is one. */
export function percentOf({ isOn, percent }: Level): number | undefined {
  const value = readNumber(percent, "%");
  return isOn && value !== undefined && isWithin(value, PERCENT) ? value : undefined;
}

/** null is off, undefined cannot be understood. */
function readPercent(level: Level): number | null | undefined {
  return level.isOn ? percentOf(level) : null;
}

/** A number as people write it: with its unit or without, with a point or a comma. */
function readNumber(text: string, unit: string): number | undefined {
  const digits = text.trim().replace(unit, "").trim().replace(",", ".");
  return /^\d+(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}

function isWithin(value: number, { min, max }: { min: number; max: number }): boolean {
  return value >= min && value <= max;
}

/** Which figures are watched. */
export function watchedOf({ configured, cpu_threshold, memory_threshold }: SetThresholds): ResourceMetric[] {
  if (!configured) return [];
  return [...(cpu_threshold === null ? [] : ["cpu" as const]), ...(memory_threshold === null ? [] : ["memory" as const])];
}

/** `above 90 % since 03:12, peak 97 %`, of the figure whose threshold is exceeded. */
export function breachOf(thresholds: Thresholds, metric: ResourceMetric): { threshold: number; since: string; peak: number } | null {
  const breach = metric === "cpu" ? thresholds.cpu_breach : thresholds.memory_breach;
  const threshold = metric === "cpu" ? thresholds.cpu_threshold : thresholds.memory_threshold;
  return breach === null || threshold === null ? null : { threshold, ...breach };
}
