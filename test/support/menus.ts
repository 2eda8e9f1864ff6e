import type { Page } from "playwright-core";
import { overflow } from "./page-checks.ts";
import { themeFaults } from "./themes.ts";

/** Opens every menu of the page with the mouse, and closes it with Escape. */
export async function menuFaults(page: Page, where: string): Promise<string[]> {
  const faults: string[] = [];
  const dialog = page.getByRole("dialog");
  // What is below an open window cannot be pressed.
  const scope = (await dialog.count()) > 0 ? dialog : page;
  const buttons = scope.locator("button[aria-haspopup=menu]:visible");
  const menu = page.getByRole("menu");
  for (let index = 0; index < (await buttons.count()); index += 1) {
    const button = buttons.nth(index);
    const name = `${where}: ${(await button.textContent()) || (await button.getAttribute("aria-label"))}`;
    await button.click();
    await menu.waitFor();
    faults.push(...(await themeFaults(page, name, { part: "[role=menu]", more: () => overflow(page, name) })));
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
  }
  return faults;
}
