import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import type { ActiveAlerts } from "../../../src/alerting/alerts/answers.ts";
import type { ComponentRecord } from "../../../src/publishing/status/components/answers.ts";
import type { IncidentList, IncidentRecord } from "../../../src/publishing/status/incidents/answers.ts";
import type { PublicStatus } from "../../../src/publishing/status/page/api.ts";
import type { SubscriberList } from "../../../src/publishing/status/subscribers/answers.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { storyOnBothDatabases } from "../../support/story-databases.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { type MailReceiver, startMailReceiver } from "../../support/mail-receiver.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { parseXml } from "../../support/xml.ts";

const SELDOM = { everyMs: 100, withinMs: 30_000 };

/** What the public sees of an outage, and hears of it by mail: a real engine, a real mail server, a real browser, the whole program. */
function story(databaseEnv: () => Promise<Record<string, string>>): void {
  let engine: TestEngine;
  let containers: TestContainers;
  let mail: MailReceiver;
  let browser: Browser;
  let program: Program & { dataDir: string; port: number };
  let env: Record<string, string>;
  let externalId: string;
  let component: ComponentRecord;

  before(async () => {
    [engine, mail, browser] = await Promise.all([startEngine(), startMailReceiver(), startBrowser()]);
    await importBusybox(engine);
    containers = createTestContainers(engine);
    env = {
      SERVICE_DOCKER_HOST: engine.host,
      SERVICE_CONTAINER_DOWN_AFTER: "1s",
      SERVICE_SMTP_HOST: mail.host,
      SERVICE_SMTP_PORT: String(mail.port),
      SERVICE_SMTP_FROM: "status@example.com",
      SERVICE_SMTP_TLS: "none",
      ...(await databaseEnv()),
    };
    await start();
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await Promise.all([engine?.stop(), mail?.stop()]);
  });

  async function start(): Promise<void> {
    program = await startProgram({ env, ...(program === undefined ? {} : { dataDir: program.dataDir, port: program.port }) });
    await until(async () => (await program.get<{ connected: boolean }>("/api/v1/runtime/status")).connected);
  }

  async function send<Body>(method: string, path: string, body: object): Promise<Body> {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(program.url + path, { method, body: JSON.stringify(body), headers });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
    // What the test asks for is what the route answers.
    return JSON.parse(text) as Body;
  }

  const incidents = async (): Promise<IncidentRecord[]> => (await program.get<IncidentList>("/api/v1/status/incidents")).incidents;
  const publicText = async (path: string): Promise<string> => (await fetch(program.url + path)).text();
  /** The mails so far, by their subjects; what they say in plain text. */
  const letters = (): { subject: string; text: string }[] =>
    mail.received.map(({ raw }) => {
      const text = raw.replace(/=\r\n/g, "").replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
      return { subject: /^Subject: (.*)$/m.exec(text)?.[1]?.trim() ?? "", text };
    });
  const letter = (subject: RegExp): Promise<{ subject: string; text: string }> =>
    until(() => letters().find((each) => subject.test(each.subject)), { ...SELDOM, what: `a mail with the subject ${String(subject)}` });
  const rowOf = (page: Page) => page.locator(`#c-${component.id}`);

  it("has a component that stands for a container", async () => {
    externalId = await containers.run("checkout", [], "sleep", "100000");
    type List = { groups: { containers: { id: number; name: string; state: string }[] }[] };
    const found = await until(async () => {
      const { groups } = await program.get<List>("/api/v1/containers");
      // Before it runs it is seen as made.
      const isOurs = ({ name, state }: List["groups"][number]["containers"][number]): boolean =>
        name === `${containers.prefix}-checkout` && state === "running";
      return groups.flatMap((group) => group.containers).find(isOurs);
    }, SELDOM);
    const group = await send<{ id: number }>("POST", "/api/v1/status/groups", { name: "Shop" });
    component = await send("POST", "/api/v1/status/components", {
      group_id: group.id,
      name: "Checkout",
      monitor_type: "container",
      monitor_id: found.id,
      auto_incident: true,
    });
    assert.equal(component.status, "operational");
  });

  it("takes a subscriber who confirms by a button, not by following the link", async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${program.url}/status/`);
    await page.getByText("Get updates").click();
    await page.getByLabel(/e-mail/i).fill("ada@example.com");
    await page.getByRole("button", { name: /subscribe|get updates/i }).click();
    const { text } = await letter(/Confirm your subscription/);
    const link = /http:\/\/\S+\/status\/confirm\?token=[\w-]+/.exec(text)?.[0] ?? "";
    const counts = async (): Promise<SubscriberList["counts"]> => (await program.get<SubscriberList>("/api/v1/status/subscribers")).counts;
    await page.goto(link);
    assert.deepEqual(await counts(), { pending: 1, confirmed: 0 });
    await page.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("status").getByText("Your subscription is confirmed.").waitFor();
    assert.deepEqual(await counts(), { pending: 0, confirmed: 1 });
    await page.context().close();
  });

  it("turns within a second in an open browser when the container ends, and is the same without JavaScript", async (test) => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/status/`);
    await rowOf(page).getByText("Operational").waitFor();
    await page.locator("html[data-live]").waitFor();
    process.kill(Number(await engine.docker("inspect", "--format", "{{.State.Pid}}", externalId)), "SIGKILL");
    const endedMs = performance.now();
    // A second is what it takes at most; a machine that has other work takes longer to end a container.
    await rowOf(page).getByText("Major outage").waitFor({ timeout: 15_000 });
    test.diagnostic(`the page turned after ${Math.round(performance.now() - endedMs)} ms`);

    const plain = await openPage(browser, { javaScriptEnabled: false });
    await plain.page.goto(`${program.url}/status/`);
    await rowOf(plain.page).getByText("Major outage").waitFor();
    await plain.page.context().close();

    const incident = await until(async () => (await incidents()).find(({ status }) => status !== "resolved"), SELDOM);
    assert.deepEqual([incident.automatic, incident.components], [true, [component.id]]);
    await page.getByText(incident.title).first().waitFor();
    await letter(/^\[.*\] Investigating: /);

    await send("POST", `/api/v1/status/incidents/${incident.id}/updates`, {
      status: "identified",
      message: "The release needs more memory than it has.\nWe are <rolling> back.",
    });
    await page.getByText("We are <rolling> back.").first().waitFor();
    assert.match((await letter(/Identified: /)).text, /We are <rolling> back\./);
    await engine.docker("start", externalId);
    await rowOf(page).getByText("Operational").waitFor();
    await letter(/Resolved: /);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("is in maintenance while a window names the component, and alerting keeps quiet", async () => {
    const now = Date.now();
    const window = await send<{ id: number }>("POST", "/api/v1/status/maintenance", {
      title: "Moving",
      starts_at: new Date(now).toISOString(),
      ends_at: new Date(now + 3_600_000).toISOString(),
      components: [component.id],
    });
    const status = async (): Promise<string | undefined> =>
      (await program.get<PublicStatus>("/status/api")).groups[0]?.components[0]?.status;
    await until(async () => (await status()) === "maintenance", SELDOM);
    process.kill(Number(await engine.docker("inspect", "--format", "{{.State.Pid}}", externalId)), "SIGKILL");
    const { alerts } = await until(async () => {
      const active = await program.get<ActiveAlerts>("/api/v1/alerts/active");
      return active.alerts.length > 0 ? active : undefined;
    }, SELDOM);
    assert.deepEqual(
      alerts.map(({ event, suppressed_by }) => [event, suppressed_by]),
      [["down", "maintenance"]],
    );
    assert.equal(await status(), "maintenance");
    await engine.docker("start", externalId);
    await until(async () => (await program.get<ActiveAlerts>("/api/v1/alerts/active")).alerts.length === 0, SELDOM);
    await fetch(`${program.url}/api/v1/status/maintenance/${window.id}`, { method: "DELETE" });
    await until(async () => (await status()) === "operational", SELDOM);
    assert.equal((await incidents()).length, 1, "none was opened for it");
    await letter(/Maintenance completed: |Maintenance cancelled: /);
  });

  it("has it in the feed, and the day remembers it, also after a restart", async () => {
    const [incident] = await until(async () => {
      const all = await incidents();
      return all[0]?.status === "resolved" ? all : undefined;
    }, SELDOM);
    const sent = mail.received.length;
    await program.stop();
    await start();

    const feed = parseXml(await publicText("/status/feed.atom"));
    const entry = feed.children.find(({ name }) => name === "entry");
    assert.ok(entry !== undefined && incident !== undefined);
    const textOf = (name: string): string => entry.children.find((child) => child.name === name)?.text ?? "";
    assert.match(textOf("title"), new RegExp(incident.title));
    assert.ok(Date.parse(textOf("updated")) >= Date.parse(incident.resolved_at ?? ""));

    const board = await until(async () => {
      const answer = await program.get<PublicStatus>("/status/api");
      return answer.status === "operational" ? answer : undefined;
    }, SELDOM);
    const [group] = board.groups;
    const [shown] = group?.components ?? [];
    assert.deepEqual([group?.name, shown?.name], ["Shop", "Checkout"]);
    // It may have been before midnight.
    const days = shown?.uptime_90d.slice(-2) ?? [];
    assert.ok(
      days.some((day) => day !== null && day > 0 && day < 100),
      `the last bars say ${days.join(" and ")} %`,
    );
    assert.equal(mail.received.length, sent, "nothing is sent again after a start");
    for (const path of ["/status/", "/status/api", "/status/feed.atom"])
      assert.equal((await publicText(path)).includes(containers.prefix), false, `${path} names the container`);
  });
}

storyOnBothDatabases("the public status page", story);
