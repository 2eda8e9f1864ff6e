import type { Page } from "playwright-core";

/** What is wrong with a page that can be asked for at once: it is too wide, or something moves where nothing may. */
export async function quickFaults(page: Page, where: string): Promise<string[]> {
  return (await page.evaluate<string[]>(COMMON)).map((fault) => `${where}: ${fault}`);
}

/** On a phone, what a finger misses easily. */
export async function smallTargets(page: Page, where: string): Promise<string[]> {
  return (await page.evaluate<string[]>(SMALL_TARGETS)).map((fault) => `${where}: ${fault}`);
}

const COMMON = `(() => {
  const tooWide = document.documentElement.scrollWidth - window.innerWidth;
  const moving = document.getAnimations().filter(({ playState }) => playState === "running").map(({ effect }) => effect.target?.outerHTML.slice(0, 120));
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return [...(tooWide > 0 ? [tooWide + " px too wide"] : []), ...(isReduced ? moving.map((html) => "moves: " + html) : [])];
})()`;

/**
 * What can be pressed and is hit less than 40 px around its middle. A link within a sentence is as high as its line, and what the app says
 * elsewhere is pressed by keys alone is no target.
 */
const SMALL_TARGETS = `(() => {
  const HALF = 19;
  const faults = new Set();
  const isInSentence = (element) =>
    element.matches("a, button, summary") && getComputedStyle(element).display === "inline" &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
  for (const element of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=checkbox], [role=slider], [role=switch]")) {
    if (element.disabled || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isInSentence(element)) continue;
    if (element.closest("[aria-hidden=true], [inert]") !== null || element.matches("[tabindex='-1']")) continue;
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const [x, y] = [left + width / 2, top + height / 2];
    const hits = (atX, atY) => {
      if (atX < 0 || atY < 0 || atX >= innerWidth || atY >= innerHeight) return true;
      const hit = document.elementFromPoint(atX, atY);
      if (hit === null) return false;
      const label = hit.closest("label");
      return element === hit || element.contains(hit) || label?.control === element || (hit.contains(element) && hit.matches("[data-target]"));
    };
    if (!hits(x, y)) continue;
    if (hits(x, y - HALF) && hits(x, y + HALF) && (width > 2 * HALF || (hits(x - HALF, y) && hits(x + HALF, y)))) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
    faults.add("under 40 px: " + element.localName + " " + name + " (" + Math.round(width) + " x " + Math.round(height) + ")");
  }
  scrollTo(0, 0);
  return [...faults];
})()`;

/** What can be pressed and Tab never came to, after a walk through the page that called {@link markStop} at each stop. */
export async function unreached(page: Page, where: string): Promise<string[]> {
  const names = await page.evaluate<string[]>(UNREACHED);
  return names.map((name) => `${where}: Tab never comes to ${name}`);
}

/** Notes what is there to be pressed before a walk by Tab. */
export function beginWalk(page: Page): Promise<unknown> {
  return page.evaluate(`window.walk = { seen: new Set(), before: [...document.querySelectorAll("${PRESSABLE}")] }; undefined`);
}

export function markStop(page: Page): Promise<unknown> {
  return page.evaluate("window.walk.seen.add(document.activeElement); undefined");
}

const PRESSABLE = "a[href], button, input, select, textarea, summary";
/** Whose members take turns: one of them is a stop of Tab, arrow keys or a key of the list lead to the others. */
const TAKES_TURNS = "[role=group], [role=tablist], [role=radiogroup], [role=toolbar], [role=log], [role=row], [role=columnheader]";
const UNREACHED = `window.walk.before
  .filter((element) => element.isConnected && !element.disabled && element.checkVisibility({ visibilityProperty: true }) && !window.walk.seen.has(element))
  .filter((element) => element.closest("[inert], [aria-hidden=true]") === null && !(element.tabIndex < 0 && element.closest("${TAKES_TURNS}") !== null))
  .filter((element) => !(element.type === "radio" && [...window.walk.seen].some((other) => other.name === element.name)))
  .map((element) => element.outerHTML.slice(0, 160))`;
