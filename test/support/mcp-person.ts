/** The person in front of the browser, who is asked whether an assistant may be connected. */
import assert from "node:assert/strict";
import type { Fetch } from "./mcp-program.ts";

export interface Decision {
  /** Which button is pressed. */
  decision?: "allow" | "deny";
  /** Which of the boxes that are there are ticked. */
  ticks?: readonly string[];
  fetch?: Fetch;
}

/** Opens the page that a client sends its user to, answers the question, and returns where that leads: to the client, with a code or an error. */
export async function decide(
  authorizationUrl: string | URL,
  { decision = "allow", ticks = [], fetch: load = fetch }: Decision = {},
): Promise<URL> {
  const page = await load(authorizationUrl, { headers: { accept: "text/html" }, redirect: "manual" });
  const html = await page.text();
  assert.equal(page.status, 200, `the page that asks for consent: ${page.headers.get("location") ?? html.slice(0, 2000)}`);
  const form = formOf(html);
  for (const [name, value] of form.boxes) if (ticks.includes(name)) form.fields.append(name, value);
  const button = form.buttons.find(({ value }) => value === decision);
  assert.ok(button !== undefined, `there is no button to ${decision}`);
  form.fields.append(button.name, button.value);
  const target = new URL(form.action, authorizationUrl);
  const answer = await load(target, {
    method: form.method,
    redirect: "manual",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      cookie: page.headers
        .getSetCookie()
        .map((cookie) => cookie.split(";")[0])
        .join("; "),
      origin: target.origin,
      "sec-fetch-site": "same-origin",
    },
    body: form.fields.toString(),
  });
  const location = answer.headers.get("location");
  assert.ok(location !== null, `the decision was answered ${answer.status}: ${(await answer.text()).slice(0, 2000)}`);
  return new URL(location);
}

interface Form {
  action: string;
  method: string;
  /** What is sent in any case. */
  fields: URLSearchParams;
  /** Values of the boxes, by name. */
  boxes: Map<string, string>;
  buttons: { name: string; value: string }[];
}

function formOf(html: string): Form {
  const [, attributes = "", content = ""] = /<form\b([^>]*)>(.*?)<\/form>/s.exec(html) ?? [];
  assert.notEqual(content, "", `the page has no form: ${html.slice(0, 2000)}`);
  const { action = "", method = "get" } = attributesOf(attributes);
  const form: Form = { action, method: method.toUpperCase(), fields: new URLSearchParams(), boxes: new Map(), buttons: [] };
  for (const [, tag, rest = ""] of content.matchAll(/<(input|button)\b([^>]*)>/g)) {
    const { name, value = "", type } = attributesOf(rest);
    if (name === undefined) continue;
    if (tag === "button" || type === "submit") form.buttons.push({ name, value });
    else if (type === "checkbox") form.boxes.set(name, value);
    else form.fields.append(name, value);
  }
  return form;
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([a-z_-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [name, unescapeHtml(value)]),
  );
}

/** Undoes what escapeHtml does. */
function unescapeHtml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
