import type { Piece, Place } from "../arrangement.ts";

/** Where a section of the page is drawn, with its rows; pixels from the top of anything that all share. */
export interface DrawnSection {
  groupId: number | null;
  top: number;
  bottom: number;
  /** Where its first row stands, or would stand. */
  rowsTop: number;
  rows: readonly { id: number; top: number; bottom: number }[];
}

export interface Drop {
  place: Place;
  /** Where a line is drawn that shows the place. */
  lineY: number;
}

/** Where a piece goes that is let go at a height. Its own place does not count. */
export function dropPlace(sections: readonly DrawnSection[], piece: Piece, y: number): Drop | undefined {
  return piece.kind === "group" ? dropGroup(sections, piece.id, y) : dropComponent(sections, piece.id, y);
}

function dropComponent(sections: readonly DrawnSection[], id: number, y: number): Drop | undefined {
  const section = sections.findLast(({ top }) => top <= y) ?? sections[0];
  if (section === undefined) return undefined;
  const others = section.rows.filter((row) => row.id !== id);
  const index = others.filter(({ top, bottom }) => (top + bottom) / 2 < y).length;
  const lineY = others[index]?.top ?? others.at(-1)?.bottom ?? section.rowsTop;
  return { place: { groupId: section.groupId, index }, lineY };
}

function dropGroup(sections: readonly DrawnSection[], id: number, y: number): Drop | undefined {
  const others = sections.filter(({ groupId }) => groupId !== null && groupId !== id);
  const index = others.filter(({ top, bottom }) => (top + bottom) / 2 < y).length;
  const lineY = others[index]?.top ?? others.at(-1)?.bottom;
  return lineY === undefined ? undefined : { place: { groupId: id, index }, lineY };
}
