import { CHANGE_KINDS, type ChangeKind } from "../../../contract/change-kinds.ts";
import { DAY_MS } from "../../../contract/time.ts";
import { moment } from "../../../mcp/arguments.ts";
import type { Clock } from "../../../platform/clock.ts";
import { parseDuration } from "../../../platform/durations.ts";
import { ServiceError } from "../../../platform/errors.ts";
import type { Whose } from "../../../platform/look-back.ts";
import type { Changes, ChangesInput } from "../answers.ts";
import { type ChangeSources, COUNTED_UP_TO, cursorOf, type Position, positionOf } from "./change.ts";
import { createChangePages } from "./sources.ts";

const LONGEST_MS = 30 * DAY_MS;
/** Between the first page and the last one. */
const PAGING_MS = DAY_MS;

/** Lists what changed since a time, over all features. Throws `invalid_request` for a time or a cursor that makes no sense. */
export function createWhatChanged({ sources, clock }: { sources: ChangeSources; clock: Clock }) {
  const pageOf = createChangePages(sources);

  async function countOf(kind: ChangeKind, { since, until, whose }: Counted): Promise<Changes["counts"][number]> {
    const count = (await sources[kind]?.count({ since, until, whose, most: COUNTED_UP_TO })) ?? 0;
    return { kind, count, more: count === COUNTED_UP_TO };
  }

  return async (input: ChangesInput): Promise<Changes> => {
    const now = clock.now();
    const ended = input.cursor === undefined ? undefined : endedAt(input.cursor, now);
    const since = ended === undefined ? sinceOf(input.since, now) : new Date(ended.sinceMs);
    const until = input.until === undefined ? undefined : untilOf(input.until, since);
    const whose = input.agent_id === "local" ? null : input.agent_id;
    // Each once, however often it is named.
    const asked = CHANGE_KINDS.filter((kind) => input.kinds?.includes(kind) ?? true);
    const { changes, ended: next } = await pageOf({ from: since, to: until, whose, kinds: asked, ended, limit: input.limit });
    const counts = (await Promise.all(asked.map((kind) => countOf(kind, { since, until, whose })))).filter(({ count }) => count > 0);
    return {
      since: since.toISOString(),
      counts,
      changes: changes.map(({ agentId, ...change }) => ({ ...change, at: change.at.toISOString(), agent_id: agentId })),
      notes: notesFor(counts, { whose, until, asked }),
      total: counts.reduce((sum, { count }) => sum + count, 0),
      next_cursor: next === null ? null : cursorOf(next),
    };
  };
}

interface Counted {
  since: Date;
  until: Date | undefined;
  whose: Whose;
}

function untilOf(text: string, since: Date): Date {
  const until = moment.safeParse(text).success ? Date.parse(text) : Number.NaN;
  if (!(until >= since.getTime()))
    throw new ServiceError("invalid_request", "until must be a moment with its zone, such as 2026-03-01T12:00:00Z, and not before since.");
  return new Date(until);
}

function sinceOf(text: string, now: Date): Date {
  const days = /^(\d{1,3})d$/.exec(text)?.[1];
  const agoMs = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  // Without its zone a moment would be read in the server's.
  const at = moment.safeParse(text).success ? Date.parse(text) : Number.NaN;
  const sinceMs = agoMs === undefined ? at : now.getTime() - agoMs;
  if (Number.isNaN(sinceMs) || sinceMs > now.getTime())
    throw new ServiceError(
      "invalid_request",
      "since must be a span of time such as 30m, 24h or 7d, or a moment in the past with its zone, such as 2026-03-01T12:00:00Z or 2026-03-01T13:00:00+01:00.",
    );
  if (now.getTime() - sinceMs > LONGEST_MS) throw new ServiceError("invalid_request", "since must not be longer ago than 30 days (30d).");
  return new Date(sinceMs);
}

function endedAt(cursor: string, now: Date): Position {
  const position = positionOf(cursor);
  if (position === undefined || now.getTime() - position.sinceMs > LONGEST_MS + PAGING_MS)
    throw new ServiceError("invalid_request", "cursor is not one that this tool gave lately: leave it out to begin with the first page.");
  return position;
}

function notesFor(
  counts: Changes["counts"],
  { whose, until, asked }: Pick<Counted, "whose" | "until"> & { asked: readonly ChangeKind[] },
): string[] {
  const kinds = new Set(counts.map(({ kind }) => kind));
  const notes: string[] = [];
  const ofLatest = (["endpoint_changed", "heartbeat_changed"] as const).filter((kind) => asked.includes(kind));
  if (ofLatest.some((kind) => until !== undefined || kinds.has(kind)))
    notes.push(
      "Of each endpoint and heartbeat only the latest change of status is recorded; alert_raised and alert_resolved show the earlier ones.",
    );
  if (kinds.has("agent_lost"))
    notes.push("agent_lost lists agents that are disconnected now; alerts of the source agent show earlier times.");
  if (whose !== undefined && asked.includes("incident_said"))
    notes.push("Incidents of the status page belong to no host and are left out.");
  return notes;
}
