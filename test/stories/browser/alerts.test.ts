import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import type { AlertRecord } from "../../../src/alerting/alerts/api.ts";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { notLost, pressWithKeys, tabThrough } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { type Receiver, startReceiver } from "../../support/receivers.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

/** Longer than anybody needs to type a word. */
const SLOW_MS = 1500;
const MARKUP = "<img src=x onerror=alert(1)>";

describe("alerts, in the browser", () => {
  let story: WebStory;
  let receiver: Receiver;
  let page: Page;
  let complaints: string[];
  /** The address of each job's pings, by its name. */
  const jobs = new Map<string, HeartbeatRecord>();

  before(async () => {
    [story, receiver] = await Promise.all([startWebStory({ start: startWatchedServer }), startReceiver()]);
    const { id } = await story.send<{ id: number }>("POST", "channels", { name: "Operations", type: "webhook", url: receiver.url });
    await story.send("POST", `channels/${id}/rules`, {});
    ({ page, complaints } = await story.open("/alerts"));
    await page.getByRole("status").getByText("Live").waitFor();
  });

  after(async () => {
    await story?.stop();
    await receiver?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const rowOf = (name: string): Locator => main().getByRole("listitem").filter({ hasText: name });
  const linkOf = (name: string): Locator => rowOf(name).getByRole("link");
  const note = (text: string): Locator => page.getByRole("status").getByText(text);
  const look = async (where: string): Promise<void> => assert.deepEqual(await looks(page, where), []);

  async function fail(name: string): Promise<void> {
    const job = jobs.get(name) ?? (await story.send<HeartbeatRecord>("POST", "heartbeats", { name, interval_seconds: 300 }));
    jobs.set(name, job);
    await story.ping(job.uuid, "/1");
  }
  const recover = (name: string): Promise<void> => story.ping(jobs.get(name)?.uuid ?? "");
  const active = async (name: string): Promise<AlertRecord | undefined> =>
    (await story.send<ActiveAlerts>("GET", "alerts/active")).alerts.find(({ entity_name }) => entity_name === name);

  it("says that nothing is wrong, and that nothing ever was", async () => {
    await main().getByRole("heading", { name: "No active alerts" }).waitFor();
    await look("no alerts");
    await main().getByRole("link", { name: "Alert history" }).click();
    await main().getByRole("heading", { name: "No alerts yet" }).waitFor();
    await look("no history");
    await main().getByRole("link", { name: "Active" }).click();
  });

  it("shows at once what fails, names as text, and in bold only what waits for somebody", async () => {
    const silenced = await story.send<HeartbeatRecord>("POST", "heartbeats", { name: "report", interval_seconds: 300 });
    jobs.set("report", silenced);
    await story.send("POST", "silence", {
      reason: "Known",
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
      matchers: { entity_type: "heartbeat", entity_id: String(silenced.id) },
    });
    for (const name of ["backup", "report", "invoice", MARKUP]) await fail(name);
    await rowOf("report").getByText("Silenced").waitFor();
    await rowOf(MARKUP).waitFor();
    const weightOf = async (name: string): Promise<number> =>
      Number(await linkOf(name).evaluate((link) => link.ownerDocument.defaultView?.getComputedStyle(link).fontWeight));
    const weights = { waiting: await weightOf("backup"), heldBack: await weightOf("report") };
    assert.ok(weights.waiting > 500 && weights.heldBack === 400, JSON.stringify(weights));
    assert.equal(await page.title(), "Alerts (3 unacknowledged) · Binnacle");
    await look("few alerts");
  });

  it("opens one, with who was notified and why, and sends its message once more", async () => {
    await linkOf("backup").click();
    await main().getByRole("heading", { level: 1, name: "backup ended with exit code 1." }).waitFor();
    const delivery = main().getByRole("list", { name: "Deliveries" }).getByRole("listitem");
    await delivery.getByText("Operations", { exact: true }).waitFor();
    const sent = receiver.received.length;
    await delivery.getByRole("button", { name: "Replay to Operations" }).click();
    await until(() => receiver.received.length > sent, { what: "the message once more" });
    await until(async () => (await delivery.count()) === 2, { what: "its second delivery on the page" });
    await look("an alert");
    const steps = main().getByText("Startup, Maintenance, Dependencies, Silences");
    assert.equal(await steps.isVisible(), false, "the steps are folded");
    await main().getByText("Why was I (not) notified?").click();
    await steps.waitFor();
    await look("an alert with the steps of its notifications");
  });

  it("asks who acknowledges, keeps that for the next time, and takes it back on demand", async () => {
    await main().getByRole("button", { name: "Acknowledge", exact: true }).click();
    await focused(dialog().getByLabel("Your name"));
    await dialog().getByRole("button", { name: "Acknowledge" }).click();
    await dialog().getByRole("alert").getByText("Enter your name.").waitFor();
    await look("who acknowledges");
    await dialog().getByLabel("Your name").fill("Ada");
    await dialog().getByLabel("Note").fill("On it");
    await dialog().getByRole("button", { name: "Acknowledge" }).click();
    await main()
      .getByText(/^Acknowledged by Ada .*: On it$/)
      .waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await main().getByRole("button", { name: "Acknowledge", exact: true }).waitFor();
    await main().getByRole("button", { name: "Acknowledge", exact: true }).click();
    await note("Acknowledged: backup").waitFor();
    assert.equal((await active("backup"))?.acknowledged_at, null);
    // Who leaves the page has made up their mind.
    await page.reload();
    await until(async () => (await active("backup"))?.acknowledged_by === "Ada", { what: "that the server knows" });
    await main()
      .getByText(/^Acknowledged by Ada .* ago|just now/)
      .waitFor();
  });

  it("goes by keys: from row to row, acknowledges, takes back, opens, resolves", async () => {
    await page.evaluate(`localStorage.removeItem("binnacle.reader-name")`);
    await page.goto(`${story.url}/alerts`);
    await rowOf("invoice").waitFor();
    const stops = await tabThrough(page);
    assert.ok(stops.includes("Critical: invoice ended with exit code 1"), stops.join(" | "));
    await page.keyboard.press("j");
    await until(async () => (await focusedRow()).includes(MARKUP), { what: "the focus in the first row" });
    await page.keyboard.press("j");
    await until(async () => (await focusedRow()).includes("invoice"), { what: "the focus in the second row" });
    await page.keyboard.press("k");
    await page.keyboard.press("j");
    // Twice: once what it needs is on its way, once it is there.
    for (let time = 0; time < 2; time += 1) {
      await page.keyboard.press("a");
      await focused(dialog().getByLabel("Your name"));
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "hidden" });
      await focused(linkOf("invoice"));
    }
    await page.keyboard.press("a");
    await focused(dialog().getByLabel("Your name"));
    await page.keyboard.type("Grace");
    await page.keyboard.press("Enter");
    await note("Acknowledged: invoice").waitFor();
    await focused(linkOf("invoice"));
    await page.keyboard.press("u");
    await rowOf("invoice").getByRole("button", { name: "Acknowledge" }).waitFor();
    await page.keyboard.press("r");
    await note("Resolved: invoice").waitFor();
    await rowOf("invoice").waitFor({ state: "detached" });
    await until(async () => (await focusedRow()) !== "", { what: "the focus in the row that took its place" });
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await main().getByRole("heading", { level: 1, name: MARKUP }).waitFor();
    await tabThrough(page);
    await pressWithKeys(page, main().getByRole("button", { name: "Acknowledge", exact: true }));
    await note(`Acknowledged: ${MARKUP}`).waitFor();
    await notLost(page);
    await page.keyboard.press("u");
    await main().getByRole("button", { name: "Acknowledge", exact: true }).waitFor();
  });

  it("keeps what is typed for the palette, also while that is loaded", async () => {
    const { page: fresh } = await story.open("/alerts");
    await fresh.route(/command-palette/, async (route) => {
      await sleep(SLOW_MS);
      await route.continue();
    });
    await fresh.getByRole("main").getByRole("listitem").filter({ hasText: MARKUP }).waitFor();
    await fresh.keyboard.press("j");
    await fresh.keyboard.press("Control+k");
    await focused(fresh.getByRole("dialog").getByRole("textbox"));
    await fresh.keyboard.press("Escape");
    await focused(fresh.getByRole("main").getByRole("link", { name: MARKUP }));
    assert.equal(await fresh.getByRole("dialog").count(), 0);
    await fresh.keyboard.press("Control+k");
    await fresh.keyboard.type("resarces");
    for (let time = 0; time < 5; time += 1) await fresh.keyboard.press("Backspace");
    await fresh.keyboard.type("ources");
    const options = fresh.getByRole("dialog").getByRole("option", { name: "Resources", exact: true });
    await options.waitFor();
    assert.equal(await fresh.getByRole("dialog").getByRole("combobox").inputValue(), "resources");
    assert.equal((await active(MARKUP))?.status, "active");
    assert.deepEqual(await fresh.getByRole("status").getByText("Resolved").count(), 0);
    await fresh.keyboard.press("Escape");
    await focused(fresh.getByRole("main").getByRole("link", { name: MARKUP }));
    await fresh.context().close();
  });

  it("says why the server refused, and continues once that is read", async () => {
    await pressWithKeys(page, main().getByRole("button", { name: "Resolve" }));
    await notLost(page);
    await recover(MARKUP);
    // It is sent in a moment; what was done is kept on the way to another page.
    await pressWithKeys(page, page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link"));
    await look("few alerts of the past");
    await note("Not resolved: Alert 4 is over").waitFor();
    await look("what was refused");
    await pressWithKeys(page, page.getByRole("button", { name: "Dismiss" }));
    await note("Not resolved").waitFor({ state: "detached" });
    assert.equal(await active("invoice"), undefined, "what was resolved before has arrived");
    assert.deepEqual(
      complaints.filter((text) => !text.includes("409")),
      [],
    );
  });

  async function focusedRow(): Promise<string> {
    return page.evaluate<string>(`document.activeElement?.closest("[data-alert-row]")?.textContent ?? ""`);
  }
});
