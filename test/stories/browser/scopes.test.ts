import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ChannelRecord } from "../../../src/alerting/channels/answers.ts";
import type { TriggerList } from "../../../src/alerting/routing/answers.ts";
import type { MaintenanceList, SilenceList } from "../../../src/alerting/suppression/answers.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import type { Thresholds } from "../../../src/monitoring/resources/answers.ts";
import type { ComponentList } from "../../../src/publishing/status/components/answers.ts";
import { createFakeRuntime } from "../../support/fake-runtime.ts";
import { pick } from "../../support/forms.ts";
import { looks } from "../../support/looks.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

/** A comma in it would part the list of a trigger. */
const GROUP = "shop, 100 %";

describe("groups and hosts in silences, windows, triggers and rules, in the browser", () => {
  const runtime = createFakeRuntime(3);
  let story: WebStory;
  let page: Page;
  let complaints: string[];
  let channel: ChannelRecord;

  before(async () => {
    const [first, second] = runtime.containers.values();
    for (const container of [first, second])
      if (container !== undefined) runtime.change(container.externalId, { labels: { "service.group": GROUP } });
    story = await startWebStory({ start: (env) => startWatchedServer(env, runtime) });
    channel = await story.send("POST", "channels", { name: "Operations", type: "webhook", url: "https://hooks.example.com/x" });
    ({ page, complaints } = await story.open("/notifications/silences"));
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const button = (name: string): Locator => main().getByRole("button", { name, exact: true });
  const inDialog = (name: string): Locator => dialog().getByRole("button", { name, exact: true });
  const rows = (name: string): Locator => main().getByRole("list", { name, exact: true }).getByRole("listitem");

  it("silences a group that is found by its name", async () => {
    await button("New silence").click();
    const about = dialog().getByRole("combobox", { name: "Applies to" });
    await about.focus();
    await page.keyboard.type("shop, 100");
    await page
      .getByRole("option", { name: `${GROUP} (group)` })
      .getByText("2 containers")
      .waitFor();
    assert.deepEqual(await looks(page, "a group among the choices"), []);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await inDialog(`Remove ${GROUP} (group)`).waitFor();
    await dialog().getByText("No active alert matches now.").waitFor();
    await dialog().getByLabel("Reason").fill("Move");
    await inDialog("Silence").click();
    await rows("Silences").getByText(`Alerts about ${GROUP} (group)`).waitFor();
    const { silences } = await story.send<SilenceList>("GET", "silence");
    assert.deepEqual(silences[0]?.matchers, { entity_type: "group", entity_id: GROUP });
  });

  it("silences a group from its head in the list of containers, in two steps", async () => {
    await page.goto(`${story.url}/containers`);
    const head = main().getByRole("row").filter({ hasText: GROUP }).first();
    await head.getByRole("link", { name: /^Silenced until / }).waitFor();
    const { silences: earlier } = await story.send<SilenceList>("GET", "silence");
    for (const { id } of earlier) await story.send("DELETE", `silence/${id}`);
    await head.hover();
    assert.deepEqual(await looks(page, "the head of a group"), []);
    await head.getByRole("link", { name: `Silence ${GROUP}` }).click();
    await inDialog(`Remove ${GROUP} (group)`).waitFor();
    await inDialog("Silence").click();
    await dialog().waitFor({ state: "detached" });
    const { silences } = await story.send<SilenceList>("GET", "silence");
    const made = silences.find(({ reason }) => reason !== "Move");
    assert.deepEqual(made?.matchers, { entity_type: "group", entity_id: GROUP });
    const left = Date.parse(made?.ends_at ?? "") - Date.now();
    assert.ok(left > 118 * 60_000 && left <= 121 * 60_000, String(left));
  });

  it("silences a group from the palette at once, in two steps, or opens the form", async () => {
    await page.goto(`${story.url}/containers`);
    await page.getByRole("status").getByText("Live").waitFor();
    const search = async (text: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or run" }).fill(text);
    };
    await search("silence shop 30m");
    await page
      .getByRole("option", { name: `Silence ${GROUP} for 30 min` })
      .getByText("Group, 2 containers")
      .waitFor();
    assert.deepEqual(await looks(page, "a silence in the palette", "[role=dialog]"), []);
    await page.keyboard.press("Enter");
    await page.getByText(`Silenced: all alerts of ${GROUP}`).waitFor();
    const made = await until(async () => {
      const { silences } = await story.send<SilenceList>("GET", "silence");
      return silences.find(({ reason }) => reason === `Silenced: ${GROUP}`);
    });
    assert.deepEqual(made.matchers, { entity_type: "group", entity_id: GROUP });
    const left = Date.parse(made.ends_at) - Date.now();
    assert.ok(left > 28 * 60_000 && left <= 30 * 60_000, String(left));
    await search("silence shop");
    await page.getByRole("option", { name: `More options for ${GROUP}…` }).click();
    await inDialog(`Remove ${GROUP} (group)`).waitFor();
    await inDialog("Cancel").click();
    await dialog().waitFor({ state: "detached" });
  });

  it("plans maintenance of a group and a host", async () => {
    await button("Plan maintenance").click();
    await dialog().getByLabel("Title").fill("Kernel");
    for (const name of ["shop", "Local"]) await pick(page, dialog().getByRole("combobox", { name: "Monitors" }), name);
    await inDialog("Plan maintenance").click();
    await rows("Maintenance windows").getByText(`${GROUP} (group), Local`).waitFor();
    const { maintenance } = await story.send<MaintenanceList>("GET", "status/maintenance");
    assert.deepEqual(maintenance[0]?.entities, [
      { entity_type: "group", entity_id: GROUP },
      { entity_type: "agent", entity_id: "local" },
    ]);
  });

  it("sends alerts about a group by a trigger, and says so when nothing is in it", async () => {
    const gone = { name: "Old", filter_entities: "group:old", channel_ids: [channel.id] };
    await story.send("POST", "alert-triggers", gone);
    await page.goto(`${story.url}/notifications/routing`);
    await rows("Triggers").getByText("Alerts about old (group, no containers)").waitFor();
    await button("Add trigger").click();
    await dialog().getByLabel("Name", { exact: true }).fill("Shop");
    await pick(page, dialog().getByRole("combobox", { name: "Applies to" }), "shop");
    await pick(page, dialog().getByRole("combobox", { name: "Channels" }), "Operations");
    await inDialog("Add trigger").click();
    const row = rows("Triggers").filter({ hasText: `Alerts about ${GROUP} (group)` });
    await row.getByRole("button", { name: "Edit Shop" }).click();
    await inDialog(`Remove ${GROUP} (group)`).waitFor();
    await inDialog("Save").click();
    await dialog().waitFor({ state: "hidden" });
    const { triggers } = await story.send<TriggerList>("GET", "alert-triggers");
    assert.equal(triggers.find(({ name }) => name === "Shop")?.filter_entities, "group:shop%2C 100 %25");
  });

  it("sends alerts about a group by a rule of a channel", async () => {
    await page.goto(`${story.url}/notifications/channels/${channel.id}`);
    await button("Add a rule").click();
    await pick(page, main().getByRole("combobox", { name: "Applies to" }), "shop");
    await main().getByText(`Alerts about ${GROUP} (group) will be sent here.`).waitFor();
    await button("Add rule").click();
    await main().getByRole("form", { name: "New rule" }).waitFor({ state: "detached" });
    const saved = await story.send<ChannelRecord>("GET", `channels/${channel.id}`);
    assert.partialDeepStrictEqual(saved.rules, [{ entity_type: "group", entity_id: GROUP }]);
  });

  it("shows a group and a host on the status page, which follow all that is in them", async () => {
    await page.goto(`${story.url}/status-page`);
    await main().getByRole("button", { name: "Add component" }).last().click();
    await inDialog("Groups").click();
    await pick(page, dialog().getByRole("combobox", { name: "Linked monitor" }), "shop");
    assert.equal(await dialog().getByLabel("Name", { exact: true }).inputValue(), GROUP, "it is called as the group is");
    await dialog().getByText("a partial outage when some are down").waitFor();
    assert.deepEqual(await looks(page, "a component of a group"), []);
    await inDialog("Add component").click();
    await main().getByText(`Container group ${GROUP}`).waitFor();
    await main().getByText("Operational", { exact: true }).waitFor();
    await main().getByRole("link", { name: "Add component" }).click();
    await pick(page, dialog().getByRole("combobox", { name: "Linked monitor" }), "Local");
    await inDialog("Add component").click();
    await main().getByRole("link", { name: "Local", exact: true }).waitFor();
    const { components } = await story.send<ComponentList>("GET", "status/components");
    assert.partialDeepStrictEqual(components, [
      { name: GROUP, monitor_type: "group", monitor_id: GROUP },
      { name: "Local", monitor_type: "agent", monitor_id: "local" },
    ]);
    const [first] = runtime.containers.values();
    assert.ok(first !== undefined);
    runtime.change(first.externalId, { state: "exited", exitCode: 1, finishedAt: new Date() });
    await main().getByText("Partial outage", { exact: true }).nth(1).waitFor();
  });

  it("sets thresholds of a group, which a container takes until it has its own", async () => {
    await page.goto(`${story.url}/resources`);
    await button("Add threshold").click();
    await inDialog("Save").click();
    await page.getByRole("alert").getByText("Choose a group or a host.").waitFor();
    await pick(page, dialog().getByRole("combobox", { name: "Group or host" }), "shop");
    await dialog().getByLabel("CPU above").fill("80");
    await dialog().getByRole("checkbox", { name: "Watch memory" }).uncheck();
    assert.deepEqual(await looks(page, "thresholds of a group"), []);
    await inDialog("Save").click();
    const row = rows("Thresholds of groups and hosts").filter({ hasText: GROUP });
    await row.getByText("CPU 80 %, 1 min").waitFor();
    await row.getByText("2 containers").waitFor();
    assert.deepEqual(await looks(page, "the thresholds of a group"), []);
    const { groups } = await story.send<ContainerList>("GET", "containers");
    const container = groups.find(({ name }) => name === GROUP)?.containers[0];
    assert.ok(container !== undefined);
    const thresholds = (): Promise<Thresholds> => story.send("GET", `containers/${container.id}/resources/alerts`);
    assert.partialDeepStrictEqual(await thresholds(), { cpu_threshold: 80, source: { entity_type: "group", entity_id: GROUP } });
    await page.goto(`${story.url}/containers/${container.id}?tab=metrics`);
    await main().getByText(`Set for the group ${GROUP}`).waitFor();
    assert.deepEqual(await looks(page, "thresholds that are the group's"), []);
    await main().getByLabel("CPU threshold in percent").fill("70");
    await button("Save").click();
    await main().getByText("Set for this container").waitFor();
    assert.partialDeepStrictEqual(await thresholds(), { cpu_threshold: 70, source: { entity_type: "container" } });
    await button("Use those of the group").click();
    await main().getByText(`Set for the group ${GROUP}`).waitFor();
    await page.goto(`${story.url}/resources`);
    await row.getByRole("button", { name: `Remove thresholds of the group ${GROUP}` }).click();
    await inDialog("Remove thresholds").click();
    await row.waitFor({ state: "detached" });
    assert.partialDeepStrictEqual(await thresholds(), { configured: false, source: null });
    assert.deepEqual(complaints, []);
  });
});
