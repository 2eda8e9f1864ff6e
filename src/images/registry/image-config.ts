import type { z } from "zod";
import type { ImageConfig } from "../image.ts";
import type { configSchema } from "./schemas.ts";

/** Docker's first year: what says that it is older was built so that it always looks the same. */
const FIRST_YEAR = 2013;
const BOUNDS = { labels: 500, labelLength: 8192, lines: 2000, lineLength: 8192 };

/** What a configuration says, within bounds. */
export function imageConfig({ os, architecture, variant, created, config }: z.infer<typeof configSchema>): ImageConfig {
  const labels = Object.entries(config?.Labels ?? {}).slice(0, BOUNDS.labels);
  return {
    platform: os && architecture ? { os, architecture, variant: variant || null } : null,
    createdAt: builtAt(created),
    labels: Object.fromEntries(labels.map(([name, value]) => [name.slice(0, 255), value.slice(0, BOUNDS.labelLength)])),
    environment: bounded(config?.Env) ?? [],
    command: bounded(config?.Cmd),
    entrypoint: bounded(config?.Entrypoint),
  };
}

function bounded(lines: readonly string[] | null | undefined): string[] | null {
  return lines?.slice(0, BOUNDS.lines).map((line) => line.slice(0, BOUNDS.lineLength)) ?? null;
}

function builtAt(created: string | null | undefined): Date | null {
  const at = /^\d{4}-\d\d-\d\dT/.test(created ?? "") ? new Date(created ?? "") : null;
  return at === null || Number.isNaN(at.getTime()) || at.getUTCFullYear() < FIRST_YEAR ? null : at;
}
