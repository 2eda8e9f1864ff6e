import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import { type ChangeParts, changeSources, createChangePages, cursorOf, positionOf } from "../assistant/index.ts";
import type { PastChangesQuery } from "./api.ts";
import { LONGEST_MS, unusable } from "./limits.ts";
import type { PastChangeList } from "./answers.ts";

/** Between the first page and the last one. */
const PAGING_MS = DAY_MS;

/** What changed between two moments, newest first. Throws `unusable_values` for a range or a cursor that makes no sense. */
export function createChangeReader({ clock, ...parts }: ChangeParts & { clock: Clock }) {
  const pageOf = createChangePages(changeSources(parts));
  return async (query: PastChangesQuery): Promise<PastChangeList> => {
    const { agent_id: agentId, kind: kinds, limit, cursor } = query;
    const now = clock.now();
    const ended = cursor === undefined ? undefined : positionOf(cursor);
    if (cursor !== undefined && ended === undefined)
      throw unusable("cursor", "Is no next_cursor of this list; leave it out for the first page");
    const to = query.to === undefined ? now : new Date(query.to);
    const fromMs = ended?.sinceMs ?? (query.from === undefined ? to.getTime() - DAY_MS : Date.parse(query.from));
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
  };
}
