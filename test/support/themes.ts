import type { Page } from "playwright-core";
import { painted, violations } from "./page-checks.ts";

/** A theme changes colours only: in dark, axe repeats the rules about colours. */
export const THEMES = [
  { colorScheme: "light", rules: undefined },
  { colorScheme: "dark", rules: ["color-contrast", "link-in-text-block"] },
] as const;

interface Looking {
  /** Where axe looks; otherwise everywhere. */
  part?: string;
  /** What else is looked for in each theme. */
  more?: () => Promise<string[]>;
}

/** What is wrong with a page as it is now in light and in dark. It is light afterwards. */
export async function themeFaults(page: Page, where: string, { part, more }: Looking = {}): Promise<string[]> {
  const faults: string[] = [];
  for (const { colorScheme, rules } of THEMES) {
    await page.emulateMedia({ colorScheme });
    await painted(page);
    const found = [...((await more?.()) ?? []), ...(await violations(page, where, part, rules))];
    faults.push(...found.map((fault) => `${fault} (${colorScheme})`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return faults;
}
