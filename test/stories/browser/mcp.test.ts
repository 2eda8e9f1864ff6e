import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import { openPage, PHONE, startBrowser } from "../../support/browser.ts";
import { looks } from "../../support/looks.ts";
import { modernRequest } from "../../support/mcp-oauth.ts";
import { CLIENT, type McpProgram, startMcpProgram } from "../../support/mcp-program.ts";
import { focused, overflow, settled, violations } from "../../support/page-checks.ts";
import { type Program, startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";

const NOWHERE = { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" };
const BOTH = "monitor:read alerts:write";

/** The program on a person's computer that asked for access and receives the outcome. */
interface Assistant {
  redirectUri: string;
  /** The answers that came, oldest first. */
  received: URL[];
  server: Server;
}

async function startAssistant(): Promise<Assistant> {
  const received: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/back") received.push(url);
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Back</title><h1>Back in the assistant</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this kind.
  return { redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/back`, received, server };
}

interface Asked {
  url: string;
  state: string;
  verifier: string;
}

function question(program: Pick<Program, "url">, { redirectUri }: Assistant, scope = BOTH, clientId: string = CLIENT.id): Asked {
  const [state, verifier] = [randomBytes(8).toString("hex"), randomBytes(32).toString("base64url")];
  const url = new URL("/oauth/authorize", program.url);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    resource: `${program.url}/mcp`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return { url: url.href, state, verifier };
}

/** The answer to a question, once the browser is back in the assistant with it. */
async function answerTo({ state }: Asked, { received }: Assistant, page: Page): Promise<URLSearchParams> {
  await page.getByRole("heading", { name: "Back in the assistant" }).waitFor();
  return until(() => received.find(({ searchParams }) => searchParams.get("state") === state)?.searchParams);
}

/** What the assistant gets for its code. */
async function redeem(program: Program, { verifier }: Asked, { redirectUri }: Assistant, code: string | null) {
  const answer = await fetch(`${program.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
    body: new URLSearchParams({ grant_type: "authorization_code", code: code ?? "", redirect_uri: redirectUri, code_verifier: verifier }),
  });
  assert.equal(answer.status, 200);
  return (await answer.json()) as { access_token: string; scope: string };
}

describe("assistants, in the browser", () => {
  let program: McpProgram;
  let guarded: McpProgram;
  let off: Program;
  let browser: Browser;
  let assistant: Assistant;
  let accessToken: string;

  before(async () => {
    assistant = await startAssistant();
    program = await startMcpProgram({ env: NOWHERE });
    guarded = await startMcpProgram({ env: { ...NOWHERE, SERVICE_ADMIN_TOKEN: "correct-horse-battery" } });
    off = await startProgram({ env: NOWHERE });
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await Promise.all([program?.stop(), guarded?.stop(), off?.stop()]);
    assistant?.server.close();
  });

  const main = (page: Page): Locator => page.getByRole("main");
  const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name, exact: typeof name === "string" });
  const call = (token: string): Promise<Response> => {
    const { body, headers } = modernRequest(1, "tools/list");
    return fetch(`${program.url}/mcp`, { method: "POST", headers: { ...headers, authorization: `Bearer ${token}` }, body });
  };

  it("the page says who asks, for what and where the answer goes, on every screen and in both themes", async () => {
    const { url } = question(program, assistant);
    const { page, complaints } = await openPage(browser);
    await page.goto(url);
    await main(page).getByRole("heading", { name: "Let an assistant look at this monitor?" }).waitFor();
    const words = await main(page).innerText();
    for (const said of [CLIENT.id, "To a program on this computer", assistant.redirectUri, `${program.url}/mcp`]) {
      assert.ok(words.includes(said), said);
    }
    assert.equal(await page.getByRole("checkbox").isChecked(), false);
    assert.deepEqual([...(await looks(page, "the question")), ...complaints], []);
    await page.context().close();
  });

  it("whoever denies sends the assistant away with nothing", async () => {
    const { page, complaints } = await openPage(browser);
    const asked = question(program, assistant);
    await page.goto(asked.url);
    await button(page, "Deny").click();
    const answer = await answerTo(asked, assistant, page);
    assert.deepEqual([answer.get("error"), answer.get("code"), answer.get("iss")], ["access_denied", null, program.url]);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("whoever allows, without a script and with nothing ticked, lets it look and no more", async () => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    const asked = question(program, assistant);
    await page.goto(asked.url);
    await button(page, "Allow").click();
    const answer = await answerTo(asked, assistant, page);
    const { scope } = await redeem(program, asked, assistant, answer.get("code"));
    assert.equal(scope, "monitor:read");
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("by the keyboard alone, with the box ticked, it may acknowledge too", async () => {
    const { page } = await openPage(browser);
    const asked = question(program, assistant);
    await page.goto(asked.url);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    assert.equal(await page.getByRole("checkbox").isChecked(), true);
    await page.keyboard.press("Tab");
    assert.equal(await button(page, "Allow").evaluate((element) => element.matches(":focus-visible")), true);
    await page.keyboard.press("Tab");
    assert.equal(await button(page, "Deny").evaluate((element) => element.matches(":focus-visible")), true);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    const answer = await answerTo(asked, assistant, page);
    const { scope, access_token: token } = await redeem(program, asked, assistant, answer.get("code"));
    assert.equal(scope, BOTH);
    accessToken = token;
    assert.equal((await call(accessToken)).status, 200);
    await page.context().close();
  });

  it("a program that is not known is sent nothing, and the person is shown why", async () => {
    const { page } = await openPage(browser);
    const asked = question(program, assistant, BOTH, "somebody-else");
    await page.goto(asked.url);
    await main(page).getByRole("heading", { name: "This assistant cannot be connected" }).waitFor();
    assert.match(await main(page).innerText(), /SERVICE_MCP_CLIENT_ID[^]*It was sent nothing/);
    assert.equal(await page.getByRole("button").count(), 0);
    assert.deepEqual(await violations(page, "the refusal"), []);
    assert.equal(
      assistant.received.some(({ searchParams }) => searchParams.get("state") === asked.state),
      false,
    );
    await page.context().close();
  });

  it("where there is an admin token, only who knows it may allow, and anybody may deny", async () => {
    const { page } = await openPage(browser);
    const asked = question(guarded, assistant);
    await page.goto(asked.url);
    const field = page.getByLabel(/^Admin token/);
    await field.fill("not-the-token");
    await button(page, "Allow").click();
    await page.getByRole("alert").getByText("That is not the token.").waitFor();
    await focused(field);
    assert.equal(await field.inputValue(), "");
    assert.deepEqual(await violations(page, "a wrong token"), []);
    await field.fill("correct-horse-battery");
    await page.keyboard.press("Enter");
    assert.notEqual((await answerTo(asked, assistant, page)).get("code"), null);

    const again = question(guarded, assistant);
    await page.goto(again.url);
    await button(page, "Deny").click();
    assert.equal((await answerTo(again, assistant, page)).get("error"), "access_denied");
    await page.context().close();
  });

  it("the settings show what is connected, and end it", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${program.url}/settings`);
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Assistants" }).click();
    await until(() => new URL(page.url()).pathname === "/settings/assistants");
    const rows = page.getByRole("list", { name: "Connected assistants" }).getByRole("listitem");
    // The newest first: the one that has called by its name, then the one that never did.
    await rows.first().getByText("It reads and acknowledges alerts.").waitFor();
    assert.match(await rows.first().innerText(), /^plain client\s+Connected/);
    assert.match(await rows.nth(1).innerText(), /It reads\.[^]*Never used/);
    assert.equal(await rows.count(), 2);
    assert.deepEqual(await violations(page, "two connections"), []);

    await rows.first().getByRole("button", { name: "Revoke plain client" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke plain client?" });
    await dialog.waitFor();
    assert.deepEqual(await violations(page, "the question"), []);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await call(accessToken)).status, 200);
    await rows.first().getByRole("button", { name: "Revoke plain client" }).click();
    await dialog.getByRole("button", { name: "Revoke access" }).click();
    await page.getByText("1 ended connection").click();
    await page.getByRole("list", { name: "Ended connections" }).getByText("Revoked").waitFor();
    assert.equal(await rows.count(), 1);
    assert.equal((await call(accessToken)).status, 401);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("the settings teach every client its set-up, and never show the secret", async () => {
    const { page, complaints } = await openPage(browser, { viewport: PHONE });
    await page.goto(`${program.url}/settings/assistants`);
    await settled(page);
    await main(page).getByText(`--client-id ${CLIENT.id} --client-secret`).waitFor();
    for (const [tab, said] of [
      ["Claude Desktop", "claude_desktop_config.json"],
      ["VS Code", '"type": "http"'],
      ["Cursor", "SERVICE_MCP_REDIRECT_URIS=cursor://anysphere.cursor-mcp/oauth/callback"],
      ["Others", "Streamable HTTP"],
    ] as const) {
      await page.getByRole("navigation", { name: "Assistants" }).getByRole("link", { name: tab }).click();
      await main(page).getByText(said).first().waitFor();
      const words = await main(page).innerText();
      assert.ok(words.includes("--mcp-stdio"), tab);
      assert.ok(!words.includes(CLIENT.secret), tab);
      assert.deepEqual([...(await violations(page, tab)), ...(await overflow(page, tab))], []);
    }
    const tool = main(page).getByRole("list", { name: "Tools" }).getByRole("listitem").filter({ hasText: "acknowledge_alert" });
    assert.match(await tool.innerText(), /needs alerts:write/);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  it("while it is off, the settings teach how to switch it on", async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${off.url}/settings/assistants`);
    await settled(page);
    const words = await main(page).innerText();
    assert.match(words, /SERVICE_MCP=true\nSERVICE_MCP_CLIENT_ID=assistant\nSERVICE_MCP_CLIENT_SECRET=[0-9a-f]{48}\n/);
    assert.equal(await page.getByRole("heading", { name: "Connected assistants" }).count(), 0);
    assert.deepEqual(await violations(page, "off"), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});
