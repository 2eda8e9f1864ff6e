import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ChannelRecord } from "../../../src/alerting/channels/answers.ts";
import type { PolicyRecord } from "../../../src/alerting/escalation/answers.ts";
import type { TriggerRecord } from "../../../src/alerting/routing/answers.ts";
import type { MaintenanceList, MaintenanceRecord } from "../../../src/alerting/suppression/answers.ts";
import type { EndpointRecord } from "../../../src/monitoring/endpoints/answers.ts";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { escape } from "../../support/forms.ts";
import { type Receiver, startReceiver } from "../../support/receivers.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("forms, in the browser, of what somebody else changes meanwhile", () => {
  let story: WebStory;
  let receiver: Receiver;
  let page: Page;
  let channel: ChannelRecord;

  before(async () => {
    [story, receiver] = await Promise.all([startWebStory(), startReceiver()]);
    const headers = '{"Authorization":"Bearer hunter2"}';
    channel = await story.send("POST", "channels", { name: "Operations", type: "webhook", url: `${receiver.url}/a`, headers });
    ({ page } = await story.open("/"));
  });

  after(async () => {
    await story?.stop();
    await receiver?.stop();
  });

  const dialog = (): Locator => page.getByRole("dialog");
  const nameField = (): Locator => dialog().getByLabel(/^(?:Name|Title)$/);

  /** Opens a form, lets somebody else change the same record, then saves another name. */
  async function rename(path: string, meanwhile: () => Promise<unknown>): Promise<void> {
    await page.goto(story.url + path);
    await nameField().waitFor();
    await meanwhile();
    await nameField().fill("Renamed");
    await dialog().getByRole("button", { name: "Save", exact: true }).click();
    await dialog().waitFor({ state: "hidden" });
  }

  it("keeps what was changed of a channel", async () => {
    const path = `channels/${channel.id}`;
    await rename(`/notifications/${path}?edit=yes`, () => story.send("PUT", path, { enabled: false, headers: "{}" }));
    const saved = await story.send<ChannelRecord>("GET", path);
    assert.deepEqual([saved.name, saved.enabled, saved.headers], ["Renamed", false, "{}"]);
    await story.send("PUT", path, { enabled: true, headers: '{"Authorization":"Bearer hunter2"}' });
  });

  it("keeps what was changed of a heartbeat", async () => {
    const { id } = await story.send<HeartbeatRecord>("POST", "heartbeats", { name: "nightly", interval_seconds: 3600 });
    const others = { interval_seconds: 7200, tags: ["night"] };
    await rename(`/heartbeats/${id}?open=edit`, () => story.send("PUT", `heartbeats/${id}`, others));
    const { heartbeat } = await story.send<{ heartbeat: HeartbeatRecord }>("GET", `heartbeats/${id}`);
    assert.deepEqual([heartbeat.name, heartbeat.interval_seconds, heartbeat.tags], ["Renamed", 7200, ["night"]]);
  });

  it("shows and keeps what was changed of an endpoint", async () => {
    const body = { type: "http", target: `${receiver.url}/health`, name: "Shop" };
    const { id } = await story.send<EndpointRecord>("POST", "endpoints", body);
    await rename(`/endpoints/${id}?edit=yes`, async () => {
      await story.send("PUT", `endpoints/${id}`, { ...body, interval_seconds: 45, failure_threshold: 7 });
      await until(async () => (await dialog().getByLabel("Interval").inputValue()).startsWith("45"), { what: "the interval" });
    });
    const { name, config } = await story.send<EndpointRecord>("GET", `endpoints/${id}`);
    assert.deepEqual([name, config.interval_seconds, config.failure_threshold], ["Renamed", 45, 7]);
  });

  it("refuses another host for a channel without its secrets, at the headers", async () => {
    await page.goto(`${story.url}/notifications/channels/${channel.id}?edit=yes`);
    await dialog().getByRole("button", { name: "Replace" }).click();
    await dialog().getByLabel("URL").fill("https://127.0.0.1:9/elsewhere");
    await dialog().getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").getByText("Is masked: give its value").waitFor();
    await escape(page);
  });

  it("keeps what was changed of a trigger", async () => {
    const body = { name: "Nights", filter_tags: "night", channel_ids: [channel.id] };
    const { id } = await story.send<TriggerRecord>("POST", "alert-triggers", body);
    const others = { filter_tags: "day", notify_on_resolve: false };
    await rename(`/notifications/routing?edit=${id}`, () => story.send("PUT", `alert-triggers/${id}`, others));
    const saved = await story.send<TriggerRecord>("GET", `alert-triggers/${id}`);
    assert.deepEqual([saved.name, saved.filter_tags, saved.notify_on_resolve], ["Renamed", "day", false]);
  });

  it("keeps what was changed of an escalation policy, and of its filters", async () => {
    const levels = [{ delay_seconds: 300, channel_ids: [channel.id] }];
    const { id } = await story.send<PolicyRecord>("POST", "escalation-policies", { name: "Nights", levels });
    const path = `escalation-policies/${id}`;
    const others = { levels: [{ ...levels[0], delay_seconds: 600 }], filters: { tags: ["night"] } };
    await rename(`/notifications/escalation?edit=${id}`, async () => {
      await story.send("PUT", path, others);
      await dialog().getByRole("button", { name: "Critical" }).click();
    });
    const saved = await story.send<PolicyRecord>("GET", path);
    assert.deepEqual([saved.name, saved.levels, saved.filters], ["Renamed", others.levels, { severities: ["critical"], tags: ["night"] }]);
  });

  it("keeps what was changed of a maintenance window", async () => {
    const [starts, ends, later] = [1, 2, 3].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    const entities = [{ entity_type: "agent", entity_id: "local" }];
    const body = { title: "Kernel", starts_at: starts, ends_at: ends, entities };
    const { id } = await story.send<MaintenanceRecord>("POST", "status/maintenance", body);
    await page.goto(`${story.url}/notifications/silences`);
    await page.getByRole("button", { name: "Edit Kernel" }).click();
    await nameField().waitFor();
    await story.send("PUT", `status/maintenance/${id}`, { ends_at: later, description: "Both hosts" });
    await nameField().fill("Renamed");
    await dialog().getByRole("button", { name: "Save", exact: true }).click();
    await dialog().waitFor({ state: "hidden" });
    const { maintenance } = await story.send<MaintenanceList>("GET", "status/maintenance");
    const [saved] = maintenance;
    assert.deepEqual([saved?.title, saved?.ends_at, saved?.description], ["Renamed", later, "Both hosts"]);
  });
});
