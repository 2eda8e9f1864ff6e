import { z } from "zod";
import { timestamp } from "../../http/schemas.ts";
import { findingType, severity } from "./api.ts";

const findingKey = z.string().meta({ description: "`<port>/<protocol>` of the container where a port is meant, else empty" });
const score = z.number().int().min(0).max(100);
const count = z.number().int();
const counts = z.object({ critical: count, high: count, medium: count });
const ecosystem = z
  .object({ name: z.string(), source: z.enum(["label", "manifest", "known_image"]) })
  .nullable()
  .meta({
    description:
      "what the image is made of: by its OCI labels, else by its configuration in the registry, else by what is known of its name; null when it is unknown",
  });

const aboutContainer = {
  container_id: count,
  container_name: z.string(),
  agent_id: z.uuid().nullable(),
  image: z.string(),
  group: z.string(),
};

export const acknowledgment = z.object({
  id: count,
  container_id: count.meta({ description: "the container that it holds for now; when that is gone, the one that it was given for" }),
  container_name: z.string(),
  agent_id: z.uuid().nullable(),
  finding_type: findingType,
  finding_key: findingKey,
  acknowledged_by: z.string(),
  reason: z.string(),
  acknowledged_at: timestamp,
  carried_over: z.boolean().meta({
    description: "it was given for an earlier container of this name on this host, and holds for the one that was made in its place",
  }),
  given_for_container_id: count,
  is_found: z.boolean().meta({ description: "the finding is there now" }),
});
export type AcknowledgmentRecord = z.infer<typeof acknowledgment>;

export const insight = z.object({
  ...aboutContainer,
  ecosystem,
  type: findingType,
  finding_key: findingKey,
  severity,
  category: z.enum(["network", "configuration"]),
  title: z.string(),
  what: z.string().meta({ description: "what was found, as a sentence" }),
  why: z.string().meta({ description: "why it matters" }),
  fix: z.string().meta({ description: "what to do" }),
  snippet: z.string().nullable().meta({ description: "what to do, as part of a compose file or a manifest" }),
  bindings: z
    .array(z.object({ host_ip: z.string(), host_port: count }))
    .meta({ description: "of a port: where it is published so; empty for others" }),
  database: z.string().nullable().meta({ description: "of a database port: what usually listens there" }),
  since: timestamp.meta({ description: "since when the container runs so" }),
  acknowledgment: acknowledgment.nullable(),
});
export type InsightRecord = z.infer<typeof insight>;

export const insightList = z.object({ insights: z.array(insight), total: count, has_more: z.boolean() });
export type InsightList = z.infer<typeof insightList>;

const notAssessed = z
  .string()
  .nullable()
  .meta({ description: "why it is not assessed: it does not run, is ignored, or was removed; null when it is" });

export const containerInsights = z.object({
  ...aboutContainer,
  ecosystem,
  not_assessed: notAssessed,
  insights: z.array(insight).meta({ description: "worst first; those acknowledged after the others" }),
  total: count,
});
export type ContainerInsights = z.infer<typeof containerInsights>;

const tally = z.object({ total: count, by_severity: counts, by_type: z.record(findingType, count) });
export const summary = tally.extend({
  acknowledged: count,
  unacknowledged: tally.meta({ description: "the same, of those that nobody acknowledged" }),
  containers: z.object({
    assessed: count.meta({ description: "containers that run and are not ignored" }),
    affected: count.meta({ description: "of these, with a finding that is not acknowledged" }),
  }),
});
export type Summary = z.infer<typeof summary>;

const category = z.object({
  name: z.enum(["network", "configuration", "updates"]),
  score,
  weight: count.meta({ description: "network 45, configuration 30, updates 25; those that apply share the whole" }),
  findings: count.meta({
    description: "how much counts: findings that are not acknowledged; of updates, what is known against the images",
  }),
});

const grade = z.enum(["A", "B", "C", "D", "F"]).meta({ description: "A from 90, B from 80, C from 70, D from 60, else F" });

const CONTAINER_SCORE =
  "weighted mean of the categories that apply; each is 100 minus 35 for a critical finding, 20 for a high, 10 for a medium, 5 for a low one, at least 0. " +
  "Acknowledged findings are not in it";

export const containerPosture = z.object({
  ...aboutContainer,
  score: score.meta({ description: CONTAINER_SCORE }),
  grade,
  categories: z.array(category),
  severity_distribution: counts,
  acknowledged: count,
});
export type ContainerPosture = z.infer<typeof containerPosture>;

export const step = z.object({
  container_id: count,
  container_name: z.string(),
  agent_id: z.uuid().nullable(),
  remedy: z
    .enum(["publish_locally", "drop_privileged", "leave_host_network", "close_cluster_service", "update_image", "confirm_public"])
    .meta({
      description: "`confirm_public`: ports 80 and 443 of a host, which most have open on purpose; leave them so and acknowledge them",
    }),
  text: z.string(),
  snippet: z.string().nullable(),
  resolves: z
    .array(z.object({ type: findingType, finding_key: findingKey, severity }))
    .meta({ description: "findings; empty for update_image, which puts right what counts against the container's updates" }),
  image: z.string().nullable().meta({ description: "of update_image: what to run; null for others" }),
  gain: z.number().min(0).meta({ description: "points that the score above would rise by, to two decimals" }),
  container_gain: z.number().min(0).meta({ description: "points that the container's own score would rise by, to two decimals" }),
});
export type StepRecord = z.infer<typeof step>;

export const postureDay = z.object({ date: z.iso.date(), score, containers: count, ...counts.shape, acknowledged: count });
export type PostureDayRecord = z.infer<typeof postureDay>;

export const posture = z.object({
  score: score.nullable().meta({
    description:
      "mean of the containers weighted toward the worst: 100 - sqrt(mean of (100 - score)^2). null without a container that runs",
  }),
  grade: grade.nullable(),
  categories: z.array(category).meta({ description: "each the same mean over the containers to which it applies" }),
  severity_distribution: counts.meta({ description: "findings that are not acknowledged" }),
  acknowledged: count,
  containers: count.meta({ description: "that run and are not ignored" }),
  ranking: z.array(containerPosture).meta({ description: "the worst containers against which anything counts, at most 10" }),
  next_steps: z.array(step).meta({ description: "what to do next, the largest gain first, at most 20; `confirm_public` after all others" }),
  history: z.array(postureDay).meta({ description: "one for each UTC day that is known, oldest first; the last is as of now" }),
  computed_at: timestamp,
});
export type Posture = z.infer<typeof posture>;

export const containerPostureList = z.object({ containers: z.array(containerPosture), total: count, has_more: z.boolean() });
export type ContainerPostureList = z.infer<typeof containerPostureList>;

export const containerPostureDetail = containerPosture.extend({
  score: score.nullable().meta({ description: `${CONTAINER_SCORE}. null when the container is not assessed` }),
  grade: grade.nullable(),
  not_assessed: notAssessed,
  insights: z.array(insight),
  next_steps: z.array(step).meta({ description: "the largest gain first; `gain` is of the container's score" }),
  computed_at: timestamp,
});
export type ContainerPostureDetail = z.infer<typeof containerPostureDetail>;

export const acknowledgmentBulk = z.object({
  acknowledgments: z.array(acknowledgment).meta({ description: "those that were made, in the order of the request" }),
  skipped: z
    .array(
      z.object({
        container_id: count,
        finding_type: findingType,
        finding_key: findingKey,
        code: z.enum(["not_found", "unusable_values", "already_acknowledged"]),
        message: z.string(),
      }),
    )
    .meta({ description: "findings that are not there, or were acknowledged before" }),
});
export type AcknowledgmentBulk = z.infer<typeof acknowledgmentBulk>;

export const acknowledgmentList = z.object({ acknowledgments: z.array(acknowledgment), total: count, has_more: z.boolean() });
export type AcknowledgmentList = z.infer<typeof acknowledgmentList>;
