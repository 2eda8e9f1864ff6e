import { useLayoutEffect, useState, type KeyboardEvent } from "react";
import { isSameOrder, move, placeOf, placeWords, step, toEdge, type Arrangement, type Piece } from "../arrangement.ts";

interface Options {
  arrangement: Arrangement;
  pieceName: (piece: Piece) => string;
  groupName: (id: number) => string;
  onOrder: (arrangement: Arrangement) => void;
}

interface Lifted {
  piece: Piece;
  /** As it is while it is being moved. */
  arrangement: Arrangement;
}

/** How its handle is found in the page. */
export function handleId({ kind, id }: Piece): string {
  return `order-${kind}-${id}`;
}

/** Moves a piece by keys: its handle lifts it, arrows move it, the handle drops it, Escape puts it back. What happens is announced. */
export function useKeyLift({ arrangement, pieceName, groupName, onOrder }: Options) {
  const [lifted, setLifted] = useState<Lifted | undefined>(undefined);
  const [announcement, announce] = useState("");
  // What was dropped is shown until it is in the list, or the list has changed otherwise: rows must not go back and forth.
  const [dropped, setDropped] = useState<{ arrangement: Arrangement; over: Arrangement } | undefined>(undefined);
  if (dropped !== undefined && dropped.over !== arrangement) setDropped(undefined);

  // A row that went into another group is another node.
  useLayoutEffect(() => {
    if (lifted === undefined) return;
    const handle = document.getElementById(handleId(lifted.piece));
    if (handle !== document.activeElement) handle?.focus();
    handle?.scrollIntoView({ block: "nearest" });
  }, [lifted]);

  function where(piece: Piece, now: Arrangement): string {
    return placeWords(now, piece, groupName);
  }

  function drop(): void {
    if (lifted === undefined) return;
    setLifted(undefined);
    announce(`${pieceName(lifted.piece)} dropped at ${where(lifted.piece, lifted.arrangement)}.`);
    save(lifted.arrangement);
  }

  function save(next: Arrangement): void {
    if (isSameOrder(next, arrangement)) return;
    setDropped({ arrangement: next, over: arrangement });
    onOrder(next);
  }

  function putBack(): void {
    if (lifted === undefined) return;
    setLifted(undefined);
    // Back in another group it is another node.
    requestAnimationFrame(() => document.getElementById(handleId(lifted.piece))?.focus());
    announce(`${pieceName(lifted.piece)} is back at ${where(lifted.piece, arrangement)}.`);
  }

  function press(piece: Piece): void {
    if (lifted !== undefined) return drop();
    if (placeOf(arrangement, piece) === undefined) return;
    setLifted({ piece, arrangement });
    announce(`${pieceName(piece)} lifted, ${where(piece, arrangement)}. Arrow keys move it, Space drops it, Escape puts it back.`);
  }

  function moveTo(next: Arrangement): void {
    if (lifted === undefined) return;
    const isMoved = !isSameOrder(next, lifted.arrangement);
    if (isMoved) setLifted({ ...lifted, arrangement: next });
    announce(`${pieceName(lifted.piece)}: ${where(lifted.piece, next)}${isMoved ? "" : ", no further"}.`);
  }

  function handleKey(event: KeyboardEvent): void {
    if (lifted === undefined) return;
    const moves: Record<string, (() => void) | undefined> = {
      ArrowUp: () => moveTo(step(lifted.arrangement, lifted.piece, -1)),
      ArrowDown: () => moveTo(step(lifted.arrangement, lifted.piece, 1)),
      Home: () => moveTo(toEdge(lifted.arrangement, lifted.piece, "first")),
      End: () => moveTo(toEdge(lifted.arrangement, lifted.piece, "last")),
      Escape: putBack,
    };
    const run = moves[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  }

  /** After a drag by pointer, which is done at once. */
  function place(piece: Piece, to: Parameters<typeof move>[2]): void {
    const next = move(arrangement, piece, to);
    if (isSameOrder(next, arrangement)) return;
    announce(`${pieceName(piece)} dropped at ${where(piece, next)}.`);
    save(next);
  }

  return {
    /** What is shown: also what is not dropped yet. */
    shown: lifted?.arrangement ?? dropped?.arrangement ?? arrangement,
    lifted: lifted?.piece,
    announcement,
    press,
    handleKey,
    /** Who goes elsewhere has dropped it. */
    leave: drop,
    place,
  };
}
