import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { Dialog, Locator, Page, Worker } from "playwright-core";
import type { ChannelRecord } from "../../../src/alerting/channels/answers.ts";
import type { IncidentRecord } from "../../../src/publishing/status/incidents/answers.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("what is typed into a form, in the browser, when the form is left", () => {
  let story: WebStory;
  let page: Page;

  before(async () => {
    story = await startWebStory();
  });
  after(() => story?.stop());

  afterEach(() => page.context().close());

  async function open(path: string, options: Parameters<WebStory["open"]>[1] = {}): Promise<void> {
    ({ page } = await story.open(path, options));
  }

  const dialog = (): Locator => page.getByRole("dialog");
  const field = (label: string): Locator => page.getByRole("textbox", { name: label, exact: true });
  const question = (): Locator => page.getByRole("alertdialog", { name: "Discard your changes?" });
  const answer = (name: "Discard" | "Keep editing"): Promise<void> => question().getByRole("button", { name }).click();
  const back = (): Promise<void> => page.evaluate("history.back()");
  const path = (): string => page.url().slice(story.url.length);
  const isAt = (address: string): Promise<unknown> => until(() => path() === address, { what: address });

  it("is kept when Back is declined, and given up when it is not", async () => {
    await open("/endpoints");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await field("Name").fill("Shop");
    for (const decline of [() => answer("Keep editing"), () => page.keyboard.press("Escape")]) {
      await back();
      await focused(question().getByRole("button", { name: "Keep editing" }));
      await decline();
      await question().waitFor({ state: "detached" });
      await isAt("/endpoints?create=yes");
      await focused(field("Name"));
      assert.equal(await field("Name").inputValue(), "Shop");
    }
    await back();
    await answer("Discard");
    await dialog().waitFor({ state: "detached" });
    await isAt("/endpoints");
  });

  it("is not asked about by a form that is saved or cancelled, or that nobody changed", async () => {
    await open("/endpoints");
    const add = page.getByRole("button", { name: "Add endpoint" });
    await add.click();
    await field("Name").waitFor();
    await back();
    await dialog().waitFor({ state: "detached" });
    await add.click();
    await field("Name").fill("Shop");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    await isAt("/endpoints");
    await add.click();
    await dialog().getByLabel("URL").fill("https://127.0.0.1:9/");
    await dialog().getByRole("button", { name: "Add and check" }).click();
    await page.waitForURL(/\/endpoints\/\d+$/);

    await page.goto(`${story.url}/heartbeats/new`);
    await field("Name").fill("nightly");
    await page.getByRole("link", { name: "Cancel" }).click();
    await isAt("/heartbeats");
    await page.goto(`${story.url}/heartbeats/new`);
    await field("Name").fill("nightly");
    await page.getByRole("button", { name: "Create heartbeat" }).click();
    await page.waitForURL(/\/heartbeats\/\d+$/);
  });

  it("is not asked about any more once it is saved", async () => {
    await open("/status-page");
    await page.getByRole("navigation", { name: "Status page" }).getByRole("link", { name: "Settings" }).click();
    const isAsked = Promise.withResolvers<void>();
    await page.route("**/api/v1/status/settings", async (route) => {
      if (route.request().method() !== "GET") await isAsked.promise;
      await route.continue();
    });
    await field("Description").fill("Saved");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await back();
    await question().waitFor();
    isAsked.resolve();
    await question().waitFor({ state: "detached" });
    await isAt("/status-page");
    await field("Description").waitFor({ state: "detached" });
  });

  it("is kept by forms that are part of their page", async () => {
    const component = { name: "Checkout", monitor_type: "heartbeat", monitor_id: 1 };
    const { id } = await story.send<{ id: number }>("POST", "status/components", component);
    const report = { title: "Slow", severity: "minor", status: "investigating", message: "We look.", components: [id] };
    const incident = await story.send<IncidentRecord>("POST", "status/incidents", report);
    const channel = await story.send<ChannelRecord>("POST", "channels", { name: "Operations", type: "webhook", url: "https://192.0.2.1/" });
    const { certificate } = await story.send<{ certificate: { id: number } }>("POST", "certificates", { domain: "127.0.0.1", port: 10 });
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await open("/");
    for (const [address, control, text, prepare] of [
      ["/status-page/settings", "Title", "Another title", undefined],
      [`/status-page/incidents/${incident.id}`, "Message", "We found it.", () => press("Post update")],
      [`/notifications/channels/${channel.id}`, "Severity", "warning", () => press("Add a rule")],
      [`/certificates/${certificate.id}`, "Days before expiry", "20", undefined],
      ["/heartbeats/new", "Name", "nightly", undefined],
    ] as const) {
      await page.goto(story.url + address);
      await prepare?.();
      const typed = page.getByRole("main").getByLabel(control, { exact: true });
      await (control === "Severity" ? typed.selectOption(text) : typed.fill(text));
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Containers" }).click();
      await focused(question().getByRole("button", { name: "Keep editing" }));
      if (control === "Title") assert.deepEqual(await looks(page, "the question of a page", "[role=dialog]"), []);
      await answer("Keep editing");
      await dialog().waitFor({ state: "detached" });
      assert.deepEqual([path(), await typed.inputValue()], [address, text]);
      await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Containers" }).click();
      await answer("Discard");
      await isAt("/containers");
    }
  });

  it("stays without a question while only what is beside the form changes", async () => {
    await open("/status-page/settings");
    await field("Title").waitFor();
    // As the switch of hosts does, where there are several.
    await page.evaluate("history.pushState({ ...history.state, __TSR_index: history.state.__TSR_index + 1 }, '', '?agent_id=local')");
    const link = page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Containers" });
    const leadsTo = (address: string) => until(async () => (await link.getAttribute("href")) === address, { what: address });
    await leadsTo("/containers?agent_id=local");
    await field("Title").fill("Another title");
    await back();
    await leadsTo("/containers");
    assert.deepEqual([await field("Title").inputValue(), await question().count()], ["Another title", 0]);
  });

  it("is kept when the browser asks before a reload for a new version", async () => {
    await open("/");
    await page.route(`${story.url}/status-page/settings`, async (route) => {
      const document = await route.fetch();
      await route.fulfill({ response: document, body: (await document.text()).replace("<html ", '<html data-kept-version="0.0.0" ') });
    });
    await page.goto(`${story.url}/status-page/settings`);
    const reload = page.getByRole("button", { name: "Reload", exact: true });
    await reload.waitFor();
    await field("Title").fill("Another title");
    const press = async (answerTo: (asked: Dialog) => Promise<void>): Promise<void> => {
      const answered = page.waitForEvent("dialog").then(async (asked) => {
        assert.equal(asked.type(), "beforeunload");
        await answerTo(asked);
      });
      await Promise.all([answered, reload.click()]);
    };
    await press((asked) => asked.dismiss());
    assert.equal(await field("Title").inputValue(), "Another title");
    const reloaded = page.waitForEvent("domcontentloaded");
    await press((asked) => asked.accept());
    await reloaded;
    await field("Title").waitFor();
    assert.notEqual(await field("Title").inputValue(), "Another title");
  });

  it("is asked about when a notification is pressed", async () => {
    await open("/status-page/settings", { serviceWorkers: "allow" });
    const [ready] = page.context().serviceWorkers();
    const worker: Worker = ready ?? (await page.context().waitForEvent("serviceworker"));
    await until(() => worker.evaluate("registration.active?.state === 'activated'"), { what: "the worker" });
    const press = (): Promise<void> =>
      worker.evaluate(`(() => {
        const notification = { data: { path: "/alerts/history" }, close: () => undefined };
        dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: (work) => void work.catch(() => undefined) }));
      })()`);
    await field("Title").fill("Another title");
    await press();
    await answer("Keep editing");
    await dialog().waitFor({ state: "detached" });
    assert.deepEqual([path(), await field("Title").inputValue()], ["/status-page/settings", "Another title"]);
    await press();
    await answer("Discard");
    await isAt("/alerts/history");
  });
});
