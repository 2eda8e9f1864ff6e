import type { Locator, Page } from "playwright-core";

/** Finds a name in a picker by typing, chooses it, and goes on to the next field. */
export async function pick(page: Page, picker: Locator, name: string): Promise<void> {
  await picker.focus();
  await page.keyboard.type(name);
  await page.locator("[role=option][data-highlighted]").filter({ hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
}

/** Leaves a window by Escape. */
export async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}
