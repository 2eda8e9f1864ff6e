import type { Observation } from "../../observations.ts";
import { serviceOfCheckOwner } from "../../observations/swarm.ts";
import type { Serial } from "../../platform/queues.ts";
import type { Containers } from "../containers/index.ts";
import { type Head, toCheck, type Check } from "./checks/head.ts";
import type { CheckHistory } from "./checks/history.ts";
import { longestMs } from "./endpoint.ts";
import { ONE_BY_ONE } from "./register.ts";
import type { EndpointStore, KnownEndpoint } from "./store.ts";
import { byDay, type Carry, countLate, type Span } from "./tally.ts";

/**
 * The replay door: what checks showed while their host could not reach us is added to the history, and nothing else. It is made without
 * the bus and without the current state, so a replay can neither change a status nor notify anybody.
 */
export interface Recorder {
  /** Checks of endpoints that are not known, or no longer, are left out. Throws `storage_unavailable`; idempotent. */
  record(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

type Checked = Observation & { kind: "endpoint.checked" };

/** Endpoints whose checks are saved in one go. */
const AT_ONCE = 25;

export function createRecorder({
  store,
  past,
  idsOf,
  serial,
}: {
  store: Pick<EndpointStore, "findLabelled" | "findOfService">;
  past: Past;
  idsOf: Containers["idsOf"];
  serial: Serial;
}): Recorder {
  async function ofContainer(agentId: string | null, externalId: string, labelKey: string): Promise<KnownEndpoint | undefined> {
    // It may have been re-created since.
    const containerId = (await idsOf(agentId, [externalId])).get(externalId);
    return containerId === undefined ? undefined : store.findLabelled(containerId, labelKey);
  }

  async function lateOf(agentId: string | null, key: string, checked: readonly Checked[]): Promise<LateChecks[]> {
    const [externalId = "", labelKey = ""] = splitKey(key);
    const endpoint =
      serviceOfCheckOwner(externalId) === undefined
        ? await ofContainer(agentId, externalId, labelKey)
        : // What another host checks now it checked meanwhile too.
          await store.findOfService(agentId, externalId, labelKey);
    if (endpoint === undefined) return [];
    const checks = checked.map(({ result, observedAt }) => ({ ...toCheck(result, observedAt), replayed: true }));
    return [{ endpointId: endpoint.id, checks, longestMs: longestMs(endpoint.check) }];
  }

  async function add(agentId: string | null, byKey: readonly (readonly [string, readonly Checked[]])[]): Promise<void> {
    const late: LateChecks[] = [];
    for (const [key, ofKey] of byKey) late.push(...(await lateOf(agentId, key, ofKey)));
    await past.add(late);
  }

  return {
    async record(agentId, observations) {
      const checks = observations.filter((each) => each.kind === "endpoint.checked");
      const byKey = [...Map.groupBy(checks, (each) => each.key)];
      // A turn for some: what is live gets its own between them.
      for (let from = 0; from < byKey.length; from += AT_ONCE)
        await serial(ONE_BY_ONE, () => add(agentId, byKey.slice(from, from + AT_ONCE)));
    },
  };
}

/** Of {@link labelEndpointKey}: external ids have no slash. */
function splitKey(key: string): string[] {
  const slash = key.indexOf("/");
  return [key.slice(0, slash), key.slice(slash + 1)];
}

/** Checks of an endpoint that came late; at least one. */
export interface LateChecks {
  endpointId: number;
  checks: readonly Check[];
  /** For how long one of them speaks. */
  longestMs: number;
}

/** Adds what came late to the history, to the days, and to nothing else. Each call must wait for the one before. */
export interface Past {
  /** Of different endpoints of one host, in one go. Checks that are known already are left out. Throws `storage_unavailable`. */
  add(all: readonly LateChecks[]): Promise<void>;
}

export function createPast({
  store,
  history,
  head,
  carryOf,
  onCounted,
}: {
  store: Pick<EndpointStore, "savePast">;
  history: Pick<CheckHistory, "range">;
  head: Head;
  /** The check that speaks for now. */
  carryOf(endpointId: number): Carry | null;
  /** What was counted again for an endpoint. */
  onCounted(endpointId: number, counted: { spans: readonly Span[]; carry: Carry | null }): void;
}): Past {
  /** What is not known yet of it, and what that counts; nothing is changed. */
  async function count({ endpointId, checks: given, longestMs: mostMs }: LateChecks) {
    const times = given.map(({ atMs }) => atMs);
    const known = await history.range(endpointId, { fromMs: Math.min(...times) - mostMs, toMs: Math.max(...times) + mostMs });
    const taken = new Set(known.map(({ atMs }) => atMs));
    const checks = [...new Map(given.map((check) => [check.atMs, { ...check, late: true, wentDown: false }])).values()]
      .filter(({ atMs }) => !taken.has(atMs))
      .toSorted((a, b) => a.atMs - b.atMs);
    const counted = countLate({ known, late: checks, carry: carryOf(endpointId) }, mostMs);
    return { endpointId, checks, counted, days: byDay(checks, counted.spans) };
  }

  return {
    async add(all) {
      const late: Awaited<ReturnType<typeof count>>[] = [];
      for (const each of all) late.push(await count(each));
      const news = late.filter(({ checks }) => checks.length > 0);
      if (news.length === 0) return;
      head.reach(await store.savePast(news));
      for (const { endpointId, checks, counted } of news) {
        for (const check of checks) head.add(endpointId, check);
        onCounted(endpointId, counted);
      }
    },
  };
}
