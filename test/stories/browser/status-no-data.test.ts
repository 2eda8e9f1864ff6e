import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { MINUTE_MS } from "../../../src/contract/time.ts";
import type { ComponentRecord } from "../../../src/publishing/status/components/answers.ts";
import type { PublicStatus } from "../../../src/publishing/status/page/api.ts";
import { looks } from "../../support/looks.ts";
import { startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("components without data and without a monitor, in the browser", () => {
  let story: WebStory;
  /** Ends the program, changes its database, and starts it again. */
  let restart: (change: (database: DatabaseSync) => void) => Promise<void>;

  before(async () => {
    story = await startWebStory({
      async start(variables) {
        // Its database is a file that the story changes.
        const env = { ...variables, SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
        let program = await startProgram({ env });
        restart = async (change) => {
          await program.stop();
          const database = new DatabaseSync(join(program.dataDir, "binnacle.db"));
          change(database);
          database.close();
          program = await startProgram({ env, dataDir: program.dataDir, port: program.port });
        };
        return { url: program.url, stop: () => program.stop() };
      },
    });
  });
  after(() => story?.stop());

  // What the route answers.
  const status = async (): Promise<PublicStatus> => (await (await fetch(`${story.url}/status/api`)).json()) as PublicStatus;
  const isShown = (wanted: Record<string, string>): Promise<true> =>
    until(async () => {
      const components = (await status()).groups.flatMap((group) => group.components);
      const shown = components.map((each) => [each.name, `${each.status}${each.observed ? "" : ", not observed"}`]);
      return JSON.stringify(Object.fromEntries(shown)) === JSON.stringify(wanted) || undefined;
    });

  it("differ from what is well and what is down, over a restart", async () => {
    const heartbeat = (name: string): Promise<{ id: number; uuid: string }> =>
      story.send("POST", "heartbeats", { name, interval_seconds: 3600 });
    const show = (name: string, type: string, { id }: { id: number }): Promise<ComponentRecord> =>
      story.send("POST", "status/components", { name, monitor_type: type, monitor_id: id });
    const [web, mail, reports] = [await heartbeat("web"), await heartbeat("mail"), await heartbeat("reports")];
    const search = await story.send<{ id: number }>("POST", "endpoints", {
      type: "http",
      name: "search",
      target: "http://search.invalid/",
    });
    await story.send("POST", `endpoints/${search.id}/pause`);
    await show("Storefront", "heartbeat", web);
    await show("Search", "endpoint", search);
    await show("Mail", "heartbeat", mail);
    await show("Reports", "heartbeat", reports);
    await story.ping(web.uuid);
    await story.ping(mail.uuid, "/fail");
    await isShown({ Storefront: "operational", Search: "operational", Mail: "major_outage", Reports: "operational" });

    await restart((database) => {
      const longAgo = Date.now() - 7 * MINUTE_MS;
      database.prepare("UPDATE status_components SET last_observed_at = ?").run(longAgo);
      database.prepare("UPDATE endpoints SET last_check_at = ?, last_observed_at = ?").run(longAgo, longAgo);
    });
    await isShown({ Storefront: "operational", Search: "degraded, not observed", Mail: "major_outage", Reports: "operational" });
  });

  it("are so on the public page, with icon and words", async () => {
    const { page, complaints } = await story.open("/status/");
    const row = page.getByRole("listitem").filter({ hasText: "Search" });
    assert.match(await row.innerText(), /No data/);
    assert.ok(!/%/.test((await row.innerText()).split("\n")[0] ?? ""), "no uptime");
    assert.equal(await row.locator("use").getAttribute("href"), "#i-unknown");
    assert.deepEqual([await looks(page, "the public page"), complaints], [[], []]);
    await page.context().close();
  });

  it("leave the page with their monitor, and the administration says what to do", async () => {
    const { heartbeats } = await story.send<{ heartbeats: { id: number; name: string }[] }>("GET", "heartbeats");
    const reports = heartbeats.find(({ name }) => name === "reports");
    await story.send("DELETE", `heartbeats/${reports?.id}`);
    await isShown({ Storefront: "operational", Search: "degraded, not observed", Mail: "major_outage" });
    const { page, complaints } = await story.open("/status-page");
    const main = page.getByRole("main");
    await main.getByText("Its heartbeat no longer exists, so it is hidden. Choose another or delete it.").waitFor();
    await main.getByText("Hidden", { exact: true }).waitFor();
    await main.getByText("No data", { exact: true }).waitFor();
    await main.getByText("Partial outage: 2 of 3 components affected").waitFor();
    assert.deepEqual([await looks(page, "the administration"), complaints], [[], []]);
    await main.getByRole("button", { name: "Choose another for Reports" }).click();
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).waitFor();
    await page.context().close();
  });
});
