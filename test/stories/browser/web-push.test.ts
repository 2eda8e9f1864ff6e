import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { CDPSession, Page, Worker } from "playwright-core";
import type { ChannelList } from "../../../src/alerting/channels/answers.ts";
import type { PushBody } from "../../../src/contract/push.ts";
import { type PushService, startPushService } from "../../support/push-service.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

interface Shown {
  title: string;
  body: string;
  tag: string;
  silent: boolean;
  requireInteraction: boolean;
}

/**
 * A browser that is subscribed. Its vendor's push service cannot be reached here: a local one, which decrypts, stands in its place, and what
 * that took is handed to the worker by the browser itself. This browser has no display for notifications and refuses them: what the worker asks
 * it to show is kept in the worker, by tag.
 */
describe("notifications of a browser", () => {
  let story: WebStory;
  let push: PushService;
  let page: Page;
  let devtools: CDPSession;
  let complaints: string[];

  before(async () => {
    [story, push] = await Promise.all([startWebStory(), startPushService()]);
    ({ page, complaints } = await story.open("/notifications", { serviceWorkers: "allow", permissions: ["notifications"] }));
    devtools = await page.context().newCDPSession(page);
  });
  after(async () => {
    await story?.stop();
    await push?.stop();
  });

  const dialog = () => page.getByRole("dialog");

  it("come from the form that adds a channel, by a button", async () => {
    const [endpoint = "", keys = ""] = push.channelUrl.split("&p256dh=");
    const [p256dh, auth] = keys.split("&auth=");
    // What a vendor's push service would have given out.
    const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth } });
    await page.evaluate(`
      window.asked = [];
      PushManager.prototype.subscribe = async (options) => { window.asked.push(options); return { toJSON: () => (${subscription}) }; };
    `);
    await page.getByRole("button", { name: "Add a channel" }).click();
    await dialog().getByRole("button", { name: "Browser" }).click();
    await dialog().getByRole("button", { name: "Add channel" }).click();
    await dialog().getByRole("alert").getByText("Subscribe this browser first.").waitFor();
    await dialog().getByLabel("Name", { exact: true }).fill("Ada's phone");
    await dialog().getByRole("button", { name: "Subscribe this browser" }).click();
    await dialog().getByText("This browser is subscribed.").waitFor();
    await dialog().getByRole("button", { name: "Add channel" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada's phone" }).waitFor();
    const { public_key: key } = await story.send<{ public_key: string }>("GET", "channels/web-push-key");
    assert.deepEqual(await page.evaluate("window.asked"), [{ userVisibleOnly: true, applicationServerKey: key }]);
    const { channels } = await story.send<ChannelList>("GET", "channels");
    assert.deepEqual(
      channels.map(({ name, type, url }) => [name, type, url.endsWith("/***")]),
      [["Ada's phone", "web_push", true]],
    );
  });

  it("show a test, and an alert whose end replaces its beginning", async () => {
    await page.getByRole("button", { name: "Send a test to Ada's phone" }).click();
    await page.getByText(/^Delivered: HTTP 201 after/).waitFor();
    const sent = push.pushed.at(-1);
    assert.ok(sent !== undefined);
    await deliver(sent.text);
    await until(async () => (await shown()).length === 1);
    const [test] = await shown();
    assert.deepEqual([test?.title, test?.tag], ["Test: channel Ada's phone", "alert-0"]);

    const fired: PushBody = {
      ...(JSON.parse(sent.text) as PushBody),
      title: "Critical: container web",
      tag: "alert-7",
      url: "https://elsewhere.example/alerts/7",
      stays: true,
    };
    await deliver(JSON.stringify(fired));
    await until(async () => (await shown()).length === 2);
    assert.deepEqual((await shown()).find(({ tag }) => tag === "alert-7")?.requireInteraction, true);
    await deliver(JSON.stringify({ ...fired, title: "Resolved: container web", stays: false, quiet: true }));
    await until(async () => (await shown()).some(({ title }) => title.startsWith("Resolved")));
    const left = await shown();
    assert.deepEqual(left.map(({ title }) => title).sort(), ["Resolved: container web", "Test: channel Ada's phone"]);
    assert.equal(left.find(({ tag }) => tag === "alert-7")?.silent, true);
  });

  it("say something also when the message cannot be read", async () => {
    await deliver("not JSON");
    await until(async () => (await shown()).some(({ body }) => body === "Open the app to see your alerts."));
  });

  it("open the page of the alert on this server when they are clicked", async () => {
    const inWorker = await worker();
    await inWorker.evaluate(`(() => {
      const notification = { ...shown.get("alert-7"), close: () => shown.delete("alert-7") };
      dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil: () => undefined }));
    })()`);
    await page.waitForURL(`${story.url}/alerts/7`);
    await until(async () => (await shown()).every(({ tag }) => tag !== "alert-7"));
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes("/alerts/7")),
      [],
    );
  });

  async function worker(): Promise<Worker> {
    const [found] = page.context().serviceWorkers();
    return found ?? page.context().waitForEvent("serviceworker");
  }

  async function shown(): Promise<Shown[]> {
    return (await worker()).evaluate<Shown[]>("[...self.shown.values()]");
  }

  let registrationId: string | undefined;

  /** As the browser does when its push service sends it a message. */
  async function deliver(data: string): Promise<void> {
    if (registrationId === undefined) {
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        registrationId = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? registrationId;
      });
      await devtools.send("ServiceWorker.enable");
      await until(() => registrationId !== undefined);
      const inWorker = await worker();
      await inWorker.evaluate(`(() => {
        self.shown = new Map();
        registration.showNotification = async (title, options) => void shown.set(options.tag, { title, ...options });
      })()`);
    }
    await devtools.send("ServiceWorker.deliverPushMessage", { origin: story.url, registrationId: registrationId ?? "", data });
  }
});
