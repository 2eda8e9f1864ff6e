import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { aComponent, anIncident, NOW, SETTINGS } from "../../../../test/support/status-page.ts";
import { type Element, parseXml } from "../../../../test/support/xml.ts";
import type { Incident } from "../vocabulary.ts";
import { renderFeed } from "./atom.ts";
import { project, publicIncident } from "./projection.ts";

const NASTY = `<b>"Shop" & 'Sons'</b> ]]> \u0000\u0008\ufffe\ud800 <!-- \u{1f6d2}`;

function feed(incidents: Incident[], { origin = "https://status.example.org", title = "Shop" } = {}): Element {
  const board = { groups: [], components: [aComponent({ id: 1, name: NASTY })] };
  const projection = project({ settings: { ...SETTINGS, title }, board, incidents, works: [], now: NOW });
  const shown = incidents.flatMap((incident) => publicIncident(incident, board) ?? []);
  const address = { origin, page: `${origin}/status/` };
  return parseXml(renderFeed(projection, { feedId: SETTINGS.feedId, address, incidents: shown, updatedAt: NOW }));
}

function all({ children }: Element, name: string): Element[] {
  return children.filter((child) => child.name === name);
}

function one(element: Element, name: string): Element {
  const [first, ...others] = all(element, name);
  assert.ok(first !== undefined && others.length === 0, `one ${name}, not ${others.length + (first === undefined ? 0 : 1)}`);
  return first;
}

/** What RFC 4287 asks of every feed and entry. */
function assertValid(root: Element): void {
  assert.equal(root.name, "feed");
  assert.equal(root.attributes["xmlns"], "http://www.w3.org/2005/Atom");
  assert.equal(all(root, "author").length, 1, "4.1.1: an author, since entries have none");
  assert.notEqual(one(one(root, "author"), "name").text, "");
  const links = all(root, "link").map(({ attributes }) => attributes);
  assert.deepEqual(
    links.map(({ rel, type }) => [rel, type]),
    [
      ["self", "application/atom+xml"],
      ["alternate", "text/html"],
    ],
  );
  const ids = new Set<string>();
  for (const element of [root, ...all(root, "entry")]) {
    const id = one(element, "id").text;
    assert.ok(id.startsWith("urn:uuid:") && z.uuid().safeParse(id.slice(9)).success, id);
    assert.ok(!ids.has(id), "ids are unique");
    ids.add(id);
    assert.notEqual(one(element, "title").text, "");
    assert.ok(z.iso.datetime({ offset: true }).safeParse(one(element, "updated").text).success, "3.3: RFC 3339");
  }
  for (const entry of all(root, "entry")) {
    assert.ok(z.iso.datetime({ offset: true }).safeParse(one(entry, "published").text).success);
    assert.equal(one(entry, "content").attributes["type"], "html");
    assert.equal(all(entry, "link").filter(({ attributes }) => attributes["rel"] === "alternate").length, 1);
  }
}

test("a feed without incidents is valid", () => {
  const root = feed([]);
  assertValid(root);
  assert.equal(one(root, "updated").text, NOW.toISOString());
});

test("one entry an incident, the latest update first, with its timeline", () => {
  const updatedAt = new Date("2026-11-21T05:00:00Z");
  const root = feed([
    anIncident({ id: 2, createdAt: new Date("2026-11-20T00:00:00Z") }),
    anIncident({
      id: 1,
      title: NASTY,
      status: "resolved",
      components: [1],
      createdAt: new Date("2026-11-01T00:00:00Z"),
      updatedAt,
      resolvedAt: updatedAt,
      updates: [
        { id: 1, status: "investigating", message: "Looking.", at: new Date("2026-11-01T00:00:00Z"), editedAt: null },
        { id: 2, status: "resolved", message: `${NASTY}\nsecond line`, at: updatedAt, editedAt: null },
      ],
    }),
  ]);
  assertValid(root);
  assert.equal(one(root, "updated").text, updatedAt.toISOString());
  const [first, second] = all(root, "entry");
  assert.ok(first && second);
  assert.equal(one(first, "title").text, `<b>"Shop" & 'Sons'</b> ]]> \ufffd <!-- \u{1f6d2}`);
  assert.deepEqual(
    all(first, "category").map(({ attributes }) => attributes["term"]),
    ["major", "resolved"],
  );
  assert.equal(one(first, "link").attributes["href"], "https://status.example.org/status/incidents/1");
  const content = one(first, "content").text;
  parseXml(`<div>${content}</div>`);
  assert.ok(content.indexOf("Resolved") < content.indexOf("Investigating"), "the latest first");
  assert.ok(!content.includes("<b>&"), "text by people is text");
  assert.match(content, /<br\/>second line/);
});

test("ids stay when address, title and status change, and are another page's only by chance", () => {
  const ids = (root: Element): string[] => [root, ...all(root, "entry")].map((element) => one(element, "id").text);
  const before = feed([anIncident({ id: 1 })]);
  const after = feed([anIncident({ id: 1, title: "Else", status: "resolved", resolvedAt: NOW })], {
    origin: "https://other.example",
    title: "Other",
  });
  assert.deepEqual(ids(before), ids(after));
});
