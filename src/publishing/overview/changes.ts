import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { type ChangeParts, changeSources, createChangePages, cursorOf, positionOf } from "../assistant/index.ts";
import type { PastChangesQuery } from "./api.ts";
import { LONGEST_MS, unusable } from "./limits.ts";
import type { PastChangeList } from "./answers.ts";

/** Between the first page and the last one. */
const PAGING_MS = DAY_MS;

export interface ChangeService {
  /** What changed between two moments, newest first. Throws `unusable_values` for a range or a cursor that makes no sense. */
  list(query: PastChangesQuery): Promise<PastChangeList>;
}

export function createChangeService({ clock, ...parts }: ChangeParts & { clock: Clock }): ChangeService {
  const pageOf = createChangePages(changeSources(parts));
  return {
    async list({ from: fromText, to: toText, agent_id: agentId, kind: kinds, limit, cursor }) {
      const now = clock.now();
      const ended = cursor === undefined ? undefined : positionOf(cursor);
      if (cursor !== undefined && ended === undefined)
        throw unusable("cursor", "Is no next_cursor of this list; leave it out for the first page");
      const to = toText === undefined ? now : new Date(toText);
      const fromMs = ended?.sinceMs ?? (fromText === undefined ? to.getTime() - DAY_MS : Date.parse(fromText));
      if (fromMs > to.getTime()) throw unusable("from", "Must not be after to");
      if (now.getTime() - fromMs > LONGEST_MS + (ended === undefined ? 0 : PAGING_MS))
        throw unusable("from", "Must not be longer ago than 90 days");
      const from = new Date(fromMs);
      const whose = agentId === "local" ? null : agentId;
      const { changes, ended: next } = await pageOf({ from, to, whose, kinds, ended, limit });
      return {
        from: from.toISOString(),
        to: to.toISOString(),
        changes: changes.map(({ at, evidence: { kind, id }, agentId: agent_id, ...change }) => ({
          ...change,
          at: at.toISOString(),
          record: { kind, id },
          agent_id,
        })),
        next_cursor: next === null ? null : cursorOf(next),
      };
    },
  };
}
