import type { Change, Observed } from "./figure.ts";

/** What is worse, as one sentence; null when nothing is. */
export function regressionMessage(name: string, changes: readonly Change[]): string | null {
  const worse = changes.filter((change) => change.worse).map(({ text }) => text);
  return worse.length === 0 ? null : `${name} performs worse since its image changed: ${worse.join("; ")}.`;
}

/** Counted, since a rate of a quarter of an hour would be of a day that nobody saw. */
export function restartsText(after: Observed, before: Observed): string {
  const was = (before.figures.restartsPerDay ?? 0) * after.sizes.days;
  return `restarts ${after.sizes.restarts} in ${durationText(after.sizes.days)}, was ${trimmed(was, was < 10 ? 1 : 0)}`;
}

export function memoryText(bytes: number | null): string {
  const mebibytes = (bytes ?? 0) / 1024 ** 2;
  if (mebibytes >= 1024) return `${trimmed(mebibytes / 1024, 2)} GiB`;
  return mebibytes >= 1 ? `${trimmed(mebibytes, mebibytes < 10 ? 1 : 0)} MiB` : `${trimmed(mebibytes * 1024, 0)} KiB`;
}

export function cpuText(cores: number | null): string {
  return `${trimmed(cores ?? 0, 2)} cores`;
}

export function timeText(milliseconds: number | null): string {
  const value = milliseconds ?? 0;
  return value >= 10_000 ? `${trimmed(value / 1000, 1)} s` : `${trimmed(value, value < 10 ? 1 : 0)} ms`;
}

export function percentText(percent: number | null): string {
  return `${trimmed(percent ?? 0, 1)} %`;
}

function durationText(days: number): string {
  const minutes = Math.round(days * 1440);
  return minutes < 90 ? `${minutes} min` : `${trimmed(minutes / 60, 0)} h`;
}

function trimmed(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
