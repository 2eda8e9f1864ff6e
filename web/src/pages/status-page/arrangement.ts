/** Where groups and components stand on the page, and what becomes of that when one is moved. */
import type { Order } from "../../../../src/publishing/status/components/api.ts";
import type { ComponentRecord, GroupRecord } from "../../../../src/publishing/status/components/answers.ts";

/** A group with its components, in order. That of those without a group has the id null and always comes first. */
export interface Section {
  groupId: number | null;
  components: readonly number[];
}
export type Arrangement = readonly Section[];

/** What is moved. */
export type Piece = { kind: "component" | "group"; id: number };

/** Before which a piece is to stand: so many others are before it, in this group if it is a component. */
export interface Place {
  groupId: number | null;
  index: number;
}

/** As the server has it. Both lists come in the order of the page. */
export function arrangementOf(
  groups: readonly Pick<GroupRecord, "id">[],
  components: readonly Pick<ComponentRecord, "id" | "group_id">[],
): Arrangement {
  const known = new Set(groups.map(({ id }) => id));
  const groupOf = (id: number | null): number | null => (id !== null && known.has(id) ? id : null);
  return [null, ...groups.map(({ id }) => id)].map((groupId) => ({
    groupId,
    components: components.filter(({ group_id }) => groupOf(group_id) === groupId).map(({ id }) => id),
  }));
}

/** Where a piece stands; undefined when it is not there. */
export function placeOf(arrangement: Arrangement, { kind, id }: Piece): Place | undefined {
  if (kind === "group") {
    const index = groupsOf(arrangement).findIndex(({ groupId }) => groupId === id);
    return index < 0 ? undefined : { groupId: id, index };
  }
  const section = arrangement.find(({ components }) => components.includes(id));
  return section === undefined ? undefined : { groupId: section.groupId, index: section.components.indexOf(id) };
}

/** The arrangement with a piece at a place; the index counts without the piece itself. */
export function move(arrangement: Arrangement, piece: Piece, place: Place): Arrangement {
  return piece.kind === "group" ? moveGroup(arrangement, piece.id, place.index) : moveComponent(arrangement, piece.id, place);
}

function moveComponent(arrangement: Arrangement, id: number, { groupId, index }: Place): Arrangement {
  if (!arrangement.some((section) => section.groupId === groupId)) return arrangement;
  return arrangement.map((section) => {
    const others = section.components.filter((each) => each !== id);
    if (section.groupId === groupId) return { ...section, components: others.toSpliced(index, 0, id) };
    return others.length === section.components.length ? section : { ...section, components: others };
  });
}

function moveGroup(arrangement: Arrangement, id: number, index: number): Arrangement {
  const groups = groupsOf(arrangement);
  const moved = groups.find(({ groupId }) => groupId === id);
  if (moved === undefined) return arrangement;
  const others = groups.filter((section) => section !== moved);
  return [...arrangement.filter(({ groupId }) => groupId === null), ...others.toSpliced(index, 0, moved)];
}

/** One step up or down: a component at the edge of its group moves into the next one. The same arrangement when it cannot move. */
export function step(arrangement: Arrangement, piece: Piece, by: 1 | -1): Arrangement {
  const place = placeOf(arrangement, piece);
  if (place === undefined) return arrangement;
  if (piece.kind === "group") {
    const index = place.index + by;
    return index < 0 || index >= groupsOf(arrangement).length ? arrangement : moveGroup(arrangement, piece.id, index);
  }
  const at = arrangement.findIndex(({ groupId }) => groupId === place.groupId);
  const within = place.index + by;
  const length = arrangement[at]?.components.length ?? 0;
  if (within >= 0 && within < length) return moveComponent(arrangement, piece.id, { ...place, index: within });
  const next = arrangement[at + by];
  if (next === undefined) return arrangement;
  return moveComponent(arrangement, piece.id, { groupId: next.groupId, index: by === 1 ? 0 : next.components.length });
}

/** To the first or the last place among its like: a component in its group, a group on the page. */
export function toEdge(arrangement: Arrangement, piece: Piece, edge: "first" | "last"): Arrangement {
  const place = placeOf(arrangement, piece);
  if (place === undefined) return arrangement;
  return move(arrangement, piece, { ...place, index: edge === "first" ? 0 : Number.MAX_SAFE_INTEGER });
}

/** What is sent to the server. */
export function orderOf(arrangement: Arrangement): Order {
  return {
    groups: arrangement.flatMap(({ groupId }) => (groupId === null ? [] : [groupId])),
    components: arrangement.flatMap(({ groupId, components }) => components.map((id) => ({ id, group_id: groupId }))),
  };
}

export function isSameOrder(one: Arrangement, other: Arrangement): boolean {
  return JSON.stringify(orderOf(one)) === JSON.stringify(orderOf(other));
}

/** Where a piece stands, in words: `position 2 of 5 in Shop`. */
export function placeWords(arrangement: Arrangement, piece: Piece, groupName: (id: number) => string): string {
  const place = placeOf(arrangement, piece);
  if (place === undefined) return "no position";
  if (piece.kind === "group") return `position ${place.index + 1} of ${groupsOf(arrangement).length}`;
  const count = arrangement.find(({ groupId }) => groupId === place.groupId)?.components.length ?? 0;
  return `position ${place.index + 1} of ${count} ${place.groupId === null ? "without a group" : `in ${groupName(place.groupId)}`}`;
}

function groupsOf(arrangement: Arrangement): readonly Section[] {
  return arrangement.filter(({ groupId }) => groupId !== null);
}
