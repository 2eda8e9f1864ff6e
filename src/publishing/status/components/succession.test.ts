import assert from "node:assert/strict";
import { test } from "node:test";
import type { Look, SavedComponent } from "./component.ts";
import { Succession } from "./succession.ts";

const at = new Date("2026-03-01T12:00:00Z");

function component(id: number, monitor: SavedComponent["monitor"], monitorName: string): SavedComponent {
  const settings = {
    groupId: null,
    name: "Shop",
    description: "",
    monitor,
    sortOrder: 0,
    visible: true,
    statusOverride: null,
    autoIncident: true,
  };
  const state = { monitorName, agentId: null, monitorStatus: "operational", observed: true, impact: null, needsAttention: false } as const;
  return { id, ...settings, ...state, status: "operational", lastObservedAt: at, since: at, createdAt: at, updatedAt: at };
}

/** Monitors of which some are gone; counts the searches. */
function monitors({ there, replacements = {} }: { there: Record<number, string>; replacements?: Record<string, number> }) {
  const counted = { searches: 0 };
  const look = ({ id }: SavedComponent["monitor"]): Look | undefined => {
    const name = there[Number(id)];
    return name === undefined ? undefined : { name, agentId: null, status: "operational", lastObservedAt: at, entities: [] };
  };
  const successors = () => {
    counted.searches += 1;
    return ({ name }: { name: string }): number | undefined => replacements[name];
  };
  return { counted, look, successors };
}

const web = component(1, { type: "container", id: 7 }, "web");
const job = component(2, { type: "heartbeat", id: 8 }, "job");

test("without a lost monitor nothing is searched, and the components stay the same", () => {
  const known = monitors({ there: { 7: "web", 8: "job" } });
  const succession = new Succession(known);
  const components = [web, job];
  assert.equal(succession.follow(components), components);
  assert.deepEqual([known.counted.searches, succession.isAnyLost()], [0, false]);
});

test("a container that is gone is replaced by the one of its name, and others stay", () => {
  const known = monitors({ there: { 8: "job" }, replacements: { web: 9 } });
  const succession = new Succession(known);
  const followed = succession.follow([web, job]);
  assert.deepEqual(
    followed.map(({ monitor }) => monitor.id),
    [9, 8],
  );
  assert.equal(followed[1], job);
});

test("a container that was set aside under a name of its id counts as gone", () => {
  const known = monitors({ there: { 7: "0123456789ab_web" }, replacements: { web: 9 } });
  assert.equal(new Succession(known).follow([web])[0]?.monitor.id, 9);
});

test("what was searched in vain is searched again only when asked, or when more is lost", () => {
  const known = monitors({ there: { 8: "job" } });
  const succession = new Succession(known);
  for (let look = 0; look < 3; look += 1) succession.follow([web, job]);
  assert.deepEqual([known.counted.searches, succession.isAnyLost()], [1, true]);
  succession.search();
  succession.follow([web, job]);
  assert.equal(known.counted.searches, 2);
  succession.follow([web, component(3, { type: "container", id: 10 }, "db")]);
  assert.equal(known.counted.searches, 3);
});

test("a component of a group has no successor", () => {
  const known = monitors({ there: {}, replacements: { shop: 9 } });
  const group = component(4, { type: "group", id: "shop" }, "shop");
  assert.deepEqual(new Succession(known).follow([group]), [group]);
});
