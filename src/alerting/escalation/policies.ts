import { ESCALATION_BOUNDS } from "../../contract/notifications.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { createSerial } from "../../platform/queues.ts";
import type { Alert } from "../vocabulary.ts";
import type { CreateBody, ProbeBody, UpdateBody } from "./api.ts";
import type { Overlaps, PolicyList, PolicyRecord } from "./answers.ts";
import { channelsOf, type Filters, type Level, matches, overlapsOf, type Policy, restore, type Settings, suspend } from "./policy.ts";
import { overlapRecord, policyRecord, policyEvent } from "./records.ts";
import type { Run } from "./run.ts";
import type { RunStore, PolicyStore } from "./store.ts";

/** Escalation policies. Functions that take an id throw `not_found`; those that change something, `storage_unavailable`. */
export interface Policies {
  load(): Promise<void>;
  /** In the order of their creation. */
  list(): PolicyList;
  get(id: number): PolicyRecord;
  count(): number;
  /** Throws `conflict` when there are too many. */
  create(body: CreateBody): Promise<PolicyRecord>;
  /** Runs in progress keep the plan with which they began. */
  update(id: number, body: UpdateBody): Promise<PolicyRecord>;
  /** Ends the runs in progress, and answers them. */
  remove(id: number): Promise<Run[]>;
  overlaps(body: ProbeBody): Overlaps;
  /** The active policies that match an alert. */
  matching(alert: Alert): Policy[];
  /** The policies that notify a channel, in words. */
  usersOf(channelId: number): string[];
  /** Deactivates all policies, or restores them, when the edition has changed; answers the runs that ended by it. */
  followEdition(granted: boolean): Promise<Run[]>;
}

export interface PoliciesDependencies {
  store: PolicyStore;
  runs: RunStore;
  bus: Bus<Event>;
  clock: Clock;
}

export function createPolicies({ store, runs, bus, clock }: PoliciesDependencies): Policies {
  const known = new Map<number, Policy>();
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("policies", work);

  function find(id: number): Policy {
    const policy = known.get(id);
    if (policy === undefined) throw new ServiceError("not_found", `There is no escalation policy ${id}.`);
    return policy;
  }

  return {
    async load() {
      for (const policy of await store.all()) known.set(policy.id, policy);
    },
    list: () => ({ policies: [...known.values()].map(policyRecord), total: known.size }),
    get: (id) => policyRecord(find(id)),
    count: () => known.size,

    create: (body) =>
      oneByOne(async () => {
        if (known.size >= ESCALATION_BOUNDS.policies) {
          throw new ServiceError("conflict", `There are ${ESCALATION_BOUNDS.policies} escalation policies already; delete one first.`);
        }
        const now = clock.now();
        const policy = await store.create({ ...complete(body), activeBefore: null, createdAt: now, updatedAt: now });
        known.set(policy.id, policy);
        bus.publish(policyEvent("policy.created", policy, now));
        return policyRecord(policy);
      }),

    update: (id, body) =>
      oneByOne(async () => {
        const before = find(id);
        const now = clock.now();
        const policy = { ...before, ...complete(body, before), updatedAt: now };
        await store.save(policy);
        known.set(id, policy);
        bus.publish(policyEvent("policy.updated", policy, now));
        return policyRecord(policy);
      }),

    remove: (id) =>
      oneByOne(async () => {
        const policy = find(id);
        const now = clock.now();
        // First, so that no run begins that would outlive it.
        known.delete(id);
        const stopped = await runs.removePolicy(id, now).catch((error: unknown) => {
          known.set(id, policy);
          throw error;
        });
        bus.publish(policyEvent("policy.deleted", policy, now));
        return stopped;
      }),

    overlaps({ policy_id: own, filters, levels }) {
      const others = [...known.values()].filter(({ id }) => id !== own);
      return { overlapping: overlapsOf({ filters: completeFilters(filters), levels: levelsOf(levels) }, others).map(overlapRecord) };
    },

    matching: (alert) => [...known.values()].filter(({ active, filters }) => active && matches(filters, alert)),

    usersOf: (channelId) =>
      [...known.values()].filter((policy) => channelsOf(policy).includes(channelId)).map(({ name }) => `escalation policy "${name}"`),

    followEdition: (granted) =>
      oneByOne(async () => {
        const now = clock.now();
        const changed = [...known.values()]
          .filter(({ activeBefore }) => (activeBefore === null) !== granted)
          .map(granted ? restore : suspend);
        if (changed.length === 0) return [];
        const stopped = await runs.followEdition(changed, { stop: !granted, now });
        for (const policy of changed) {
          known.set(policy.id, policy);
          bus.publish(policyEvent("policy.updated", policy, now));
        }
        return stopped;
      }),
  };
}

/** The settings that a body asks for; omitted ones stay as they were, or get their default. */
function complete(body: CreateBody | UpdateBody, current?: Settings): Settings {
  return {
    name: body.name ?? current?.name ?? "",
    active: body.active ?? current?.active ?? true,
    filters: completeFilters(body.filters, current?.filters),
    levels: body.levels === undefined ? (current?.levels ?? []) : levelsOf(body.levels),
  };
}

function completeFilters(given: UpdateBody["filters"], current?: Filters): Filters {
  return {
    severities: given?.severities === undefined ? (current?.severities ?? []) : [...new Set(given.severities)],
    tags: given?.tags === undefined ? (current?.tags ?? []) : [...new Set(given.tags)],
  };
}

function levelsOf(levels: CreateBody["levels"]): Level[] {
  return levels.map(({ delay_seconds: delaySeconds, channel_ids: ids }) => ({ delaySeconds, channelIds: [...new Set(ids)] }));
}
