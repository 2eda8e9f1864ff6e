import { HEALTH_OUTPUT_CHARACTERS, type HealthFailure } from "../../observations.ts";
import { maskKeyLines, maskText } from "../../platform/secrets.ts";
import { cleanText, lastLines } from "../../platform/text.ts";
import type { ContainerAnswer } from "./schemas.ts";

/** Docker keeps 4,096 bytes of the output of a run. */
const MAX_READ_CHARACTERS = 4096;

/** The last failed run among those that the engine keeps; null when none failed. Its output is cleaned, its secrets are masked, and its last lines are kept. */
export function healthFailureOf({ Health, Healthcheck }: ContainerAnswer["State"]): HealthFailure | null {
  const runs = Health?.Log ?? Healthcheck?.Log ?? [];
  const failed = runs.findLast(({ ExitCode, End }) => ExitCode !== 0 && new Date(End).getTime() > 0);
  if (failed === undefined) return null;
  return { exitCode: failed.ExitCode, output: outputOf(failed.Output), endedAt: new Date(failed.End) };
}

function outputOf(raw: string): string {
  // Masked before it is cut: half of a secret would not be known for one.
  const lines = maskKeyLines(cleanText(raw.slice(0, MAX_READ_CHARACTERS), MAX_READ_CHARACTERS).split("\n"));
  return lastLines(maskText(lines.join("\n")), HEALTH_OUTPUT_CHARACTERS);
}
