import type { Page } from "playwright-core";
import { focusedStop, MOST_STOPS } from "./keyboard.ts";

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
 * What can be pressed and is less than 40 px high or wide through its middle. A link within a sentence is as high as its line, and what the app says
 * elsewhere is pressed by keys alone is no target.
 */
const SMALL_TARGETS = `(() => {
  // Sizes are fractions of a pixel less than what they were set to.
  const LEAST = 39.5;
  const STEP = 0.5;
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
    const reach = (stepX, stepY) => {
      let pixels = 0;
      while (pixels < LEAST && hits(x + stepX * (pixels + STEP), y + stepY * (pixels + STEP))) pixels += STEP;
      return pixels;
    };
    // Bars of a drawing are as wide as there is room; a finger is drawn over them.
    const isBar = element.parentElement.matches("[role=group]:has(> [tabindex='-1'])");
    const isHigh = reach(0, -1) + STEP + reach(0, 1) >= LEAST;
    if (isHigh && (isBar || width >= LEAST || reach(-1, 0) + STEP + reach(1, 0) >= LEAST)) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
    faults.add("under 40 px: " + element.localName + " " + name + " (" + Math.round(width) + " x " + Math.round(height) + ")");
  }
  scrollTo(0, 0);
  return [...faults];
})()`;

/**
 * Goes by Tab from the top of the page to its end, or around the window that is open: where the focus cannot be seen, and what can be pressed and
 * Tab never came to.
 */
export async function walkByTab(page: Page, where: string): Promise<string[]> {
  await page.evaluate(BEGIN);
  const faults: string[] = [];
  for (let stops = 0; ; stops += 1) {
    await page.keyboard.press("Tab");
    const stop = await focusedStop(page);
    if (stop === null || (await page.evaluate<boolean>("window.walk.again >= 3"))) break;
    if (stops === MOST_STOPS) return [...faults, `${where}: Tab never leaves the page; it is at ${stop.name}`];
    if (stop.fault !== "") faults.push(`${where}: ${stop.name} ${stop.fault}`);
  }
  const unreached = await page.evaluate<string[]>(UNREACHED);
  return [...faults, ...unreached.map((html) => `${where}: Tab never comes to ${html}`)];
}

const PRESSABLE = "a[href], button, input, select, textarea, summary";
/** The visit before may have ended anywhere, and Tab continues from the last focus: the focus is put back to the top, of the dialog where one is open. */
const BEGIN = `(() => {
  const top = document.querySelector("[role=dialog], [role=alertdialog]") ?? document.body;
  if (top === document.body) top.tabIndex = -1;
  top.focus({ preventScroll: true });
  if (top === document.body) top.removeAttribute("tabindex");
  scrollTo(0, 0);
  const isListening = window.walk !== undefined;
  window.walk = { seen: new Set(), again: 0, before: [...document.querySelectorAll("${PRESSABLE}")] };
  if (isListening) return;
  addEventListener("focusin", ({ target }) => {
    const { walk } = window;
    // A window may take the focus back once.
    walk.again = walk.seen.has(target) ? walk.again + 1 : 0;
    walk.seen.add(target);
  }, true);
})()`;
/** Whose members take turns: one of them is a stop of Tab, arrow keys lead to the others. */
const TAKES_TURNS =
  "[role=group], [role=tablist], [role=radiogroup], [role=toolbar], [role=log], [role=row], [role=columnheader], table:has(td > [tabindex='0'])";
const UNREACHED = `window.walk.before
  .filter((element) => element.isConnected && !element.disabled && element.checkVisibility({ visibilityProperty: true }) && !window.walk.seen.has(element))
  .filter((element) => element.closest("[inert], [aria-hidden=true]") === null)
  .filter((element) => !(element.tabIndex < 0 && (element.hasAttribute("aria-keyshortcuts") || element.closest("${TAKES_TURNS}") !== null)))
  .filter((element) => !(element.type === "radio" && [...window.walk.seen].some((other) => other.name === element.name)))
  .map((element) => element.outerHTML.slice(0, 160))`;
