import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./browser.ts";
import { overflow, painted, violations } from "./page-checks.ts";
import { isLong } from "./repetitions.ts";
import { THEMES } from "./themes.ts";

const NARROW = { ...PHONE, width: 360 };
const VIEWPORTS = isLong() ? [NARROW, PHONE, DESKTOP] : [NARROW, DESKTOP];
/** Where axe looks: it takes ten times as long as all else. */
const CLOSELY = isLong() ? [NARROW, DESKTOP] : [DESKTOP];

/** What is wrong with how the page looks, wide and narrow, light and dark: wider than the screen, and what axe finds within `part`. */
export async function looks(page: Page, where: string, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    await painted(page);
    faults.push(...(await overflow(page, `${where} at ${viewport.width} px`)));
    if (!CLOSELY.includes(viewport)) continue;
    for (const { colorScheme, rules } of THEMES) {
      await page.emulateMedia({ colorScheme });
      await painted(page);
      faults.push(...(await violations(page, `${where}, ${colorScheme}, at ${viewport.width} px`, part, rules)));
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  return faults;
}
