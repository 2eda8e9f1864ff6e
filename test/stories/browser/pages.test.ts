import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { startMeasured, type MeasuredServer } from "../../../tools/bench/child.ts";
import { DESKTOP, openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { tabThrough } from "../../support/keyboard.ts";
import { looks } from "../../support/looks.ts";
import { focused, overflow, painted, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { isLong } from "../../support/repetitions.ts";
import { until } from "../../support/until.ts";
import { startZoo } from "../../support/zoo.ts";

interface Listed {
  groups: { containers: { id: number; name: string; restart_loop: object | null; health: string | null }[] }[];
}

describe("every page", () => {
  let engine: TestEngine;
  let zoo: Awaited<ReturnType<typeof startZoo>>;
  let few: Program;
  let unconnected: Program;
  let many: MeasuredServer;
  let none: MeasuredServer;
  let browser: Browser;
  /** The id of each container of the zoo. */
  const ids = new Map<string, number>();

  before(async () => {
    engine = await startEngine();
    [zoo, many, none, browser] = await Promise.all([
      startZoo(engine),
      startMeasured("containers", ["1000"]),
      startMeasured("containers", ["0"]),
      startBrowser(),
    ]);
    few = await startProgram({ env: { SERVICE_DOCKER_HOST: engine.host } });
    unconnected = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
    await until(zooHasHappened, { withinMs: 60_000, everyMs: 200 });
  });

  after(async () => {
    await browser?.close();
    await Promise.all([many?.stop(), none?.stop(), few?.stop(), unconnected?.stop()]);
    await zoo?.removeAll();
    await engine?.stop();
  });

  /** Everything that the pages must show well is there: a loop, and health of both kinds. */
  async function zooHasHappened(): Promise<boolean> {
    const { groups } = await few.get<Listed>("/api/v1/containers");
    const ours = groups.flatMap(({ containers }) => containers).filter(({ name }) => name.startsWith(zoo.prefix));
    for (const { id, name } of ours) ids.set(name.slice(zoo.prefix.length + 1), id);
    return ours.some((each) => each.restart_loop !== null) && ours.filter(({ health }) => /^(un)?healthy$/.test(health ?? "")).length === 2;
  }

  function addresses(): [name: string, address: string][] {
    const at = (name: string, tab: string): string => `${few.url}/containers/${ids.get(name)}?tab=${tab}`;
    return [
      ["overview", few.url],
      ["containers", `${few.url}/containers?q=${zoo.prefix}`],
      ["containers of which none fits", `${few.url}/containers?q=nothing-is-called-so`],
      ["removed containers", `${few.url}/containers?view=removed`],
      ["container in a loop", at("checkout-api", "overview")],
      ["container with wrong labels", at("migration", "overview")],
      ["container never started", at("maintenance-job", "overview")],
      ["logs", at("storefront", "logs")],
      ["logs that ended", at("nightly-backup", "logs")],
      ["metrics", at("storefront", "metrics")],
      ["metrics above the edition", `${at("storefront", "metrics")}&range=7d`],
      ["metrics of one that ended", at("nightly-backup", "metrics")],
      ["history", at("checkout-api", "history")],
      ["no such container", `${few.url}/containers/999999999`],
      ["resources", `${few.url}/resources`],
      ["resources of an unknown host", `${few.url}/resources?agent_id=00000000-0000-4000-8000-000000000000`],
      ["hosts", `${few.url}/hosts`],
      ["the local host", `${few.url}/hosts/local`],
      ["add a host", `${few.url}/hosts/new`],
      ["no such host", `${few.url}/hosts/00000000-0000-4000-8000-000000000000`],
      ["settings", `${few.url}/settings`],
      ["assistants", `${few.url}/settings/assistants`],
      ["not found", `${few.url}/nowhere`],
      ["overview of 1,000", `http://127.0.0.1:${many.port}`],
      ["1,000 containers", `http://127.0.0.1:${many.port}/containers`],
      ["overview of none", `http://127.0.0.1:${none.port}`],
      ["no containers", `http://127.0.0.1:${none.port}/containers`],
      ["overview without a runtime", unconnected.url],
      ["containers without a runtime", `${unconnected.url}/containers`],
      ["resources without a runtime", `${unconnected.url}/resources`],
      ["the local host without a runtime", `${unconnected.url}/hosts/local`],
    ];
  }

  it("is well made and readable, wide and narrow, light and dark", async () => {
    const { page, complaints } = await openPage(browser);
    const faults: string[] = [];
    for (const [name, address] of addresses()) {
      await page.setViewportSize(DESKTOP);
      await page.goto(address);
      await settled(page);
      faults.push(...(await looks(page, name)));
    }
    await page.context().close();
    // A container that is not there is asked for all the same, and the browser notes the 404.
    const unexpected = complaints.filter((complaint) => !complaint.includes("/999999999"));
    assert.deepEqual([...faults, ...unexpected], []);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`opens what opens, ${colorScheme}`, async () => {
      const { page, complaints } = await openPage(browser, { colorScheme });
      const faults: string[] = [];
      const opened = async (role: "menu" | "dialog", name: string): Promise<void> => {
        await page.getByRole(role).waitFor();
        await painted(page);
        // Menus leave the page as it is; dialogs close it off.
        faults.push(...(await violations(page, name, role === "menu" ? "[role=menu]" : "body")), ...(await overflow(page, name)));
        await page.keyboard.press("Escape");
        await page.getByRole(role).waitFor({ state: "hidden" });
      };
      for (const viewport of isLong() ? [DESKTOP, PHONE] : [colorScheme === "light" ? DESKTOP : PHONE]) {
        const at = ` at ${viewport.width} px`;
        await page.setViewportSize(viewport);
        await page.goto(`${few.url}/containers?q=${zoo.prefix}`);
        await settled(page);
        faults.push(...(await violations(page, `containers${at}`)));
        for (const button of [/^State:/, /^Group:/, /^Theme$/]) {
          await page.getByRole("button", { name: button }).click();
          await opened("menu", button.source + at);
        }
        await page.keyboard.press("Control+k");
        await opened("dialog", `palette${at}`);
        await page.keyboard.press("?");
        await opened("dialog", `help${at}`);

        await page.goto(`${few.url}/containers/${ids.get("storefront")}?tab=logs&find=cart`);
        await settled(page);
        await page.locator("mark").first().waitFor();
        faults.push(...(await violations(page, `found lines${at}`, "main")));
        await page.getByRole("button", { name: /^Level:/ }).click();
        await opened("menu", `levels${at}`);

        await page.goto(`${few.url}/containers/${ids.get("checkout-api")}?tab=history`);
        await page.getByRole("button", { name: /show each time/ }).click();
        await page
          .getByRole("button", { name: /show last log lines/ })
          .first()
          .click();
        await page.getByText("cannot reach the ledger").first().waitFor();
        faults.push(...(await violations(page, `last lines${at}`, "main")), ...(await overflow(page, `last lines${at}`)));
      }
      await page.context().close();
      assert.deepEqual([...faults, ...complaints], []);
    });
  }

  it("goes by keys alone", async () => {
    const { page, complaints } = await openPage(browser);
    const filter = page.getByRole("searchbox", { name: "Filter" });
    /** Of the container in whose row the focus is. */
    const focusedName = async (): Promise<string> => {
      const text = await page.evaluate<string>("document.activeElement.textContent");
      return text.startsWith(zoo.prefix) ? text : "";
    };
    await page.goto(`${few.url}/containers?q=${zoo.prefix}`);
    await settled(page);

    await page.keyboard.press("/");
    await focused(filter);
    await page.keyboard.type(`${zoo.prefix}-s`);
    await until(() => /q=bt-\w+-s$/.test(page.url()));
    await page.keyboard.press("Escape");
    await until(async () => (await filter.inputValue()) === "");
    await filter.fill(zoo.prefix);
    await page.keyboard.press("Escape");
    await filter.fill(zoo.prefix);
    await filter.blur();

    await page.getByRole("row").nth(7).waitFor();
    await page.keyboard.press("j");
    const first = await until(focusedName, { what: "the focus in the first row" });
    await page.keyboard.press("j");
    await until(async () => !["", first].includes(await focusedName()), { what: "the focus in the second row" });
    await page.keyboard.press("k");
    await until(async () => (await focusedName()) === first, { what: "the focus in the first row again" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: first }).waitFor();

    // At once: the second of a pair has to follow within a moment, however busy the page is.
    await Promise.all([page.keyboard.press("g"), page.keyboard.press("c")]);
    await page.getByRole("heading", { level: 1, name: "Containers" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("Control+k");
    await focused(page.getByRole("combobox", { name: "Search or run" }));
    await page.keyboard.type(`${zoo.prefix}-importer`);
    await page.getByRole("option", { name: `${zoo.prefix}-importer`, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: `${zoo.prefix}-importer` }).waitFor();
    await page.context().close();
    assert.deepEqual(complaints, []);
  });

  it("never loses the one who walks with Tab", async () => {
    const { page } = await openPage(browser);
    for (const [address, fewest] of [
      [`${few.url}/containers?q=${zoo.prefix}`, 20],
      [`${few.url}/containers/${ids.get("storefront")}?tab=logs`, 20],
      [`${few.url}/containers/${ids.get("storefront")}?tab=metrics`, 25],
      [`${few.url}/resources`, 12],
      [`${few.url}/settings`, 10],
      [`${few.url}/settings/assistants`, 20],
    ] as const) {
      await page.goto(address);
      await settled(page);
      const stops = await tabThrough(page);
      assert.ok(stops.length >= fewest, `${address}: ${stops.length} stops: ${stops.join(" | ")}`);
    }
    await page.context().close();
  });

  it("moves only for those who like it", async () => {
    const moved: Record<string, boolean> = {};
    for (const [reducedMotion, state, word] of [
      ["no-preference", "exited", "Exited 1"],
      ["reduce", "running", "Running"],
    ] as const) {
      const { page } = await openPage(browser, { reducedMotion });
      await page.goto(`http://127.0.0.1:${many.port}/containers?group=project-1`);
      await page.getByRole("status").getByText("Live").waitFor();
      await settled(page);
      await page.evaluate("document.addEventListener('animationstart', () => (window.hasMoved = true))");
      await many.ask({ change: 1, state });
      await page
        .getByRole("row")
        .filter({ has: page.getByRole("link", { name: "service-1", exact: true }) })
        .filter({ hasText: word })
        .waitFor();
      await until(() => page.evaluate<boolean>(RESTED), { what: "that nothing moves any more" });
      await painted(page);
      moved[reducedMotion] = await page.evaluate<boolean>("window.hasMoved === true");
      await page.context().close();
    }
    assert.deepEqual(moved, { "no-preference": true, reduce: false });
  });

  it("comes in its theme at once", async () => {
    // Without the app's own scripts only what stands in the page itself can have set it.
    const seen: Record<string, string> = {};
    for (const [device, chosen] of [
      ["dark", null],
      ["light", "dark"],
      ["dark", "light"],
    ] as const) {
      const { page } = await openPage(browser, { colorScheme: device });
      await page.route("**/*.js", (route) => route.abort());
      if (chosen !== null) await page.addInitScript({ content: `localStorage.setItem("binnacle.theme", "${chosen}")` });
      await page.goto(few.url);
      seen[`${device} device, ${chosen ?? "nothing"} chosen`] = await page.evaluate<string>(
        "getComputedStyle(document.body).backgroundColor",
      );
      await page.context().close();
    }
    const [dark, light] = ["rgb(14, 17, 20)", "rgb(250, 250, 248)"];
    assert.deepEqual(seen, {
      "dark device, nothing chosen": dark,
      "light device, dark chosen": dark,
      "dark device, light chosen": light,
    });
  });
});

/** Whether all that began to move has come to rest; only then it has surely reported that it began. */
const RESTED = `document.getAnimations().every(({ playState, effect }) => playState !== "running" || effect.getTiming().iterations === Infinity)`;
