import assert from "node:assert/strict";
import { it } from "node:test";
import { consentPath } from "../../tools/pictures/assistants.ts";
import { checkHtml } from "../support/html-checker.ts";
import { startMcpProgram } from "../support/mcp-program.ts";
import { type Program, startProgram } from "../support/program.ts";

/** Pages of the demo: what visitors of its public page come to, and what the app begins with. */
const DEMO_PAGES = [
  "/",
  "/status",
  "/status/history",
  "/status/history?month=2026-01",
  "/status/incidents/1",
  "/status/incidents/999999",
  "/status/confirm?token=0123456789abcdef0123456789abcdef",
  "/status/unsubscribe?token=0123456789abcdef0123456789abcdef",
  "/status/nowhere",
  "/assets/nowhere.js",
];

async function pageOf({ url }: Pick<Program, "url">, path: string, init: RequestInit = {}): Promise<[string, string]> {
  const answer = await fetch(url + path, { ...init, headers: { accept: "text/html", ...init.headers } });
  return [`${init.method ?? "GET"} ${path}`, await answer.text()];
}

it("the Nu HTML checker finds nothing in the pages that the server makes", async () => {
  await using stack = new AsyncDisposableStack();
  const demo = await startProgram({ env: { SERVICE_DEMO: "true" } });
  stack.defer(async () => void (await demo.stop()));
  const guarded = await startProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere.sock", SERVICE_ADMIN_TOKEN: "a".repeat(40) } });
  stack.defer(async () => void (await guarded.stop()));
  const assistant = await startMcpProgram({ env: { SERVICE_DOCKER_HOST: "unix:///nowhere.sock" } });
  stack.defer(async () => void (await assistant.stop()));
  const form = (body: string): RequestInit => ({
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const pages = await Promise.all([
    ...DEMO_PAGES.map((path) => pageOf(demo, path)),
    pageOf(demo, "/status/subscribe", form("email=nobody")),
    pageOf(guarded, "/login?next=/alerts"),
    pageOf(guarded, "/login", form("token=wrong&next=/alerts")),
    pageOf(assistant, consentPath(assistant)),
    pageOf(assistant, "/oauth/authorize?client_id=somebody-else"),
  ]);
  const documents = new Map(pages.filter(([, text]) => text.startsWith("<!")));
  assert.ok(documents.size >= 12, `only these are pages: ${[...documents.keys()].join(", ")}`);
  assert.deepEqual(checkHtml(documents), []);
});

it("and finds what is wrong", () => {
  const page = '<!doctype html><html lang="en"><title>A page</title><p id="one">One<p id="one">Two<center>Three</center></html>';
  const found = checkHtml(new Map([["wrong", page]]));
  for (const fault of [/Duplicate ID/, /“center” element is obsolete/])
    assert.ok(
      found.some((message) => fault.test(message)),
      found.join("\n"),
    );
});
