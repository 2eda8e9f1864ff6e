import type { Page } from "playwright-core";
import { DESKTOP, PHONE } from "./browser.ts";
import { overflow, painted, violations } from "./page-checks.ts";

/** A theme changes colours only: of it just their contrast is looked at. */
const THEMES = [
  { colorScheme: "light", rules: undefined },
  { colorScheme: "dark", rules: ["color-contrast"] },
] as const;

/** What is wrong with how the page looks, wide and narrow, light and dark: wider than the screen, and what axe finds within `part`. */
export async function looks(page: Page, where: string, part?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const { colorScheme, rules } of THEMES) {
      await page.emulateMedia({ colorScheme });
      await painted(page);
      faults.push(...(await violations(page, `${where}, ${colorScheme}, at ${viewport.width} px`, part, rules)));
    }
    faults.push(...(await overflow(page, `${where} at ${viewport.width} px`)));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return faults;
}
