import { CHANGE_KINDS, type ChangeKind } from "../../../contract/change-kinds.ts";
import type { PastChanges } from "../../../platform/look-back.ts";
import type { EntityType, Evidence } from "../evidence.ts";

/** Beyond this nobody needs to know how many there were. */
export const COUNTED_UP_TO = 5000;

/** One change, in words. */
export interface DescribedChange {
  /** Our own words: names stand in `entity`. */
  what: string;
  entity: { type: EntityType; id: number | string | null; name: string };
  from: string | null;
  to: string | null;
  evidence: Evidence;
  agentId: string | null;
}

/** A change before it is put into words: the time and id that its order is made of, and how to describe it. */
export interface Remembered {
  id: number;
  at: Date;
  describe(): DescribedChange;
}

export type ChangeSources = Readonly<Partial<Record<ChangeKind, PastChanges<Remembered>>>>;

/** Where a page ended. */
export interface Position {
  sinceMs: number;
  atMs: number;
  kind: ChangeKind;
  id: number;
}

export function cursorOf({ sinceMs, atMs, kind, id }: Position): string {
  return `past-${sinceMs}-${atMs}-${CHANGE_KINDS.indexOf(kind)}-${id}`;
}

/** undefined for a text that {@link cursorOf} did not write. */
export function positionOf(cursor: string): Position | undefined {
  const [sinceMs, atMs, kindIndex, id] = /^past-(\d{1,14})-(\d{1,14})-(\d{1,2})-(\d{1,16})$/.exec(cursor)?.slice(1).map(Number) ?? [];
  const kind = CHANGE_KINDS[kindIndex ?? -1];
  if (sinceMs === undefined || atMs === undefined || kind === undefined || id === undefined || !Number.isSafeInteger(id)) return undefined;
  return { sinceMs, atMs, kind, id };
}

/** Where the next page of one kind starts after a page that ended at a position; without one, where the stretch of time ends. */
export function placeIn(kind: ChangeKind, ended: Position | undefined, to?: Date): { at: Date; id: number } {
  if (ended === undefined) return { at: to ?? new Date(LATEST_MS), id: Number.MAX_SAFE_INTEGER };
  const order = CHANGE_KINDS.indexOf(kind) - CHANGE_KINDS.indexOf(ended.kind);
  return { at: new Date(ended.atMs), id: order === 0 ? ended.id : order > 0 ? Number.MAX_SAFE_INTEGER : 0 };
}

/** A host's clock may be ahead of ours: its changes still come first. */
const LATEST_MS = Date.UTC(9999, 0);

/** Newest first; of the same time by kind, then the highest id first. */
export function compareChanges(a: { at: Date; kind: ChangeKind; id: number }, b: { at: Date; kind: ChangeKind; id: number }): number {
  return b.at.getTime() - a.at.getTime() || CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || b.id - a.id;
}
