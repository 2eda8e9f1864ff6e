import type { Alert, Severity } from "../vocabulary.ts";
import { SEVERITIES } from "../vocabulary.ts";

export interface Level {
  /** Counted from the start of the run. */
  delaySeconds: number;
  channelIds: readonly number[];
}

export interface Filters {
  /** Empty: any. */
  severities: readonly Severity[];
  /** Matches an alert with one of these tags, in any case, as triggers do; empty: any. */
  tags: readonly string[];
}

/** The part of a policy that a run keeps. Changes of the policy apply to later runs. */
export interface Plan {
  name: string;
  filters: Filters;
  /** At least one, with rising delays. */
  levels: readonly Level[];
}

export interface Settings extends Plan {
  active: boolean;
}

/** Who is notified when nobody reacts. Source: specification, Escalation policy. */
export interface Policy extends Settings {
  id: number;
  /** What `active` was when the edition ceased to grant escalation; null while it grants it. */
  activeBefore: boolean | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Another policy that may start for the same alerts, and by which severities and tags. */
export interface Overlap {
  policy: Policy;
  sharedSeverities: Severity[];
  sharedTags: string[];
  sharedChannels: number[];
}

export function matches({ severities, tags }: Filters, alert: Pick<Alert, "severity" | "tags">): boolean {
  if (severities.length > 0 && !severities.includes(alert.severity)) return false;
  return tags.length === 0 || intersectingTags(tags, alert.tags).length > 0;
}

/** The active ones of these policies that may start for the same alert as the plan. */
export function overlapsOf(plan: Omit<Plan, "name">, policies: Iterable<Policy>): Overlap[] {
  return [...policies].flatMap((policy) => {
    if (!policy.active) return [];
    const sharedSeverities = intersection(severitiesOf(plan.filters), severitiesOf(policy.filters));
    const sharedTags = sharedTagsOf(plan.filters.tags, policy.filters.tags);
    if (sharedSeverities.length === 0 || sharedTags === undefined) return [];
    return [{ policy, sharedSeverities, sharedTags, sharedChannels: intersection(channelsOf(plan), channelsOf(policy)) }];
  });
}

/** Every channel that a plan may notify, each once. */
export function channelsOf({ levels }: Pick<Plan, "levels">): number[] {
  return [...new Set(levels.flatMap(({ channelIds }) => channelIds))];
}

export function suspend(policy: Policy): Policy {
  return policy.activeBefore === null ? { ...policy, active: false, activeBefore: policy.active } : policy;
}

export function restore(policy: Policy): Policy {
  return policy.activeBefore === null ? policy : { ...policy, active: policy.activeBefore, activeBefore: null };
}

function severitiesOf({ severities }: Filters): readonly Severity[] {
  return severities.length === 0 ? SEVERITIES : severities;
}

/** undefined: an alert need not have a tag of both. */
function sharedTagsOf(ours: readonly string[], theirs: readonly string[]): string[] | undefined {
  if (ours.length === 0) return [...theirs];
  if (theirs.length === 0) return [...ours];
  const shared = intersectingTags(ours, theirs);
  return shared.length === 0 ? undefined : shared;
}

/** Those of ours that theirs have too, in any case. */
function intersectingTags(ours: readonly string[], theirs: readonly string[]): string[] {
  const known = new Set(theirs.map((tag) => tag.toLowerCase()));
  return ours.filter((tag) => known.has(tag.toLowerCase()));
}

function intersection<Item>(ours: readonly Item[], theirs: readonly Item[]): Item[] {
  return ours.filter((item) => theirs.includes(item));
}
