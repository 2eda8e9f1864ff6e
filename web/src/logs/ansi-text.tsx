import type { CSSProperties } from "react";
import { classNames } from "../ui/class-names.ts";
import { parseAnsi, type TextStyle } from "./ansi.ts";
import { coloursOf } from "./ansi-colours.ts";
import "./ansi.css";
import { decorate, type Piece } from "./decorate.ts";
import type { Finder } from "./find.ts";
import { findLevel } from "../../../src/contract/log-level.ts";

interface Properties {
  /** One line as it was written, escape sequences and all. */
  line: string;
  finder?: Finder | null;
  /** What was found in it is where the reader is. */
  isCurrent?: boolean;
  /** Characters shown at most. */
  limit?: number;
}

/** A line of a log in its colours: as text, never as markup. */
export function AnsiText({ line, finder = null, isCurrent = false, limit = Number.POSITIVE_INFINITY }: Properties) {
  const spans = parseAnsi(line);
  const plain = spans.map((span) => span.text).join("");
  const pieces = cut(decorate(spans, finder?.rangesIn(plain) ?? [], findLevel(plain)), limit);
  return (
    <span dir="ltr" className="[unicode-bidi:isolate]">
      {pieces.map((piece, index) => drawPiece(piece, index, isCurrent))}
    </span>
  );
}

function drawPiece(piece: Piece, key: number, isCurrent: boolean) {
  if (piece.isFound) {
    return (
      <mark key={key} className={isCurrent ? "rounded-[2px] bg-accent text-on-accent" : "rounded-[2px] bg-(--found) text-(--found-ink)"}>
        {piece.text}
      </mark>
    );
  }
  if (piece.style === null) return piece.level === null ? piece.text : drawLevel(piece, key);
  return (
    <span key={key} className={fontOf(piece.style)} style={colours(piece.style)}>
      {piece.text}
    </span>
  );
}

const LEVEL_COLOURS = { error: "text-down", warn: "text-degraded", info: "text-ink-2", debug: "text-ink-3" } as const;

function drawLevel({ text, level }: Piece, key: number) {
  return (
    <span key={key} className={level === null ? undefined : LEVEL_COLOURS[level]}>
      {text}
    </span>
  );
}

function colours(style: TextStyle): CSSProperties {
  const own = coloursOf(style);
  return style.dim && own.color === undefined ? { color: "var(--ink-2)" } : own;
}

function fontOf({ bold, italic, underline, strike }: TextStyle): string {
  const line = underline && strike ? "[text-decoration:underline_line-through]" : underline ? "underline" : strike ? "line-through" : false;
  return classNames(bold && "font-bold", italic && "italic", line);
}

function cut(pieces: readonly Piece[], limit: number): Piece[] {
  const kept: Piece[] = [];
  let room = limit;
  for (const piece of pieces) {
    if (room <= 0) break;
    kept.push(piece.text.length <= room ? piece : { ...piece, text: piece.text.slice(0, room) });
    room -= piece.text.length;
  }
  return kept;
}
