import { createHash } from "node:crypto";
import type { Alerting } from "../../../alerting/index.ts";
import { CHANGE_KINDS, type ChangeKind } from "../../../contract/change-kinds.ts";
import type { Certificates } from "../../../monitoring/certificates/index.ts";
import type { Containers } from "../../../monitoring/containers/index.ts";
import type { Endpoints } from "../../../monitoring/endpoints/index.ts";
import type { Heartbeats } from "../../../monitoring/heartbeats/index.ts";
import type { UpdateComparisons, Updates } from "../../../monitoring/updates/index.ts";
import type { PastChanges, Whose } from "../../../platform/look-back.ts";
import type { StatusPage } from "../../status/index.ts";
import { type ChangeSources, type Remembered, type DescribedChange, compareChanges, placeIn, type Position } from "./change.ts";
import {
  type AgentChanges,
  describeAgent,
  describeAlert,
  describeCertificate,
  describeEndpoint,
  describeHeartbeat,
  describeImage,
  describeIncident,
  describeRemoval,
  describeTransition,
  describeUpdate,
} from "./descriptions.ts";

export interface ChangeParts {
  containers: Pick<Containers, "past">;
  endpoints: Pick<Endpoints, "present">;
  heartbeats: Pick<Heartbeats, "present">;
  certificates: Pick<Certificates, "past">;
  updates: Pick<Updates, "found">;
  updateComparisons: Pick<UpdateComparisons, "past" | "holderOf">;
  alerting: Pick<Alerting, "past">;
  statusPage: Pick<StatusPage, "past">;
  /** The remote hosts that are enrolled. */
  agents(): readonly AgentChanges[];
}

/** Where changes are read from: rows where there are some, else memory, which has the latest of each thing. */
export function changeSources(parts: ChangeParts): ChangeSources {
  const { containers, endpoints, heartbeats, certificates, updates, updateComparisons, alerting, statusPage, agents } = parts;
  const { raised, resolved, acknowledged } = alerting.past;

  function ofAgents(what: string, timeOf: (agent: AgentChanges) => string | null): PastChanges<Remembered> {
    return fromMemory(() =>
      agents().flatMap((agent) => {
        const at = timeOf(agent);
        return at === null
          ? []
          : [{ id: agentNumber(agent.id), at: new Date(at), agentId: agent.id, describe: () => describeAgent(what, agent) }];
      }),
    );
  }

  return {
    alert_raised: worded(raised, (change) => describeAlert("raised", change)),
    alert_resolved: worded(resolved, (change) => describeAlert("resolved", change)),
    alert_acknowledged: worded(acknowledged, (change) => describeAlert("acknowledged", change)),
    container_changed: worded(containers.past.transitions, describeTransition),
    container_removed: worded(containers.past.removals, describeRemoval),
    image_changed: worded(updateComparisons.past, (change) => describeImage(change, updateComparisons.holderOf(change.id))),
    endpoint_changed: fromMemory(() =>
      // One that was never checked has not changed since it is there.
      endpoints
        .present()
        .filter(({ state }) => state.lastCheckAt !== null)
        .map((endpoint) => ({
          id: endpoint.id,
          at: endpoint.state.statusSince,
          agentId: endpoint.agentId,
          describe: () => describeEndpoint(endpoint),
        })),
    ),
    heartbeat_changed: fromMemory(() =>
      heartbeats.present().map((heartbeat) => ({
        id: heartbeat.id,
        at: heartbeat.statusChangedAt,
        agentId: heartbeat.agentId,
        describe: () => describeHeartbeat(heartbeat),
      })),
    ),
    certificate_changed: worded(certificates.past, describeCertificate),
    update_found: fromMemory((since) =>
      updates.found(since).map((found) => ({
        id: found.container.id,
        at: found.at,
        agentId: found.container.agentId,
        describe: () => describeUpdate(found),
      })),
    ),
    agent_enrolled: ofAgents("The agent was enrolled.", ({ enrolled_at }) => enrolled_at),
    agent_revoked: ofAgents("The agent was revoked: its host is not watched any more.", ({ revoked_at }) => revoked_at),
    agent_lost: ofAgents("The agent was seen last then, and is disconnected.", ({ status, connection_state, last_seen_at }) =>
      status === "active" && connection_state === "disconnected" ? last_seen_at : null,
    ),
    incident_said: ofNoHost(worded(statusPage.past, describeIncident)),
  };
}

function worded<Change extends { id: number; at: Date }>(
  past: PastChanges<Change>,
  describe: (change: Change) => DescribedChange,
): PastChanges<Remembered> {
  return {
    count: past.count,
    nextAt: past.nextAt,
    page: async (back) => (await past.page(back)).map((change) => ({ id: change.id, at: change.at, describe: () => describe(change) })),
  };
}

function fromMemory(all: (since: Date) => readonly (Remembered & { agentId: string | null })[]): PastChanges<Remembered> {
  const since = (from: Date, whose: Whose): readonly Remembered[] =>
    all(from).filter(({ at, agentId }) => at >= from && (whose === undefined || agentId === whose));
  return {
    async count({ since: from, until, whose, most }) {
      return Math.min(since(from, whose).filter(({ at }) => until === undefined || at <= until).length, most);
    },
    async page({ since: from, before, whose, limit }) {
      return since(from, whose)
        .filter(({ at, id }) => at < before.at || (at.getTime() === before.at.getTime() && id < before.id))
        .toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.id - a.id)
        .slice(0, limit);
    },
    async nextAt({ after, whose }) {
      const times = since(after, whose).flatMap(({ at }) => (at > after ? [at.getTime()] : []));
      return times.length === 0 ? undefined : new Date(Math.min(...times));
    },
  };
}

/** Left out where one host is asked for. */
function ofNoHost(past: PastChanges<Remembered>): PastChanges<Remembered> {
  return {
    count: async (of) => (of.whose === undefined ? past.count(of) : 0),
    page: async (back) => (back.whose === undefined ? past.page(back) : []),
    nextAt: async (of) => (of.whose === undefined ? past.nextAt(of) : undefined),
  };
}

/** Distinguishes agents that changed at the same time by a number, as all others have. */
function agentNumber(id: string): number {
  return Number.parseInt(createHash("sha256").update(id).digest("hex").slice(0, 12), 16);
}

/** A stretch of time, and which page of what changed in it. */
interface ChangesAsked {
  from: Date;
  /** undefined: whatever the latest is; a host's clock may be ahead of ours. */
  to?: Date | undefined;
  whose: Whose;
  /** Only these; all where none is named. */
  kinds?: readonly ChangeKind[] | undefined;
  /** Where the page before ended. */
  ended: Position | undefined;
  limit: number;
}

export interface ChangePage {
  changes: (DescribedChange & { kind: ChangeKind; at: Date })[];
  /** Where it ended; null: it is the last one. */
  ended: Position | null;
}

/** Reads what changed between two moments, over all features, newest first. */
export function createChangePages(sources: ChangeSources) {
  async function some(kind: ChangeKind, { from, to, whose, ended, limit }: ChangesAsked) {
    // One more than asked for of each shows whether there is another page.
    const back = { since: from, before: placeIn(kind, ended, to), whose, limit: limit + 1 };
    const found = (await sources[kind]?.page(back)) ?? [];
    return found.map((change: Remembered) => ({ kind, at: change.at, id: change.id, change }));
  }

  return async (asked: ChangesAsked): Promise<ChangePage> => {
    const found = (await Promise.all((asked.kinds ?? CHANGE_KINDS).map((kind) => some(kind, asked)))).flat().toSorted(compareChanges);
    const page = found.slice(0, asked.limit);
    const last = page.at(-1);
    return {
      changes: page.map(({ kind, at, change }) => ({ ...change.describe(), kind, at })),
      ended:
        last === undefined || found.length <= asked.limit
          ? null
          : { sinceMs: asked.from.getTime(), atMs: last.at.getTime(), kind: last.kind, id: last.id },
    };
  };
}
