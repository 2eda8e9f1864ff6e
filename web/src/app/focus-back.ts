import type { AnyRouter } from "@tanstack/react-router";

/** So many pages that were left are remembered. */
const MOST_PAGES = 50;
/** For so long the link may be on its way: a list that is read again has no rows at first. */
const WITHIN_MS = 2000;

/** After going back to a page, the focus is on the link by which the page was left. */
export function keepFocusOnBack(router: Pick<AnyRouter, "subscribe">): void {
  /** By entry of the browser's history, the address that the link leads to. */
  const left = new Map<string | undefined, string>();

  router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    const href = document.activeElement?.closest("main a")?.getAttribute("href");
    const key = fromLocation?.state.__TSR_key;
    left.delete(key);
    if (href) left.set(key, href);
    for (const oldest of left.keys()) if (left.size > MOST_PAGES) left.delete(oldest);
  });

  router.subscribe("onRendered", ({ toLocation, pathChanged }) => {
    const href = left.get(toLocation.state.__TSR_key);
    if (href === undefined || !pathChanged) return;
    const deadline = performance.now() + WITHIN_MS;
    requestAnimationFrame(function look(): void {
      // Somebody who has moved the focus meanwhile keeps it.
      if (document.activeElement?.matches("body, main") !== true || performance.now() > deadline) return;
      const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
      if (link === null) requestAnimationFrame(look);
      else link.focus({ preventScroll: true });
    });
  });
}
