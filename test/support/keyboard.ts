import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

/** No page has as many stops: a search in logs shows 200 lines, each with two. */
export const MOST_STOPS = 600;

interface Stop {
  name: string;
  /** Why the focus could not be seen; empty: it can. */
  fault: string;
}

/** What has the focus; null when only the page as a whole has it. */
export function focusedStop(page: Page): Promise<Stop | null> {
  return page.evaluate<Stop | null>(FOCUSED);
}

/** Goes by Tab to `target`; the focus must be visible at every stop on the way. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_STOPS) {
    await page.keyboard.press(key);
    const stop = await focusedStop(page);
    if (stop !== null) assert.equal(stop.fault, "", `${page.url()}: ${stop.name}, after ${passed.at(-1) ?? "nothing"}`);
    passed.push(stop?.name ?? "the page");
    if (await hasFocus(target)) return;
  }
  assert.fail(`${page.url()}: ${String(target)} is not among ${passed.join(" | ")}`);
}

/** Resolves once something of the page has the focus: keyboard users continue from where they were, not from its top. */
export async function notLost(page: Page): Promise<void> {
  await until(() => page.evaluate<boolean>(`document.activeElement.closest("main") !== null`), {
    what: async () => `the focus in the page; it is at ${await page.evaluate<string>("document.activeElement.outerHTML.slice(0, 200)")}`,
  });
}

/** Goes by Tab to `target` and presses it. */
export async function pressWithKeys(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes through the whole page by Tab, from its top; the focus must be visible at every stop. Resolves to the names of the stops. */
export async function tabThrough(page: Page): Promise<string[]> {
  const stops: string[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press("Tab");
    const stop = await focusedStop(page);
    if (stop === null) return stops;
    assert.equal(stop.fault, "", `${page.url()}: stop ${stops.length} (${stop.name}) after ${stops.at(-1) ?? "nothing"}`);
    stops.push(stop.name);
  }
  return assert.fail(`${page.url()}: Tab never leaves the page: ${stops.slice(-20).join(" | ")}`);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements) => elements.length === 1 && elements[0]?.matches(":focus") === true);
}

/** Null at the end of the page; else what has the focus, and why it could not be seen. Within a frame of this server, what has it there. */
const FOCUSED = `(() => {
  let element = document.activeElement;
  let view = window;
  while (element instanceof HTMLIFrameElement && (element.contentDocument?.activeElement ?? null) !== null) {
    view = element.contentWindow;
    element = element.contentDocument.activeElement;
  }
  if (element === null || element === document.body) return null;
  const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
  const { width, height, top, bottom, left, right } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return { name, fault: "has no size" };
  if (bottom <= 0 || top >= view.innerHeight || right <= 0 || left >= view.innerWidth) return { name, fault: "is outside of the window" };
  // The browser itself marks the button within it that opens a calendar.
  if (element.matches("input[type^=date]:not(:focus-visible)")) return { name, fault: "" };
  for (let each = element; each !== null; each = each.parentElement) {
    const style = view.getComputedStyle(each);
    if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) return { name, fault: "" };
    const after = view.getComputedStyle(each, "::after");
    if (after.content !== "none" && after.outlineStyle !== "none" && parseFloat(after.outlineWidth) > 0) return { name, fault: "" };
  }
  return { name, fault: "has no mark of the focus" };
})()`;
