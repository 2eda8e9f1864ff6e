import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { BUSYBOX } from "../../support/images.ts";
import { overflow, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { startSwarm, type TestSwarm } from "../../support/swarm.ts";
import { until } from "../../support/until.ts";

/** What a real swarm runs is on the page, and follows it. */
describe("a swarm, in the browser", () => {
  let swarm: TestSwarm;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  const docker = (...args: string[]): Promise<string> => swarm.hosts[0]?.engine.docker(...args) ?? Promise.reject(new Error("no engine"));
  const create = (name: string, ...args: string[]): Promise<string> =>
    docker("service", "create", "-d", "--no-resolve-image", "--restart-delay", "1s", "--name", name, ...args);
  const row = (name: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

  before(async () => {
    swarm = await startSwarm(1);
    const stack = ["--label", "com.docker.stack.namespace=shop"];
    await create(
      "shop_web",
      ...stack,
      "--replicas",
      "2",
      "--publish",
      "mode=host,target=80,published=8080",
      "--constraint",
      "node.role==manager",
      BUSYBOX,
    );
    await create("shop_worker", ...stack, BUSYBOX, "false");
    await create("agent", "--mode", "global", BUSYBOX, "sh", "-c", "echo tick; echo tock; sleep 100000");
    program = await startProgram({ env: { SERVICE_DOCKER_HOST: swarm.hosts[0]?.engine.host ?? "" } });
    await until(async () => (await fetch(`${program.url}/api/v1/swarm/services`)).status === 200, { everyMs: 100 });
    browser = await startBrowser();
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/`);
  });
  after(async () => {
    await browser?.close();
    await program?.stop();
    await swarm?.stop();
  });

  it("is led to by the rail, and lists services by stack", async () => {
    await page.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Swarm" }).click();
    await page.getByRole("rowheader", { name: /shop · stack/ }).waitFor();
    // Two tasks want the same port of one host.
    await row("shop_web").getByText("1 / 2").waitFor();
    await row("shop_web").getByText("8080→80 (host)").waitFor();
    await row("shop_worker").getByText("Crash-looping · task: non-zero exit (1)").waitFor();
    await row("agent").getByText("Running").waitFor();
  });

  it("follows what changes within two seconds", async () => {
    await docker("service", "scale", "-d", "shop_web=1");
    await row("shop_web").getByText("1 / 1").waitFor({ timeout: 4_000 });
  });

  it("shows one service with its tasks, each with its container, and what was there before", async () => {
    await row("shop_worker").getByRole("link").click();
    await page.getByRole("heading", { name: "shop_worker" }).waitFor();
    await page.getByRole("table", { name: "Previous tasks" }).getByText("Failed · task: non-zero exit (1)").first().waitFor();
    // It was never anything else.
    await page.getByText("docker service update --image binnacle-test/busybox:1 --with-registry-auth shop_worker").waitFor();
    assert.equal(await page.getByText("docker service rollback").count(), 0);
    await page.goBack();
    await row("shop_web").getByRole("link").click();
    await page.getByText("docker service rollback shop_web").waitFor();
    await page
      .getByRole("table", { name: "Tasks", exact: true })
      .getByRole("link", { name: /^shop_web\.\d$/ })
      .click();
    await page.getByRole("heading", { name: /^shop_web\.\d\./ }).waitFor();
    await page.goBack();
  });

  it("shows the lines of all tasks of a service, and finds some", async () => {
    await page.getByRole("link", { name: "Swarm" }).first().click();
    await row("agent").getByRole("link").click();
    const lines = page.getByRole("list", { name: "Lines" }).getByRole("listitem");
    await lines.filter({ hasText: "tick" }).waitFor();
    await page.getByRole("searchbox", { name: "Search logs" }).fill("tock");
    await until(async () => (await lines.count()) === 1 && (await lines.first().innerText()).includes("tock"), { what: "one line" });
  });

  it("follows the log of all tasks of a service, those that come later too, and gives it as a file", async () => {
    const says = "count=0; while :; do count=$((count + 1)); echo $(hostname) says $count; sleep 0.3; done";
    await create("talks", "--replicas", "2", "--stop-grace-period", "1s", BUSYBOX, "sh", "-c", says);
    await page.getByRole("link", { name: "Swarm" }).first().click();
    await row("talks").getByRole("link").click();
    await page.getByRole("navigation", { name: "Service" }).getByRole("link", { name: "Logs" }).click();
    const log = page.getByRole("region", { name: "Log of talks" });
    for (const task of ["talks.1", "talks.2"]) await log.getByText(task, { exact: true }).first().waitFor();
    await page.getByRole("main").getByRole("status").getByText("Live", { exact: true }).waitFor();
    // Only those in sight are drawn.
    const speakers = new Set<string>();
    const heard = async (count: number): Promise<boolean> => {
      for (const [, name = ""] of (await log.innerText()).matchAll(/(\w{12}) says \d+/g)) speakers.add(name);
      return speakers.size >= count;
    };
    await until(() => heard(2), { what: "two tasks" });
    await docker("service", "update", "-d", "--no-resolve-image", "--force", "talks");
    await until(() => heard(4), { withinMs: 60_000, everyMs: 200, what: "the tasks that replaced them" });

    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    const lines = readFileSync(await download.path(), "utf8")
      .trimEnd()
      .split("\n");
    for (const line of lines) assert.match(line, /^\S+Z talks\.[12]@node-1 stdout \w{12} says \d+$/);
    const said = lines.map((line) => line.slice(line.indexOf("stdout")));
    assert.deepEqual(said, [...new Set(said)], "no line comes twice");
    for (const speaker of speakers) {
      const counts = said.flatMap((line) => (line.includes(speaker) ? [Number(line.split(" ").at(-1))] : []));
      assert.deepEqual(
        counts,
        counts.map((_, index) => index + 1),
        "no line is missing",
      );
    }
    const asked = page.waitForResponse((response) => response.status() === 404 && response.url().includes("/api/v1/swarm/services/"));
    await docker("service", "rm", "talks");
    await asked;
    // It says so, and what it wrote can be read on.
    await page.getByText("This service was removed from its swarm.").waitFor();
    assert.ok(
      await log
        .getByText(/ says \d+$/)
        .first()
        .isVisible(),
    );
    await page.getByText("The service was removed. These are its last log lines.").waitFor();
    // A browser complains of every answer that refuses something.
    complaints.splice(0, complaints.length, ...complaints.filter((each) => !/404/.test(each)));
    await page.getByRole("link", { name: "Swarm" }).first().click();
    await row("talks").waitFor({ state: "detached" });
  });

  it("is found by the palette", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run" }).fill("shop_worker");
    // Containers of its tasks are called like it, and more.
    await page.getByRole("option", { name: /^shop_worker(?!\.)/ }).click();
    await page.getByRole("heading", { level: 1, name: "shop_worker", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or run" }).fill("node-1");
    await page.getByRole("option", { name: /^node-1/ }).click();
    await page
      .getByRole("row", { name: /node-1/ })
      .and(page.locator("[aria-current]"))
      .waitFor();
  });

  it("shows the nodes", async () => {
    await page.getByRole("link", { name: "Swarm" }).first().click();
    await page.getByRole("navigation", { name: "Swarm", exact: true }).getByRole("link", { name: "Nodes" }).click();
    await page.getByRole("row").filter({ hasText: "node-1" }).getByText("Leader").waitFor();
  });

  for (const [size, viewport, colorScheme] of [
    ["a desktop", DESKTOP, "light"],
    ["a phone", PHONE, "dark"],
  ] as const) {
    it(`fits ${size}, and everybody can use it`, async () => {
      const { page: other } = await openPage(browser, { viewport, colorScheme });
      const id = await docker("service", "inspect", "-f", "{{.ID}}", "shop_worker");
      for (const path of ["/swarm", "/swarm/nodes", `/swarm/services/${id}`, `/swarm/services/${id}?tab=logs`]) {
        await other.goto(program.url + path);
        await settled(other);
        assert.deepEqual(await overflow(other, path), []);
        assert.deepEqual(await violations(other, path), []);
      }
      await other.close();
    });
  }

  it("complains of nothing but the service that was removed", () =>
    assert.deepEqual(
      complaints.filter((each) => !/404 .*\/swarm\/services\//.test(each)),
      [],
    ));
});
