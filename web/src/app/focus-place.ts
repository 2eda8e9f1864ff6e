import { useEffect } from "react";

/** What takes the keyboard for itself as long as it is open. */
const WINDOW = "[role=dialog]";
const PAGE = "#root";

/**
 * Keeps the place of whoever goes by keys. When what has the focus is removed, a row that was deleted or a button that did its work,
 * the nearest thing around it that is still there takes the focus, and Tab continues from there.
 */
export function useFocusPlace(): void {
  useEffect(() => {
    let last: Element | undefined;
    /** What was focused last in the page and in each window, with all that is around it, from the inside. */
    const places = new WeakMap<Element, HTMLElement[]>();

    function remember({ target }: FocusEvent): void {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      const scope = target.closest(`${WINDOW}, ${PAGE}`);
      // On its way around a window the focus may touch the page below it.
      const isPassing = scope?.matches(PAGE) === true && document.querySelector(WINDOW) !== null;
      if (scope !== null && !isPassing) places.set(scope, pathTo(target, scope));
    }

    function recover(): void {
      // An element that still exists was left on purpose.
      if (document.activeElement !== document.body || last === undefined || last.isConnected) return;
      const scope = document.querySelector(WINDOW) ?? document.querySelector(PAGE);
      const place = scope === null ? undefined : places.get(scope)?.find((each) => each.isConnected);
      if (place !== undefined && place !== scope) takeFocus(place);
    }

    const observer = new MutationObserver(recover);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", remember);
    };
  }, []);
}

function pathTo(inner: HTMLElement, outer: Element): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let each: HTMLElement | null = inner; each !== null; each = each === outer ? null : each.parentElement) path.push(each);
  return path;
}

/** Where Tab continues with what the page shows, rather than with the frame around it. */
export function mainElement(): HTMLElement | null {
  return document.getElementById("main");
}

/** After a key that leads to another page. */
export function focusMain(): void {
  mainElement()?.focus({ preventScroll: true });
}

/** Focuses what may be no tab stop itself, for as long as it has the focus. */
export function takeFocus(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
