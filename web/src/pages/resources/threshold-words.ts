import type { ThresholdsBody } from "../../../../src/monitoring/resources/api.ts";
import { formatPercent } from "../../format/number.ts";
import { formatAge } from "../../format/time.ts";

/** `CPU 90 % · memory 85 %`. */
export function limitWords({
  cpu_threshold: cpu,
  memory_threshold: memory,
}: Pick<ThresholdsBody, "cpu_threshold" | "memory_threshold">): string {
  const limits = [cpu === null ? null : `CPU ${formatPercent(cpu)}`, memory === null ? null : `memory ${formatPercent(memory)}`];
  return limits.filter((limit) => limit !== null).join(" · ") || "off";
}

/** How long usage must stay above a threshold: `immediately`, `1 min`. */
export function durationWords(seconds: number): string {
  return seconds === 0 ? "immediately" : formatAge(seconds * 1000);
}
