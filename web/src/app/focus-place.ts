import { useEffect } from "react";

/** What takes the keyboard for itself as long as it is open. */
const WINDOW = "[role=dialog]";

/**
 * Keeps the place of whoever goes by keys. When what has the focus is removed, a row that was deleted or a button that did its work,
 * the nearest thing around it that is still there takes the focus, and Tab goes on from there.
 */
export function useFocusPlace(): void {
  useEffect(() => {
    /** What was focused last in the page and in each window, with all that is around it, from the inside. */
    const places = new WeakMap<Element, HTMLElement[]>();

    function remember({ target }: FocusEvent): void {
      if (!(target instanceof HTMLElement)) return;
      const scope = target.closest(`${WINDOW}, main`);
      if (scope !== null) places.set(scope, pathTo(target, scope));
    }

    function recover(): void {
      if (document.activeElement !== document.body) return;
      const scope = document.querySelector(WINDOW) ?? document.querySelector("main");
      const place = scope === null ? undefined : places.get(scope);
      if (scope === null || place?.[0] === undefined || place[0].isConnected) return;
      places.delete(scope);
      takeFocus(place.find((each) => each.isConnected));
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

/** Focuses what is no stop of its own, for as long as it has the focus. */
function takeFocus(element: HTMLElement | undefined): void {
  if (element === undefined) return;
  if (!element.hasAttribute("tabindex")) {
    element.tabIndex = -1;
    element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  }
  element.focus({ preventScroll: true });
}
