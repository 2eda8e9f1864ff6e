import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HeartbeatRecord } from "../../../src/monitoring/heartbeats/answers.ts";
import { looks } from "../../support/looks.ts";
import { settled } from "../../support/page-checks.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const FALSE_CALM = /No findings|Nothing was written|No running containers|No containers yet|No containers to check|is healthy|0 containers/;

describe("an engine that was never reached, in the browser", () => {
  let story: WebStory;
  before(async () => {
    story = await startWebStory();
    await story.send<HeartbeatRecord>("POST", "heartbeats", { name: "nightly-backup", interval_seconds: 300 });
  });
  after(() => story?.stop());

  it("is shown on the overview at once, with its reason, and nothing moves when it arrives", async () => {
    const { page, complaints } = await story.open("/");
    const main = page.getByRole("main");
    await main.getByRole("heading", { level: 1, name: "Container state unknown" }).waitFor();
    assert.match(await main.getByRole("alert").innerText(), /unreachable since[^]*Nothing is known about its containers yet/);
    await main.getByText("Nobody is notified of alerts yet: add a channel.").waitFor();
    const { top } = await main.evaluate((element) => element.getElementsByTagName("section")[0]?.getBoundingClientRect() ?? { top: 0 });
    await settled(page);
    assert.equal(await main.evaluate((element) => element.getElementsByTagName("section")[0]?.getBoundingClientRect().top), top);
    await page.getByRole("status").getByText("Live, no container data").waitFor();
    assert.doesNotMatch(await main.innerText(), FALSE_CALM);
    assert.deepEqual(await looks(page, "an overview without an engine"), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  for (const path of ["/containers", "/security", "/logs", "/logs?view=patterns", "/map", "/updates"]) {
    it(`is shown on ${path}, where nothing is said to be empty`, async () => {
      const { page, complaints } = await story.open(path);
      const main = page.getByRole("main");
      await main.getByRole("alert").getByText("unreachable since").waitFor();
      if (path !== "/containers") await main.getByRole("heading", { name: "Container state unknown" }).waitFor();
      await settled(page);
      assert.doesNotMatch(await main.innerText(), FALSE_CALM);
      assert.deepEqual(await looks(page, path), []);
      assert.deepEqual(complaints, []);
      await page.context().close();
    });
  }

  it("says with alerts that nobody is notified, until there is a channel", async () => {
    const { page } = await story.open("/alerts");
    const note = page.getByRole("main").getByText("Nobody is notified of alerts yet: add a channel.");
    await note.waitFor();
    await story.send("POST", "channels", { name: "Operations", type: "webhook", url: "http://127.0.0.1:9/" });
    await page.reload();
    await settled(page);
    assert.equal(await note.count(), 0);
    await page.context().close();
  });
});
