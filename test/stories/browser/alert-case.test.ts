import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { type Receiver, startReceiver } from "../../support/receivers.ts";
import { until } from "../../support/until.ts";
import { startWebStory, type WebStory } from "../../support/web-story.ts";

describe("the page of an alert about a container that crashes", () => {
  let engine: TestEngine;
  let containers: TestContainers;
  let story: WebStory;
  let receiver: Receiver;
  let page: Page;
  let complaints: string[];

  before(async () => {
    [engine, receiver] = await Promise.all([startEngine(), startReceiver()]);
    await importBusybox(engine);
    containers = createTestContainers(engine);
    story = await startWebStory({ env: { SERVICE_DOCKER_HOST: engine.host } });
    await until(async () => (await story.send<{ connected: boolean }>("GET", "runtime/status")).connected);
    const { id } = await story.send<{ id: number }>("POST", "channels", { name: "Operations", type: "webhook", url: receiver.url });
    await story.send("POST", `channels/${id}/rules`, {});
    await story.send("POST", "escalation-policies", { name: "Nights", levels: [{ delay_seconds: 3600, channel_ids: [id] }] });
  });

  after(async () => {
    await story?.stop();
    await receiver?.stop();
    await containers?.removeAll();
    await engine?.stop();
  });

  const main = (): Locator => page.getByRole("main");
  const list = (name: string): Locator => main().getByRole("list", { name, exact: true });
  const alertId = (): Promise<number> =>
    until(
      async () => {
        const { alerts } = await story.send<ActiveAlerts>("GET", "alerts/active");
        return alerts.find(({ event }) => event === "restart_loop")?.id;
      },
      { what: "the alert about the crash loop" },
    );

  it("shows why, with the log, what changed before, who was notified and who is next", async () => {
    const name = `${containers.prefix}-ledger`;
    await containers.run("ledger", ["--network", "none"], "sleep", "100000");
    await until(async () => (await story.send<{ total: number }>("GET", `containers?search=${name}`)).total === 1);
    await engine.docker("rm", "-f", name);
    await containers.run("ledger", ["--network", "none", "--restart", "always"], "sh", "-c", "echo 'panic: no ledger'; exit 3");
    const id = await alertId();
    ({ page, complaints } = await story.open(`/alerts/${id}`));
    await main().getByLabel("Log lines").getByText("panic: no ledger").first().waitFor();
    await list("Why")
      .getByText(/exit code 3/)
      .first()
      .waitFor();
    const changed = list("Changed in the hour before").getByRole("listitem");
    await changed.filter({ hasText: "re-created from the same image" }).getByRole("link", { name, exact: true }).waitFor();
    await list("Deliveries").getByText("Operations", { exact: true }).waitFor();
    await main()
      .getByText(/^Next: Operations at .* unless acknowledged \(level 1 of 1 of Nights\)\.$/)
      .waitFor();
    assert.deepEqual([...(await looks(page, "an alert as a case")), ...complaints], []);
  });
});
