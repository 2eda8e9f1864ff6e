import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { SilenceList } from "../../../src/alerting/suppression/answers.ts";
import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";
import type { AlertContexts } from "../../../src/publishing/overview/answers.ts";
import { createFakeRuntime } from "../../support/fake-runtime.ts";
import { looks } from "../../support/looks.ts";
import { focused } from "../../support/page-checks.ts";
import { until } from "../../support/until.ts";
import { startWatchedServer } from "../../support/watched-server.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

const NAME = "service-1";

describe("a problem of a container, in the browser", () => {
  const runtime = createFakeRuntime(2);
  const endedAt = new Date();
  let story: WebStory;
  let page: Page;
  let complaints: string[];
  let id: number;

  before(async () => {
    const line = (beforeMs: number, text: string) => ({
      timestamp: new Date(endedAt.getTime() - beforeMs),
      stream: "stdout" as const,
      text,
    });
    runtime.logs = async function* logs() {
      yield [line(900, "listening"), line(600, "panic: no ledger"), line(300, "stack of main")];
    };
    story = await startWebStory({ start: (env) => startWatchedServer(env, runtime) });
    const { groups } = await story.send<ContainerList>("GET", "containers");
    id = groups.flatMap(({ containers }) => containers).find(({ name }) => name === NAME)?.id ?? 0;
    const [first] = runtime.containers.keys();
    runtime.change(first ?? "", { state: "exited", exitCode: 1, finishedAt: endedAt });
    // Its log is read a moment after its end.
    const known = async () =>
      (await story.send<AlertContexts>("GET", "alerts/active/context")).contexts.some(({ log_line: last }) => last !== null);
    await until(known, { withinMs: 60_000, everyMs: 500, what: "its last line" });
    ({ page, complaints } = await story.open("/"));
    await page.getByRole("status").getByText("Live").waitFor();
  });

  after(() => story?.stop());

  const main = (): Locator => page.getByRole("main");
  const dialog = (): Locator => page.getByRole("dialog");
  const row = (): Locator => page.getByRole("list", { name: "Needs attention" }).getByRole("listitem").filter({ hasText: NAME });
  const lastLine = (): Locator => row().getByRole("link", { name: "stack of main" });
  const silences = async () => (await story.send<SilenceList>("GET", "silence")).silences;

  it("leads from its last line to that line in the log", async () => {
    await lastLine().waitFor();
    await page.keyboard.press("j");
    await focused(row().getByRole("link").first());
    await page.keyboard.press("j");
    await focused(row().getByRole("link").first());
    assert.deepEqual(await looks(page, "a problem with its last line"), []);
    await lastLine().click();
    await page.waitForURL(/tab=logs/);
    await main().getByText("1 of 1", { exact: true }).waitFor();
    await main().getByRole("searchbox", { name: "Find in log" }).fill("nowhere");
    await main().getByText("0 in 3 lines", { exact: true }).waitFor();
    assert.deepEqual(await looks(page, "what was looked for in a log"), []);
  });

  it("is silenced by s, alone or with all alerts of its container, which is taken back by u", async () => {
    await page.goto(story.url);
    await lastLine().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await focused(dialog().getByRole("button", { name: "2 h", exact: true }));
    await dialog().getByRole("radio", { name: "This alert" }).waitFor();
    await dialog()
      .getByRole("radio", { name: `All alerts of ${NAME}` })
      .check();
    assert.deepEqual(await looks(page, "for how long", "[role=dialog]"), []);
    await dialog().getByRole("button", { name: "8 h", exact: true }).click();
    await page.getByRole("status").getByText(`Silenced: all alerts of ${NAME}`).waitFor();
    await page.keyboard.press("u");
    await row()
      .getByRole("button", { name: /^Silence/ })
      .waitFor();
    assert.deepEqual(await silences(), []);
  });

  it("is silenced in the list of alerts and on its page by the same key", async () => {
    await page.goto(`${story.url}/alerts`);
    await main().getByRole("listitem").filter({ hasText: NAME }).first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await dialog().getByText(NAME).first().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await page.keyboard.press("X");
    await page.getByRole("toolbar", { name: "Selected alerts" }).getByRole("button", { name: "Silence" }).click();
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await main().getByRole("listitem").filter({ hasText: NAME }).first().getByRole("link").click();
    await main().getByRole("heading", { level: 1 }).getByText(NAME).waitFor();
    await page.keyboard.press("s");
    await dialog().getByRole("link", { name: "More options" }).click();
    await dialog()
      .getByRole("button", { name: `Remove ${NAME}` })
      .waitFor();
  });

  it("is silenced with all alerts of its container by two presses", async () => {
    await page.goto(story.url);
    await row()
      .getByRole("button", { name: /^Silence/ })
      .click();
    const all = page.getByRole("group", { name: `All alerts of ${NAME}` });
    await all.waitFor();
    assert.deepEqual(await looks(page, "the menu of a silence", "[role=menu]"), []);
    await all.getByRole("menuitem", { name: "2 h", exact: true }).click();
    await row()
      .getByText(/^Silenced until \d/)
      .waitFor();
    // Who leaves the page has made up their mind.
    await page.reload();
    const [silence] = await until(async () => {
      const made = await silences();
      return made.length > 0 ? made : undefined;
    });
    assert.deepEqual(silence?.matchers, { entity_type: "container", entity_id: String(id) });
  });

  it("has its log one key away in the list of containers, and in the palette", async () => {
    await page.goto(`${story.url}/containers`);
    const inList = main()
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: NAME, exact: true }) });
    await inList.hover();
    await inList.getByRole("link", { name: `Log of ${NAME}` }).waitFor();
    assert.deepEqual(await looks(page, "a row with the way to its log"), []);
    await inList.getByRole("link", { name: NAME, exact: true }).focus();
    await page.keyboard.press("l");
    await page.waitForURL(new RegExp(`/containers/${id}\\?tab=logs$`));
    await page.goto(`${story.url}/containers`);
    await inList.waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run" }).fill(`log ${NAME}`);
    await page.getByRole("option", { name: `Open the log of ${NAME}` }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/containers/${id}\\?tab=logs$`));
    await main().getByText("panic: no ledger").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run" }).fill(`log ${NAME} no ledger`);
    await page.getByRole("option", { name: `Find no ledger in the log of ${NAME}` }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/find=no/);
    await main().locator("mark").first().waitFor();
    assert.deepEqual(complaints, []);
  });
});
