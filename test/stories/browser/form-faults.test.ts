import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ChannelRecord } from "../../../src/alerting/channels/answers.ts";
import type { EndpointRecord } from "../../../src/monitoring/endpoints/answers.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("faults that have no field of their form, in the browser", () => {
  let story: WebStory;
  let page: Page;

  before(async () => {
    story = await startWebStory();
    ({ page } = await story.open("/"));
  });

  after(() => story?.stop());

  const dialog = (): Locator => page.getByRole("dialog");

  /** What the server refuses so is rare: it takes a row of an earlier version, or one that was emptied. */
  async function refuse(path: string, fault: { path: string; message: string }): Promise<void> {
    await page.route(`**/api/v1/${path}`, (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      const error = { code: "validation_failed", message: "The request is not valid.", details: [fault] };
      return route.fulfill({ status: 400, json: { error } });
    });
  }

  it("shows that an endpoint was not saved", async () => {
    const { id } = await story.send<EndpointRecord>("POST", "endpoints", { type: "tcp", target: "127.0.0.1:9" });
    await refuse(`endpoints/${id}`, { path: "alert_channels.0", message: "Must not be empty" });
    await page.goto(`${story.url}/endpoints/${id}?edit=yes`);
    await dialog().getByRole("button", { name: "Save", exact: true }).click();
    await dialog().getByRole("alert").getByText("The endpoint was not saved.").waitFor();
  });

  it("shows what is wrong with the address of a channel that is not replaced", async () => {
    const { id } = await story.send<ChannelRecord>("POST", "channels", { name: "Operations", type: "webhook", url: "https://192.0.2.1/" });
    await refuse(`channels/${id}`, { path: "url", message: "Must be an https address" });
    await page.goto(`${story.url}/notifications/channels/${id}?edit=yes`);
    await dialog().getByRole("button", { name: "Save", exact: true }).click();
    await dialog().getByRole("alert").getByText("Must be an https address").waitFor();
  });
});
