import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ComponentList, GroupList } from "../../../src/publishing/status/components/answers.ts";
import { escape, pick } from "../../support/forms.ts";
import { notLost, pressWithKeys, tabThrough, tabTo } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const MARKUP = "<img src=x onerror=alert(1)>";
/** A text that only the server finds to be empty. */
const INVISIBLE = "\u200b";
const MANY = 40;

describe("the components of the status page, in the browser", () => {
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    story = await startWebStory();
    for (const name of ["checkout-job", "search-job", "mail-job"]) await story.send("POST", "heartbeats", { name, interval_seconds: 300 });
    ({ page, complaints } = await story.open("/status-page"));
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const link = (name: string): Locator => main().getByRole("link", { name, exact: true });
  const inDialog = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  const name = (): Locator => dialog().getByLabel("Name", { exact: true });
  const fault = (text: string): Promise<void> => page.getByRole("alert").getByText(text).waitFor();
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  /** `Shop: Search, Checkout`, as the server has it. */
  async function arranged(): Promise<string[]> {
    const { groups } = await story.send<GroupList>("GET", "status/groups");
    const { components } = await story.send<ComponentList>("GET", "status/components");
    return [{ id: null, name: "None" }, ...groups].map(
      (group) =>
        `${group.name}: ${components
          .filter(({ group_id }) => group_id === group.id)
          .map((each) => each.name)
          .join(", ")}`,
    );
  }
  const isArranged = (...wanted: string[]): Promise<true> =>
    until(async () => JSON.stringify(await arranged()) === JSON.stringify(wanted) || undefined, { what: `the order ${wanted.join("; ")}` });

  it("adds a component with the mouse, and says at the field what is wrong", async () => {
    await main().getByRole("heading", { name: "No components yet" }).waitFor();
    await look("no components");
    await main().getByRole("button", { name: "Add component" }).last().click();
    await inDialog("Add component").click();
    await fault("Choose a monitor.");
    await fault("Enter a name.");
    await look("a component that lacks all");
    await pick(page, dialog().getByRole("combobox", { name: "Linked monitor" }), "checkout");
    await name().fill(INVISIBLE);
    await inDialog("Add component").click();
    await fault("Must not be empty");
    await name().fill(`Checkout ${MARKUP}`);
    await inDialog("Add component").click();
    await main().getByText(`Checkout ${MARKUP}`).waitFor();
  });

  it("adds a group and components by keys", async () => {
    await pressWithKeys(page, link("Add group"));
    await focused(name());
    await page.keyboard.press("Enter");
    await fault("Enter a name.");
    await page.keyboard.type("Shop");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { name: "Shop" }).waitFor();
    await focused(link("Add group"));
    for (const [monitor, called] of [
      ["search", "Search"],
      ["mail", "Mail"],
    ] as const) {
      await tabTo(page, link("Add component"), called === "Search" ? "Tab" : "Shift+Tab");
      await page.keyboard.press("Enter");
      await tabTo(page, dialog().getByRole("combobox", { name: "Linked monitor" }));
      await page.keyboard.type(monitor);
      await page.getByRole("option", { name: `${monitor}-job` }).waitFor();
      await page.keyboard.press("Enter");
      await tabTo(page, name());
      await page.keyboard.press("Control+A");
      await page.keyboard.type(called);
      await pressWithKeys(page, dialog().getByLabel("Group"), "s");
      await pressWithKeys(page, inDialog("Add component"));
      await main().getByText(called, { exact: true }).waitFor();
      await focused(link("Add component"));
      await tabTo(page, link("Settings"));
    }
    await isArranged(`None: Checkout ${MARKUP}`, "Shop: Search, Mail");
    await look("few components");
    await tabThrough(page);
  });

  it("orders them by keys, and says where each stands", async () => {
    const handle = button("Move Mail");
    await pressWithKeys(page, handle, "Space");
    await page.getByRole("status").getByText("Mail lifted, position 2 of 2 in Shop.").waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.getByRole("status").getByText("Mail: position 2 of 2 without a group.").waitFor();
    await focused(handle);
    await page.keyboard.press("Escape");
    await page.getByRole("status").getByText("Mail is back at position 2 of 2 in Shop.").waitFor();
    await focused(handle);
    await page.keyboard.press("Space");
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    await page.getByRole("status").getByText("Mail dropped at position 1 of 2 in Shop.").waitFor();
    await isArranged(`None: Checkout ${MARKUP}`, "Shop: Mail, Search");
    await focused(handle);
  });

  it("orders them with the mouse", async () => {
    const place = await button(`Move Checkout ${MARKUP}`).boundingBox();
    const goal = await button("Move Search").boundingBox();
    assert.ok(place !== null && goal !== null);
    await page.mouse.move(place.x + 8, place.y + 8);
    await page.mouse.down();
    await page.mouse.move(goal.x + 8, goal.y + goal.height + 12, { steps: 5 });
    await page.mouse.up();
    await isArranged("None: ", `Shop: Mail, Search, Checkout ${MARKUP}`);
    assert.equal(await dialog().count(), 0);
  });

  it("renames a group, and hides and renames a component, by keys", async () => {
    await pressWithKeys(page, button("Rename Shop"));
    await focused(name());
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Store");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { name: "Store" }).waitFor();
    await focused(button("Rename Store"));
    await pressWithKeys(page, button("Edit Search"));
    await tabTo(page, name());
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Finder");
    await pressWithKeys(page, dialog().getByLabel("Visible on the page"), "Space");
    await pressWithKeys(page, inDialog("Save"));
    await main().getByText("· hidden").waitFor();
    await focused(button("Edit Finder"));
    const shown = await (await fetch(`${story.url}/status/api`)).text();
    assert.deepEqual([shown.includes("Store"), shown.includes("Mail"), shown.includes("Finder")], [true, true, false]);
  });

  it("removes a component and a group once that is confirmed", async () => {
    await pressWithKeys(page, button("Delete Mail"));
    await inDialog("Delete component").waitFor();
    await look("the question");
    await escape(page);
    await focused(button("Delete Mail"));
    await page.keyboard.press("Enter");
    await pressWithKeys(page, inDialog("Delete component"));
    await button("Move Mail").waitFor({ state: "detached" });
    await notLost(page);
    await button("Delete Store").click();
    await dialog().getByText("Its components stay on the page without a group.").waitFor();
    await inDialog("Delete group").click();
    await isArranged(`None: Finder, Checkout ${MARKUP}`);
  });

  it("holds many", async () => {
    for (let number = 1; number <= MANY; number += 1)
      await story.send("POST", "status/components", { name: `Part ${number} ${MARKUP}`, monitor_type: "heartbeat", monitor_id: 1 });
    await button(`Move Part ${MANY} ${MARKUP}`).waitFor();
    await look("many components");
    assert.deepEqual(
      complaints.filter((text) => !/status of 4(00|09)/.test(text)),
      [],
    );
  });
});
