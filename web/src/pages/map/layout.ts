import type { Band, Member, Network } from "./bands.ts";

/** Where something of a drawing stands. Each container stands left of what it needs; a lane is where lines pass between containers. */
export interface Placed {
  key: string;
  column: number;
  row: number;
  /** Neither this nor a network: a lane. */
  member: Member | undefined;
  network: Network | undefined;
}

export interface Line {
  from: string;
  to: string;
}

export interface Drawing {
  places: ReadonlyMap<string, Placed>;
  /** From left to right. One that passes columns goes from lane to lane. */
  lines: readonly Line[];
  columns: number;
  /** The members that nothing joins to others of the group: they stand below. */
  loose: readonly Member[];
}

type Ids = ReadonlyMap<number, readonly number[]>;

export function containerKey(id: number): string {
  return `container ${id}`;
}

/** All lines to one container pass a column in the same lane. */
function laneKey(to: number, column: number): string {
  return `lane ${to} ${column}`;
}

/** Something to be placed: a container, or what joins containers, which stands left of all of them. */
interface Node {
  id: number;
  needs: readonly number[];
  member: Member | undefined;
  network: Network | undefined;
}

/** Places the containers of a group, and what joins them. What a container needs of other groups is in no drawing. */
export function drawingOf({ members: containers, networks }: Pick<Band, "members" | "networks">): Drawing {
  const members: Node[] = [
    ...containers.map((member) => ({ id: member.id, needs: member.needs, member, network: undefined })),
    // Ids of containers are positive.
    ...networks.map((network, index) => ({ id: -1 - index, needs: network.members, member: undefined, network })),
  ];
  const own = new Map(members.map((member) => [member.id, member]));
  const needs = withoutCircles(members, new Map(members.map(({ id, needs: all }) => [id, all.filter((needed) => own.has(needed))])));
  const isNeeded = new Set([...needs.values()].flat());
  const isJoined = ({ id }: { id: number }): boolean => (needs.get(id)?.length ?? 0) > 0 || isNeeded.has(id);
  const joined = members.filter(isJoined);
  const heights = heightsOf(joined, needs);
  const columns = joined.length === 0 ? 0 : 1 + Math.max(...heights.values());
  const columnOf = (id: number): number => columns - 1 - (heights.get(id) ?? 0);

  const items = new Map<string, Placed>();
  for (const { id, member, network } of joined) {
    const key = containerKey(id);
    items.set(key, { key, column: columnOf(id), row: 0, member, network });
  }
  const lines = new Map<string, Line>();
  for (const { id } of joined) {
    for (const needed of needs.get(id) ?? []) {
      let from = containerKey(id);
      for (let column = columnOf(id) + 1; column <= columnOf(needed); column += 1) {
        const to = column === columnOf(needed) ? containerKey(needed) : laneKey(needed, column);
        if (!items.has(to)) items.set(to, { key: to, column, row: 0, member: undefined, network: undefined });
        lines.set(`${from} ${to}`, { from, to });
        from = to;
      }
    }
  }
  const all = [...lines.values()];
  return {
    places: inRows([...items.values()], all, columns),
    lines: all,
    columns,
    loose: containers.filter((member) => !isJoined(member)),
  };
}

/** How often the columns are sorted, each by the one before: more changes next to nothing. */
const SWEEPS = 4;

/** Gives each item of a column a row, so that few lines cross and most are straight. */
function inRows(items: readonly Placed[], lines: readonly Line[], columns: number): Map<string, Placed> {
  const places = new Map(items.map((item) => [item.key, item]));
  const before = Map.groupBy(lines, ({ to }) => to);
  const after = Map.groupBy(lines, ({ from }) => from);
  const byColumn = Array.from({ length: columns }, (_, column) => items.filter((item) => item.column === column));
  const rowsBeside = (key: string, side: "before" | "after"): number[] =>
    (side === "before" ? before.get(key)?.map(({ from }) => from) : after.get(key)?.map(({ to }) => to))?.flatMap(
      (other) => places.get(other)?.row ?? [],
    ) ?? [];

  for (const column of byColumn) for (const [row, { key }] of column.entries()) setRow(places, key, row);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const side = sweep % 2 === 0 ? "before" : "after";
    for (const column of side === "before" ? byColumn : byColumn.toReversed()) {
      const wanted = new Map(column.map(({ key }) => [key, meanOf(rowsBeside(key, side)) ?? places.get(key)?.row ?? 0]));
      column.sort((a, b) => (wanted.get(a.key) ?? 0) - (wanted.get(b.key) ?? 0));
      let free = 0;
      for (const { key } of column) {
        const row = Math.max(free, Math.round(wanted.get(key) ?? 0));
        setRow(places, key, row);
        free = row + 1;
      }
    }
  }
  return withoutEmptyRows(places);
}

function setRow(places: Map<string, Placed>, key: string, row: number): void {
  const place = places.get(key);
  if (place !== undefined) places.set(key, { ...place, row });
}

function withoutEmptyRows(places: ReadonlyMap<string, Placed>): Map<string, Placed> {
  const used = [...new Set([...places.values()].map(({ row }) => row))].sort((a, b) => a - b);
  const rows = new Map(used.map((row, index) => [row, index]));
  return new Map([...places].map(([key, place]) => [key, { ...place, row: rows.get(place.row) ?? 0 }]));
}

function meanOf(rows: readonly number[]): number | undefined {
  return rows.length === 0 ? undefined : rows.reduce((sum, row) => sum + row, 0) / rows.length;
}

/** How many steps at most lead from a container to one that needs nothing. */
function heightsOf(members: readonly { id: number }[], needs: Ids): Map<number, number> {
  const heights = new Map<number, number>();
  // Without recursion: a chain may be thousands long.
  const open = members.map(({ id }) => id);
  for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
    const needed = needs.get(id) ?? [];
    const missing = heights.has(id) ? [] : needed.filter((each) => !heights.has(each));
    if (missing.length > 0) {
      open.push(...missing);
      continue;
    }
    open.pop();
    heights.set(id, Math.max(-1, ...needed.map((each) => heights.get(each) ?? 0)) + 1);
  }
  return heights;
}

/** The same without the needs that lead back in a circle. */
function withoutCircles(members: readonly { id: number }[], needs: Ids): Map<number, number[]> {
  const kept = new Map<number, number[]>();
  const done = new Set<number>();
  for (const { id: root } of members) {
    if (kept.has(root)) continue;
    const path = [{ id: root, left: [...(needs.get(root) ?? [])] }];
    kept.set(root, []);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.shift();
      if (next === undefined) {
        done.add(top.id);
        path.pop();
        continue;
      }
      const isSeen = kept.has(next);
      if (isSeen && !done.has(next)) continue;
      kept.get(top.id)?.push(next);
      if (isSeen) continue;
      kept.set(next, []);
      path.push({ id: next, left: [...(needs.get(next) ?? [])] });
    }
  }
  return kept;
}

/** All that hangs on something, and all that it hangs on itself, by keys; itself too. */
export function connectedTo(key: string, lines: readonly Line[]): ReadonlySet<string> {
  const forward = Map.groupBy(lines, ({ from }) => from);
  const backward = Map.groupBy(lines, ({ to }) => to);
  const found = new Set<string>();
  function follow(next: (at: string) => string[]): void {
    const open = [key];
    const seen = new Set<string>();
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      found.add(at);
      open.push(...next(at));
    }
  }
  follow((at) => forward.get(at)?.map(({ to }) => to) ?? []);
  follow((at) => backward.get(at)?.map(({ from }) => from) ?? []);
  return found;
}
