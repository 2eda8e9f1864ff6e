import { useLayoutEffect, useRef, type Dispatch } from "react";

type Edit = (text: string) => string;

interface HeldKeys {
  onEscape: () => void;
  /** Takes what is typed; otherwise it is dropped. */
  onText?: Dispatch<Edit>;
}

/** While a window is opening, keys are kept from the page below: from the key that opens it until something in a window has the focus. */
export function useHeldKeys(held: HeldKeys): void {
  const latest = useRef(held);
  useLayoutEffect(() => {
    latest.current = held;
  });

  useLayoutEffect(() => {
    function hold(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isInWindow(event.target)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { onEscape, onText } = latest.current;
      if (event.key === "Escape") onEscape();
      const edit = editOf(event.key);
      if (edit !== undefined) onText?.(edit);
    }

    window.addEventListener("keydown", hold, { capture: true });
    return () => window.removeEventListener("keydown", hold, { capture: true });
  }, []);
}

function isInWindow(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null;
}

/** What a key does to the text that is being typed; undefined: nothing. */
export function editOf(key: string): Edit | undefined {
  if (key === "Backspace") return (text) => text.slice(0, -1);
  return [...key].length === 1 ? (text) => text + key : undefined;
}
