import type { Locator, Page } from "playwright-core";
import { until } from "./until.ts";

/** Finds a name in a picker by typing, chooses it, and moves to the next field. */
export async function pick(page: Page, picker: Locator, name: string): Promise<void> {
  await picker.focus();
  await page.keyboard.type(name);
  await page.locator("[role=option][data-highlighted]").filter({ hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.getByRole("listbox").waitFor({ state: "hidden" });
}

/** Leaves a window by Escape, and gives up what was written there when asked. */
export async function escape(page: Page): Promise<void> {
  const discard = page.getByRole("alertdialog").getByRole("button", { name: "Discard" });
  await page.keyboard.press("Escape");
  const isOver = async (): Promise<boolean> => (await page.getByRole("dialog").count()) === 0;
  if (
    (await until(async () => ((await discard.isVisible()) ? "asked" : (await isOver()) && "over"), {
      what: "the window or its question",
    })) === "asked"
  )
    await discard.click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}
