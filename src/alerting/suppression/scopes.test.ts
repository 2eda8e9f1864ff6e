import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { declaredRoutes, type DeclaredRoutes } from "../../../test/support/declared-routes.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { anAlert, openSuppression, type OpenedSuppression } from "../../../test/support/routing.ts";
import type { Database } from "../../storage/database.ts";
import type { SilenceRecord } from "./answers.ts";

const noon = new Date("2026-03-01T12:00:00Z");
const hourLater = "2026-03-01T13:00:00Z";
const SILENCES = "/api/v1/silence";
const WINDOWS = "/api/v1/status/maintenance";

onBothDatabases((databases) => {
  let database: Database;
  let clock: FakeClock;
  let suppression: OpenedSuppression;
  let routes: DeclaredRoutes;
  let groups: Map<number, string>;

  async function open(): Promise<void> {
    const active = [anAlert(), anAlert({ id: 2, source: "endpoint" })];
    suppression = await openSuppression(database, clock, { active, groupOf: (id) => groups.get(id) });
    routes = declaredRoutes(createTestServer({ routes: suppression.routes }), suppression.routes);
  }

  beforeEach(async () => {
    database = await databases.create();
    clock = createFakeClock(noon);
    groups = new Map([[42, "shop"]]);
    await open();
  });

  const silence = async (matchers: object): Promise<SilenceRecord> =>
    (await routes.check("POST", SILENCES, {}, { reason: "disk swap", ends_at: hourLater, matchers })) as SilenceRecord;
  const plan = (entities: readonly object[]) =>
    routes.check("POST", WINDOWS, {}, { title: "disk swap", starts_at: noon.toISOString(), ends_at: hourLater, entities });
  const listed = async (): Promise<number[]> => {
    const { silences } = await routes.check("GET", SILENCES, { all: true });
    return (silences as SilenceRecord[]).map(({ id }) => id);
  };

  describe("of a group or a host", () => {
    const other = anAlert({ entity: { type: "container", id: "43" } });
    const silenced = (): boolean[] => [anAlert(), other].map((alert) => suppression.silencing(alert, clock.now()) !== undefined);
    const maintained = (): boolean[] => [anAlert(), other].map((alert) => suppression.maintaining(alert, clock.now()) !== undefined);

    it("silences and windows cover what is in the group when the alert is looked at, over a restart too", async () => {
      await silence({ entity_type: "group", entity_id: "shop" });
      await plan([{ entity_type: "group", entity_id: "shop" }]);
      assert.deepEqual(
        [silenced(), maintained()],
        [
          [true, false],
          [true, false],
        ],
      );
      groups.set(43, "shop");
      groups.delete(42);
      await open();
      assert.deepEqual(
        [silenced(), maintained()],
        [
          [false, true],
          [false, true],
        ],
      );
    });

    it("a group without containers may be named", async () => {
      const made = await silence({ entity_type: "group", entity_id: "not yet, 100 %" });
      assert.deepEqual(made.matchers, { entity_type: "group", entity_id: "not yet, 100 %" });
      assert.deepEqual(silenced(), [false, false]);
      groups.set(43, "not yet, 100 %");
      assert.deepEqual(silenced(), [false, true]);
    });

    it("a preview shows what is in the group now", async () => {
      const matchers = { entity_type: "group", entity_id: "shop" };
      assert.equal((await routes.check("POST", `${SILENCES}/preview`, {}, { matchers }))["total"], 2);
      groups.clear();
      assert.equal((await routes.check("POST", `${SILENCES}/preview`, {}, { matchers }))["total"], 0);
    });

    it("silences of a host go with it", async () => {
      const agent = "1f0e3dad-9990-4f4b-8d5a-0123456789ab";
      const { id } = await silence({ entity_type: "agent", entity_id: agent.toUpperCase() });
      const kept = await silence({ entity_type: "agent", entity_id: "local" });
      assert.deepEqual(silenced(), [true, true]);
      await database.tables().write((unit) => suppression.purgeHost(unit, agent));
      suppression.forgetHost(agent);
      await open();
      assert.notEqual(id, kept.id);
      assert.deepEqual(await listed(), [kept.id]);
    });

    it("are refused without the name of the group, and with a host that can be none", async () => {
      const faults = async (path: string, body: object): Promise<unknown> => {
        const { status, body: refused } = await routes.ask("POST", path, body);
        assert.equal(status, 409);
        return (refused["error"] as { details: unknown }).details;
      };
      const [named, known] = ["Must name the group", "Must be `local` or the UUID of an agent"];
      const ends_at = hourLater;
      assert.deepEqual(await faults(SILENCES, { reason: "x", ends_at, matchers: { entity_type: "group" } }), [
        { path: "matchers.entity_id", message: named },
      ]);
      assert.deepEqual(await faults(`${SILENCES}/preview`, { matchers: { entity_type: "agent", entity_id: "web-1" } }), [
        { path: "matchers.entity_id", message: known },
      ]);
      const entities = [
        { entity_type: "group", entity_id: "shop" },
        { entity_type: "agent", entity_id: "web-1" },
      ];
      assert.deepEqual(await faults(WINDOWS, { title: "x", starts_at: noon.toISOString(), ends_at, entities }), [
        { path: "entities.1.entity_id", message: known },
      ]);
    });
  });
});
