import { useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
import type { Piece, Place } from "../arrangement.ts";
import { dropPlace, type DrawnSection } from "./drop-place.ts";

/** A press that moves less is none. */
const START_PX = 4;
/** So near to the top or the foot of the window the page scrolls along. */
const EDGE_PX = 72;
const SCROLL_PX = 12;

export interface Dragged {
  piece: Piece;
  /** How far it was taken from its place. */
  offsetPx: number;
  /** Where it would go, from the top of the board; undefined when nowhere. */
  lineY: number | undefined;
}

interface Press {
  piece: Piece;
  startY: number;
  clientY: number;
  isMoved: boolean;
  place: Place | undefined;
}

/**
 * Moves a piece by mouse or finger, held at its handle. The board is read from the page: sections have `data-section` (their group's id,
 * or nothing), rows `data-row`.
 */
export function usePointerDrag(board: RefObject<HTMLElement | null>, onPlace: (piece: Piece, place: Place) => void) {
  const press = useRef<Press | undefined>(undefined);
  const wasDragged = useRef(false);
  const [dragged, setDragged] = useState<Dragged | undefined>(undefined);
  const isDragging = dragged !== undefined;

  function follow(): void {
    const { current } = press;
    const node = board.current;
    if (current === undefined || node === null) return;
    const boardTop = node.getBoundingClientRect().top;
    const y = current.clientY - boardTop;
    const drop = dropPlace(drawnSections(node, boardTop), current.piece, y);
    current.place = drop?.place;
    setDragged({ piece: current.piece, offsetPx: y - current.startY, lineY: drop?.lineY });
  }

  function end(isKept: boolean): void {
    const { current } = press;
    press.current = undefined;
    setDragged(undefined);
    if (isKept && current?.isMoved === true && current.place !== undefined) onPlace(current.piece, current.place);
  }

  const latest = useRef({ follow, end });
  useEffect(() => {
    latest.current = { follow, end };
  });

  useEffect(() => {
    if (!isDragging) return undefined;
    let frame = requestAnimationFrame(scroll);
    function scroll(): void {
      const clientY = press.current?.clientY ?? 0;
      const by = clientY < EDGE_PX ? -SCROLL_PX : clientY > window.innerHeight - EDGE_PX ? SCROLL_PX : 0;
      const before = window.scrollY;
      if (by !== 0) window.scrollBy(0, by);
      if (window.scrollY !== before) latest.current.follow();
      frame = requestAnimationFrame(scroll);
    }
    function cancel(event: KeyboardEvent): void {
      if (event.key !== "Escape") return;
      event.preventDefault();
      latest.current.end(false);
    }
    window.addEventListener("keydown", cancel, true);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("keydown", cancel, true);
    };
  }, [isDragging]);

  return {
    dragged,
    /** Whether a click is the end of a drag. One by keys has the detail 0, and never is. */
    isDragEnd: (detail: number) => detail > 0 && wasDragged.current,
    handleProps: (piece: Piece) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        wasDragged.current = false;
        const top = board.current?.getBoundingClientRect().top;
        if (event.button !== 0 || top === undefined) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = { piece, startY: event.clientY - top, clientY: event.clientY, isMoved: false, place: undefined };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const { current } = press;
        const top = board.current?.getBoundingClientRect().top;
        if (current === undefined || top === undefined) return;
        current.clientY = event.clientY;
        if (!current.isMoved && Math.abs(event.clientY - top - current.startY) < START_PX) return;
        current.isMoved = true;
        wasDragged.current = true;
        follow();
      },
      onPointerUp: () => end(true),
      onPointerCancel: () => end(false),
    }),
  };
}

function drawnSections(board: HTMLElement, boardTop: number): DrawnSection[] {
  return [...board.querySelectorAll<HTMLElement>("[data-section]")].map((section) => {
    const { top, bottom } = section.getBoundingClientRect();
    const list = section.querySelector("[data-rows]")?.getBoundingClientRect();
    const rows = [...section.querySelectorAll<HTMLElement>("[data-row]")].map((row) => {
      const drawn = row.getBoundingClientRect();
      return { id: Number(row.dataset["row"]), top: drawn.top - boardTop, bottom: drawn.bottom - boardTop };
    });
    const id = section.dataset["section"] ?? "";
    return {
      groupId: id === "" ? null : Number(id),
      top: top - boardTop,
      bottom: bottom - boardTop,
      rowsTop: (list?.top ?? bottom) - boardTop,
      rows,
    };
  });
}
