import assert from "node:assert/strict";
import { after as afterAll, before, describe, it } from "node:test";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { openSuppression } from "../../../test/support/routing.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const after = (minutes: number): string => new Date(noon.getTime() + minutes * 60_000).toISOString();
const SILENCES = "/api/v1/silence";
const WINDOWS = "/api/v1/status/maintenance";

let database: Database;
let routes: DeclaredRoutes;

before(async () => {
  database = openSqlite({ path: `${temporaryFolder()}/input.db`, clock: systemClock, log: silentLog });
  await database.start();
  await open();
});
afterAll(() => database.stop());

async function open(): Promise<void> {
  const suppression = await openSuppression(database, createFakeClock(noon));
  routes = declaredRoutes(createTestServer({ routes: suppression.routes }), suppression.routes);
}

describe("bad input for silences and maintenance", () => {
  const entity = { entity_type: "container", entity_id: "42" };
  const long = "x".repeat(3000);
  const matchers = { source: "container" };
  const cases: [what: string, url: string, body: object, path: string, sentence: RegExp][] = [
    [
      "a silence that ends before it starts",
      SILENCES,
      { reason: "x", starts_at: after(2), ends_at: after(1), matchers },
      "ends_at",
      /after/,
    ],
    ["a silence that is over", SILENCES, { reason: "x", starts_at: after(-2), ends_at: after(-1), matchers }, "ends_at", /future/],
    ["a silence of two years", SILENCES, { reason: "x", ends_at: after(1440 * 730), matchers }, "ends_at", /366 days/],
    ["a silence of everything", SILENCES, { reason: "x", ends_at: after(1), matchers: {} }, "matchers", /at least one/],
    ["an empty matcher", SILENCES, { reason: "x", ends_at: after(1), matchers: { entity_id: " " } }, "matchers.entity_id", /empty/],
    ["an unknown matcher", SILENCES, { reason: "x", ends_at: after(1), matchers: { name: "web" } }, "matchers.name", /Unknown key/],
    ["an unknown source", SILENCES, { reason: "x", ends_at: after(1), matchers: { source: "disk" } }, "matchers.source", /container/],
    ["a host that is none", SILENCES, { reason: "x", ends_at: after(1), matchers: { agent_id: "web" } }, "matchers.agent_id", /UUID/],
    ["a label without a key", SILENCES, { reason: "x", ends_at: after(1), matchers: { label: "=x" } }, "matchers.label", /key=value/],
    ["no reason", SILENCES, { reason: " \u0000", ends_at: after(1), matchers }, "reason", /empty/],
    ["a long reason", SILENCES, { reason: long, ends_at: after(1), matchers }, "reason", /500/],
    ["a time without a zone", SILENCES, { reason: "x", ends_at: "2027-03-01T12:00:00", matchers }, "ends_at", /datetime/],
    ["a window without an end", WINDOWS, { title: "x", starts_at: after(1), entities: [entity] }, "ends_at", /string/],
    ["a window of nothing", WINDOWS, { title: "x", starts_at: after(1), ends_at: after(2) }, "entities", /what it covers/],
    ["a window that is over", WINDOWS, { title: "x", starts_at: after(-2), ends_at: after(-1), entities: [entity] }, "ends_at", /future/],
    [
      "a component that is none",
      WINDOWS,
      { title: "x", starts_at: after(1), ends_at: after(2), components: ["1"] },
      "components.0",
      /number/,
    ],
    [
      "an entity without a kind",
      WINDOWS,
      { title: "x", starts_at: after(1), ends_at: after(2), entities: [{ ...entity, entity_type: "" }] },
      "entities.0.entity_type",
      /kind/,
    ],
    [
      "too many entities",
      WINDOWS,
      { title: "x", starts_at: after(1), ends_at: after(2), entities: Array.from({ length: 201 }, () => entity) },
      "entities",
      /200/,
    ],
    [
      "a long description",
      WINDOWS,
      { title: "x", starts_at: after(1), ends_at: after(2), entities: [entity], description: long },
      "description",
      /2000/,
    ],
  ];
  /** What no schema can say of them. */
  const UNUSABLE = new Set([
    "a silence that ends before it starts",
    "a silence that is over",
    "a silence of two years",
    "a label without a key",
    "a window of nothing",
    "a window that is over",
  ]);
  it("is refused with the field and a sentence, and nothing is kept", async () => {
    for (const [what, url, body, path, sentence] of cases) {
      const { status, body: answer } = await routes.ask("POST", url, body);
      const { error } = answer as { error: { code: string; details: { path: string; message: string }[] } };
      const refusal = UNUSABLE.has(what) ? [409, "unusable_values"] : [400, "validation_failed"];
      assert.deepEqual([status, error.code], refusal, `${what}: ${JSON.stringify(answer)}`);
      assert.ok(
        error.details.some((fault) => fault.path === path && sentence.test(fault.message)),
        `${what}: ${JSON.stringify(error)}`,
      );
    }
    await open();
    assert.equal((await routes.check("GET", SILENCES, { all: true }))["total"], 0);
    assert.equal((await routes.check("GET", WINDOWS))["total"], 0);
    assert.equal((await routes.ask("GET", `${SILENCES}?all=maybe`)).status, 400);
  });
});
