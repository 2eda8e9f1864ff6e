import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { SilenceList } from "../../../src/alerting/suppression/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { fromLocalField, toLocalField } from "../../../web/src/format/local-time.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("the overview, in the browser", () => {
  let story: WebStory;
  let page: Page;
  let complaints: string[];

  before(async () => {
    story = await startWebStory({ start: startWatchedServer });
    for (const name of ["backup", "invoice", "report"]) {
      const { uuid } = await story.send<HeartbeatRecord>("POST", "heartbeats", { name, interval_seconds: 300 });
      await story.ping(uuid, "/1");
    }
    ({ page, complaints } = await story.open("/"));
    await page.getByRole("status").getByText("Live").waitFor();
    await page.getByRole("heading", { level: 1, name: "3 heartbeats need attention" }).waitFor();
  });

  after(() => story?.stop());

  const rows = (): Locator => page.getByRole("list", { name: "Needs attention" }).getByRole("listitem");
  const rowOf = (name: string): Locator => rows().filter({ hasText: name });
  const badge = (): Locator => page.getByRole("navigation").first().getByText("unacknowledged");

  it("acknowledges by a, after going there by j, and asks for a name once", async () => {
    await page.keyboard.press("j");
    await focused(rows().nth(0).getByRole("link"));
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await focused(rows().nth(0).getByRole("link"));
    await page.keyboard.press("a");
    await page.getByRole("dialog").getByLabel("Your name").fill("Ada");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "2 heartbeats need attention" }).waitFor();
    await rows().getByText("Acknowledged by Ada").waitFor();
    await rowOf("invoice")
      .getByRole("button", { name: /^Acknowledge/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "1 heartbeat needs attention" }).waitFor();
  });

  it("silences for two hours by two presses, which is undone by one, and shows until when", async () => {
    const row = rows().nth(0);
    await badge().waitFor({ state: "attached" });
    await row.getByRole("button", { name: /^Silence/ }).click();
    await page.getByRole("menuitem", { name: "2 h", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Nothing new needs attention" }).waitFor();
    await page.keyboard.press("u");
    await page.getByRole("heading", { level: 1, name: "1 heartbeat needs attention" }).waitFor();
    assert.deepEqual((await story.send<SilenceList>("GET", "silence")).silences, []);
    await row.getByRole("button", { name: /^Silence/ }).click();
    await page.getByRole("menuitem", { name: "2 h", exact: true }).click();
    await rows()
      .getByText(/^Silenced until \d/)
      .waitFor();
    const [silence] = await until(
      async () => {
        const { silences } = await story.send<SilenceList>("GET", "silence");
        return silences.length > 0 ? silences : undefined;
      },
      { withinMs: 10_000 },
    );
    assert.partialDeepStrictEqual(silence, { created_by: "Ada", matchers: { source: "heartbeat", entity_type: "heartbeat" } });
    const left = Date.parse(silence?.ends_at ?? "") - Date.now();
    assert.ok(left > 118 * 60_000 && left <= 120 * 60_000, String(left));
    assert.equal(await badge().count(), 0);
    await page.reload();
    await rows()
      .getByText(/^Silenced until \d/)
      .waitFor();
    await page.getByRole("heading", { level: 1, name: "Nothing new needs attention" }).waitFor();
  });

  it("ends the mark when somebody cancels the silence", async () => {
    const [silence] = (await story.send<SilenceList>("GET", "silence")).silences;
    await story.send("DELETE", `silence/${silence?.id}`);
    await page.getByRole("heading", { level: 1, name: "1 heartbeat needs attention" }).waitFor();
    assert.deepEqual(await looks(page, "the overview"), []);
    assert.deepEqual(complaints, []);
  });

  it("lists what changed between two moments, which the address holds, also in the hour before an alert", async () => {
    await page.goto(`${story.url}/changes`);
    const changes = page.getByRole("list", { name: "Changes" }).getByRole("listitem");
    await changes.filter({ hasText: "Alert fired" }).first().waitFor();
    const ended = Date.now() - 2 * 3_600_000;
    await page.getByLabel("Until").fill(toLocalField(ended));
    await page.getByRole("heading", { name: "Nothing changed" }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get("until"), fromLocalField(toLocalField(ended)));
    await page.getByLabel("From").fill(toLocalField(ended + 3_600_000));
    await page.getByText("Must be after From").waitFor();
    await page.getByRole("button", { name: "Last hour" }).click();
    await changes.filter({ hasText: "Alert fired" }).first().getByRole("link").click();
    await page.getByRole("link", { name: "Changes in the hour before" }).click();
    await page.waitForURL(/\/changes\?since=.*&until=/);
    await page.getByRole("list", { name: "Changes" }).waitFor();
    assert.deepEqual(await looks(page, "what changed"), []);
    assert.deepEqual(complaints, []);
  });
});
