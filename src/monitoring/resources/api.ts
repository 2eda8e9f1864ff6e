import { z } from "zod";
import { RANGE_NAMES } from "../../contract/ranges.ts";
import { DEFAULT_THRESHOLDS, RESOURCE_METRICS, THRESHOLD_BOUNDS } from "../../contract/thresholds.ts";
import { SCOPES } from "../../contract/scope.ts";
import { agentFilter, pathId, timestamp, wholeNumber } from "../../http/schemas.ts";
import { line } from "../../http/texts.ts";

export const metric = z.enum(RESOURCE_METRICS);

export const containerParams = z.strictObject({ id: pathId });

export const historyQuery = z.strictObject({ range: z.enum(RANGE_NAMES).default("1h") });

export const aroundQuery = z.strictObject({
  at: timestamp.meta({ description: "the moment; what was used from half an hour before it to half an hour after is answered" }),
});

export const thresholdListQuery = z.strictObject({ agent_id: agentFilter });

const threshold = z.number().min(THRESHOLD_BOUNDS.percent.min).max(THRESHOLD_BOUNDS.percent.max).nullable();

/** What is left out takes its default; null turns one off. */
export const thresholdsBody = z.strictObject({
  cpu_threshold: threshold.default(DEFAULT_THRESHOLDS.cpu_threshold),
  memory_threshold: threshold.default(DEFAULT_THRESHOLDS.memory_threshold),
  debounce_seconds: z
    .number()
    .int()
    .min(THRESHOLD_BOUNDS.debounceSeconds.min)
    .max(THRESHOLD_BOUNDS.debounceSeconds.max)
    .default(DEFAULT_THRESHOLDS.debounce_seconds),
});
export type ThresholdsBody = z.infer<typeof thresholdsBody>;

/** Whose containers they are for: those of a group, or of a host. */
export const scopeParams = z.strictObject({
  entity_type: z.enum([SCOPES.group, SCOPES.host]),
  entity_id: line(THRESHOLD_BOUNDS.scopeLength).meta({
    description: "the name of a group of containers; of the type `agent` a host: `local` or the UUID of its agent",
  }),
});
export type ScopeParams = z.infer<typeof scopeParams>;

/** What ranks consumers: what they use now, or how much more that is than at this time yesterday. */
export const rankedBy = z.enum(["use", "growth"]);

export const topQuery = z.strictObject({
  sort: metric.default("cpu"),
  by: rankedBy.default("use").meta({
    description:
      "`growth`: how much more it is than at this time yesterday; a new container counts with all that it uses. Needs the Pro edition",
  }),
  limit: wholeNumber({ min: 1, max: 100 }).default(10),
  agent_id: agentFilter,
});

export const summaryQuery = z.strictObject({ agent_id: agentFilter });

export const sparklinesQuery = z.strictObject({ agent_id: agentFilter });
