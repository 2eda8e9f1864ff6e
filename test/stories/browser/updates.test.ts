import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual, promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import type { UpdateList, UpdateSummary } from "../../../src/monitoring/updates/answers.ts";
import { LICENSES, mintLicense } from "../../../tools/license.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { startEngine, type TestEngine } from "../../support/engine.ts";
import { BUSYBOX, createTestContainers, importBusybox, type TestContainers } from "../../support/images.ts";
import { looks } from "../../support/looks.ts";
import { overflow, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { startRegistry, type TestRegistry } from "../../support/registry.ts";
import { until } from "../../support/until.ts";

const run = promisify(execFile);
/** Within the limits of the API. */
const SELDOM = { everyMs: 200, withinMs: 60_000 };
/** For each answer: long enough that a scan is seen under way. */
const HELD_MS = 5000;
const OLD = "3.0.11-1~deb12u2";
const FIXED = "3.0.15-1~deb12u1";
const CVE = "CVE-2099-0001";
const HOSTILE = "<img src=x onerror=alert(1)>";

/** What real containers could run instead is on the page as it is found, with what it mends, and is pinned, excluded and taken back there. */
describe("updates, in the browser", () => {
  let engine: TestEngine;
  let registry: TestRegistry;
  let containers: TestContainers;
  let folder: string;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  before(async () => {
    [engine, registry, folder] = await Promise.all([startEngine(), startRegistry(), mkdtemp(join(tmpdir(), "binnacle-updates-page-"))]);
    await importBusybox(engine);
    containers = createTestContainers(engine);
    await mkdir(join(folder, "osv"));
    await writeFile(join(folder, "osv/planted.json"), JSON.stringify(plantedRecord()));
    await publish("team/shop:1.0.0", OLD);
    await publish("team/tools:3.1.4", OLD);
    await publish("team/tools:3.1.5", OLD);
    // Without a network: interfaces that come and go make Chromium drop its requests.
    await start("shop", "team/shop:1.0.0");
    await start("tools", "team/tools:3.1.4");
    await start("kept", "team/tools:3.1.4", "--label", "service.update.pin=3.1.4");
    const licence = mintLicense(LICENSES, { edition: "pro", organisation: "Tests", days: 1 });
    [program, browser] = await Promise.all([
      startProgram({
        env: {
          SERVICE_DOCKER_HOST: engine.host,
          SERVICE_LICENSE_KEY: licence,
          SERVICE_UPDATE_PRIVATE_HOSTS: `http://${registry.host}`,
          SERVICE_OSV_DIR: join(folder, "osv"),
        },
      }),
      startBrowser(),
    ]);
    await until(async () => (await program.get<UpdateList>(`/api/v1/updates?search=${containers.prefix}`)).total === 3, SELDOM);
    ({ page, complaints } = await openPage(browser));
    await page.goto(`${program.url}/updates`);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.evaluate("window.neverReloaded = true");
  });

  after(async () => {
    await browser?.close();
    await program?.stop();
    await containers?.removeAll();
    await Promise.all([registry?.stop(), engine?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  /** An image with a database of packages, made by the engine and pushed by it. */
  async function publish(name: string, openssl: string): Promise<void> {
    const path = await mkdtemp(join(folder, "image-"));
    const status = `Package: openssl\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${openssl}\n`;
    await writeFile(join(path, "status"), status);
    await writeFile(join(path, "os-release"), 'ID=debian\nVERSION_ID="12"\n');
    const lines = [`FROM ${BUSYBOX}`, "COPY status /var/lib/dpkg/status", "COPY os-release /etc/os-release", `LABEL built.as=${name}`];
    await writeFile(join(path, "Dockerfile"), lines.join("\n"));
    const image = `${containers.prefix}/${name}`;
    await run("docker", ["build", "-q", "-t", image, path], { env: { ...process.env, DOCKER_HOST: engine.host, DOCKER_BUILDKIT: "0" } });
    await registry.pushFrom(engine, image, name);
  }

  const named = (name: string): string => `${containers.prefix}-${name}`;
  const start = (name: string, image: string, ...flags: string[]): Promise<string> =>
    engine.docker(
      ...["run", "-d", "--name", named(name), "--label", `binnacle.test=${containers.prefix}`, "--network", "none", ...flags],
      `${registry.host}/${image}`,
    );
  const rows = (status: string): Locator => page.getByRole("row").filter({ has: page.getByText(status, { exact: true }) });
  const row = (name: string, among = page.getByRole("row")): Locator =>
    among.filter({ has: page.getByRole("link", { name: named(name), exact: true }) });
  const drawer = (): Locator => page.getByRole("dialog", { name: named("shop") });

  /** The names of those that can be updated, in their order. */
  const available = async (): Promise<string[]> =>
    (await program.get<UpdateList>(`/api/v1/updates?status=available&search=${containers.prefix}`)).updates.map(
      ({ container_name }) => container_name,
    );

  /** By the button of the page; resolves once all is known that comes of it. */
  async function scan(): Promise<void> {
    const earlier = (await program.get<UpdateSummary>("/api/v1/updates/summary")).last_scan_at;
    await page.getByRole("button", { name: "Scan now" }).click();
    await until(
      async () => {
        const { last_scan_at, scanning, studying } = await program.get<UpdateSummary>("/api/v1/updates/summary");
        return last_scan_at !== earlier && scanning === null && studying === null;
      },
      { ...SELDOM, what: "the scan to end" },
    );
    await page.getByRole("button", { name: "Scan now" }).waitFor();
  }

  it("scans when asked to, and shows how far it is", async () => {
    registry.delayMs = HELD_MS;
    const scanned = scan();
    await page.getByRole("progressbar", { name: "Scan" }).waitFor();
    await page.getByText(/^\d+ of \d+ images checked, \d+ newer found\.$/).waitFor();
    assert.ok(await page.getByRole("button", { name: "Scanning" }).isDisabled());
    registry.delayMs = 0;
    await scanned;
    await row("shop", rows("Up to date")).waitFor();
    await row("shop").getByText("1 critical").waitFor();
    await row("tools", rows("Update available")).getByText("3.1.5").waitFor();
    await row("kept", rows("Pinned")).getByText("Pinned to 3.1.4 by its label service.update.pin.").waitFor();
    await page.getByText(/^Last scan .+, next scan in \d+ h\./).waitFor();
  });

  it("shows a newer tag as soon as a scan finds it, without being loaded again", async () => {
    await publish("team/shop:1.1.0", FIXED);
    await scan();
    const found = row("shop", rows("Update available"));
    await found.getByText("1.1.0").waitFor();
    await found.getByText("Minor").waitFor();
    await page.getByText(/^\d+ of \d+ containers? can be updated/).waitFor();
    assert.equal(await page.evaluate("window.neverReloaded"), true);
  });

  it("opens the details by the keyboard alone, with what is mended and commands to copy", async () => {
    // While they are still being put in their order, the next row may be another one.
    await until(
      async () => isDeepStrictEqual(await rows("Update available").locator("a[data-row]").allInnerTexts(), await available()),
      SELDOM,
    );
    await page.keyboard.press("j");
    await until(() => page.locator('[data-row="1"]').evaluate((element) => element.matches(":focus")));
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    // Which of the two comes first follows their risk.
    for (let at = 0; at < 3 && (await page.locator(":focus").innerText()) !== named("shop"); at++) await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await drawer().getByText("1 critical", { exact: true }).waitFor();
    await drawer().getByText("The update fixes all of them.").waitFor();
    const vulnerability = drawer().getByRole("list", { name: "Vulnerabilities" }).getByRole("listitem").filter({ hasText: CVE });
    await vulnerability.getByText("fixed by the update").waitFor();
    await vulnerability.getByText(HOSTILE).waitFor();
    await drawer()
      .getByText(/^High|^Critical|^Medium/)
      .first()
      .waitFor();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // It says so for a moment only.
    await Promise.all([
      drawer().getByRole("button", { name: "Copied" }).first().waitFor(),
      drawer().getByRole("button", { name: "Copy command" }).first().click(),
    ]);
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(copied, new RegExp(`${named("shop")} ${registry.host}/team/shop:1\\.1\\.0`));
    assert.match(copied, /RECREATE$/);
    await drawer().getByRole("heading", { name: "Roll back to the current version" }).waitFor();
    assert.deepEqual(await violations(page, "the details", "[role=dialog]"), []);
  });

  it("pins with a reason, and unpins", async () => {
    await drawer().getByRole("button", { name: "Pin to current version" }).click();
    const dialog = page.getByRole("dialog", { name: "Pin container" });
    await dialog.getByLabel(/^Reason/).fill(`The fair <b>is on`);
    assert.deepEqual(await violations(page, "the dialog", "[role=dialog]:last-of-type"), []);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await drawer().getByText("The fair <b>is on.").waitFor();
    await page.keyboard.press("Escape");
    await drawer().waitFor({ state: "detached" });
    await row("shop", rows("Pinned")).waitFor();
    await row("shop")
      .getByRole("button", { name: `Actions for ${named("shop")}` })
      .click();
    await page.getByRole("menuitem", { name: "Unpin" }).click();
    await row("shop", rows("Update available")).waitFor();
  });

  it("excludes an image by its name, and takes that back", async () => {
    await row("shop")
      .getByRole("button", { name: `Actions for ${named("shop")}` })
      .click();
    await page.getByRole("menuitem", { name: "Exclude image" }).click();
    const dialog = page.getByRole("dialog", { name: "Exclude image" });
    await dialog.getByLabel("Image").fill(`${registry.host}/team/sh*`);
    await dialog.getByText(`Matches 1 container: ${named("shop")}.`).waitFor();
    await dialog.getByRole("button", { name: "Exclude", exact: true }).click();
    await row("shop", rows("Excluded")).getByText(`Excluded by ${registry.host}/team/sh*.`).waitFor();
    await page.getByRole("link", { name: "Preview scan" }).click();
    const asked = page.getByRole("dialog", { name: "Preview scan" });
    await asked.getByText(/^A scan would check \d+ images? and skip \d+\./).waitFor();
    await asked.getByRole("listitem").filter({ hasText: "team/shop:1.0.0" }).getByText("Excluded by").waitFor();
    await page.goBack();
    await asked.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Excluded images" }).click();
    const excluded = page.getByRole("dialog", { name: "Excluded images" });
    await excluded.getByText("matches 1 container").waitFor();
    await excluded.getByRole("button", { name: `Stop excluding ${registry.host}/team/sh*` }).click();
    await excluded.getByText("No excluded images.").waitFor();
    await page.keyboard.press("Escape");
    await row("shop", rows("Update available")).waitFor();
  });

  it("narrows in its address, and says the same on the container's own page", async () => {
    await page.getByRole("button", { name: "Kind: any" }).click();
    await page.getByRole("menuitemradio", { name: /^Minor/ }).click();
    await row("tools").waitFor({ state: "detached" });
    await until(() => new URL(page.url()).search === "?type=minor");
    await page.goBack();
    await row("tools").waitFor();
    await row("shop")
      .getByRole("link", { name: named("shop") })
      .click();
    await drawer().getByRole("link", { name: "Go to container" }).click();
    await page.getByRole("link", { name: "Update available: 1.0.0 to 1.1.0, minor." }).click();
    await page.getByRole("heading", { name: "Commands" }).waitFor();
    assert.equal(new URL(page.url()).search, "?tab=updates");
    await page.goBack();
    await page.goBack();
    await drawer().waitFor();
  });

  it("serves everybody, on wide and narrow screens, in both themes", async () => {
    const faults: string[] = [];
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.keyboard.press("Escape");
    await drawer().waitFor({ state: "detached" });
    faults.push(...(await looks(page, "updates")));
    await row("shop")
      .getByRole("link", { name: named("shop") })
      .click();
    await drawer().getByRole("heading", { name: "Facts" }).waitFor();
    faults.push(...(await looks(page, "details", "[role=dialog]")));
    await drawer().getByRole("link", { name: "Go to container" }).click();
    await page.getByRole("navigation", { name: "Container" }).getByRole("link", { name: "Updates" }).click();
    await page.getByRole("heading", { name: "Facts" }).waitFor();
    faults.push(...(await overflow(page, "container")));
    assert.deepEqual(faults, []);
    assert.equal(await page.evaluate("window.neverReloaded"), true);
    assert.deepEqual(complaints, []);
  });
});

function plantedRecord(): object {
  return {
    schema_version: "1.6.0",
    id: `DEBIAN-${CVE}`,
    aliases: [CVE],
    modified: "2026-01-02T00:00:00Z",
    published: "2026-01-01T00:00:00Z",
    summary: HOSTILE,
    severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
    affected: [
      {
        package: { ecosystem: "Debian:12", name: "openssl" },
        ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: FIXED }] }],
      },
    ],
  };
}
