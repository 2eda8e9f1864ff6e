/** The ids from the one to the other as they stand, both included; only `to` where `from` is not there any more. */
export function rangeOf(ids: readonly number[], from: number | undefined, to: number): readonly number[] {
  const start = from === undefined ? -1 : ids.indexOf(from);
  const end = ids.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** Marks one, or takes its mark away; with `range`, these become as the one is to be. */
export function toggleMarks(marked: ReadonlySet<number>, id: number, range: readonly number[] = [id]): ReadonlySet<number> {
  const isMarked = !marked.has(id);
  const next = new Set(marked);
  for (const each of range) {
    if (isMarked) next.add(each);
    else next.delete(each);
  }
  return next;
}
