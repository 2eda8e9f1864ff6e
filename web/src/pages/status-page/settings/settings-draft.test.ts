import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettingsRecord } from "../../../../../src/publishing/status/settings/answers.ts";
import { draftOf, isChanged, NO_CHANGES, readSettings, withChanges, savedOf } from "./settings-draft.ts";
import { badgeSnippets, embedSnippet } from "./snippet-text.ts";

const SAVED: SettingsRecord = {
  title: "Shop",
  description: "",
  accent: "#2257C5",
  has_logo: false,
  logo_url: null,
  homepage_url: "https://shop.example/",
  support_url: null,
  domain: null,
  published: true,
  show_uptime: true,
  public_url: "https://status.example/status/",
  updated_at: null,
};

test("only what was changed is sent", () => {
  const draft = draftOf(SAVED);
  assert.deepEqual(readSettings(draft, SAVED), { body: {} });
  assert.equal(isChanged(draft, SAVED), false);
  const read = readSettings({ ...draft, accent: "#117744 ", homepage: "", support: " https://help.example ", logo: null }, SAVED);
  assert.ok("body" in read);
  assert.deepEqual(read.body, { accent: "#117744", logo: null, homepage_url: null, support_url: "https://help.example" });
});

test("a domain is sent in lower case, and taken away when left empty", () => {
  const read = readSettings({ ...draftOf(SAVED), domain: " Status.Example.com " }, SAVED);
  assert.deepEqual(read, { body: { domain: "status.example.com" } });
  const withDomain = { ...SAVED, domain: "status.example.com" };
  assert.equal(isChanged(draftOf(withDomain), withDomain), false);
  assert.deepEqual(readSettings({ ...draftOf(withDomain), domain: "" }, withDomain), { body: { domain: null } });
  const refused = readSettings({ ...draftOf(SAVED), domain: "https://status.example.com" }, SAVED);
  assert.deepEqual(refused, { faults: { domain: "Must not have a scheme: write status.example.com" } });
});

test("what nobody touched follows what somebody else saves meanwhile, and is not put back", () => {
  const changes = { ...NO_CHANGES, title: "Our shop", published: false };
  const theirs = { ...SAVED, description: "All of it", accent: "#117744", published: false };
  const draft = withChanges(theirs, changes);
  assert.deepEqual([draft.title, draft.description, draft.accent], ["Our shop", "All of it", "#117744"]);
  assert.deepEqual(readSettings(draft, theirs), { body: { title: "Our shop" } });
});

test("what is typed while it is saved is still a change", () => {
  const sent = { ...NO_CHANGES, title: "Shop", published: false };
  const changes = { ...sent, title: "Shop 2" };
  assert.deepEqual({ ...changes, ...savedOf(changes, sent) }, { ...NO_CHANGES, title: "Shop 2" });
});

test("what cannot be is shown at its field", () => {
  const read = readSettings({ ...draftOf(SAVED), title: " ", accent: "red", homepage: "shop", support: "javascript:alert(1)" }, SAVED);
  assert.ok("faults" in read);
  assert.deepEqual(Object.keys(read.faults), ["title", "accent", "homepage_url", "support_url"]);
  assert.equal(isChanged({ ...draftOf(SAVED), title: "" }, SAVED), true);
});

test("snippets of a page with a domain lead to that", () => {
  assert.match(embedSnippet("https://status.example/", "Shop"), /src="https:\/\/status\.example\/\?embed=1"/);
  const [markdown] = badgeSnippets("https://status.example/", { path: "badge.svg", name: "Shop" });
  assert.equal(markdown?.code, "[![Shop](https://status.example/status/badge.svg)](https://status.example/)");
});

test("snippets lead to the page, and a title does not break out of them", () => {
  const html = embedSnippet("https://status.example/status/", 'Shop "& <b>');
  assert.match(html, /src="https:\/\/status\.example\/status\/\?embed=1"/);
  assert.match(html, /title="Shop &quot;&amp; &lt;b&gt;"/);
  const [markdown, markup] = badgeSnippets("https://status.example/status/", { path: "badge/7.svg", name: "Pay [now]" });
  assert.equal(markdown?.code, "[![Pay \\[now\\]](https://status.example/status/badge/7.svg)](https://status.example/status/)");
  assert.match(markup?.code ?? "", /<img src="https:\/\/status\.example\/status\/badge\/7\.svg" alt="Pay \[now\]">/);
});
