import assert from "node:assert/strict";
import { it } from "node:test";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { hostOf } from "../../../test/support/sightings.ts";
import { createContainerStore } from "./store.ts";
import { applySighting } from "./sightings.ts";
import type { Change } from "./saving-store.ts";

const NOON = new Date("2026-03-01T12:00:00Z");

const changesOf = (count: number, changed: Partial<Change> = {}): Change[] =>
  hostOf(count, 2).map((sighting) => {
    const decision = applySighting(undefined, { sighting, observedAt: NOON, source: "inventory", agentId: null, identity: sighting.name });
    return { id: undefined, ...(decision ?? assert.fail("nothing is new")), ...changed };
  });

onBothDatabases((databases) => {
  it("each of many new containers has its own id, row and transitions, and one that was there keeps its id", async () => {
    const database = await databases.create();
    const store = createContainerStore(database);
    const changes = changesOf(150);
    const [tenth] = changes.slice(10, 11);
    assert.ok(tenth !== undefined && tenth.transitions.length === 1);
    const [early = 0] = await store.save([tenth]);
    const renamed = { ...tenth, next: { ...tenth.next, name: "renamed" } };
    const ids = await store.save([...changes, renamed, { ...renamed, id: early, next: { ...renamed.next, name: "again" } }]);
    assert.equal(ids.length, 152);
    assert.deepEqual([ids[10], ids[150], ids[151]], [early, early, early]);
    const rows = new Map((await store.load()).map(({ id, externalId, name }) => [id, { externalId, name }]));
    assert.equal(rows.size, 150);
    for (const [index, { next }] of changes.entries()) {
      const { externalId, name } = rows.get(ids[index] ?? 0) ?? {};
      assert.deepEqual([externalId, name], [next.externalId, index === 10 ? "again" : next.name]);
    }
    const transitions = await database
      .tables<{ transitions: { container_id: number } }>()
      .read.selectFrom("transitions")
      .select("container_id")
      .execute();
    assert.deepEqual(
      transitions.map(({ container_id }) => container_id).toSorted((a, b) => a - b),
      [...rows.keys()].toSorted((a, b) => a - b),
    );
  });

  it("many new containers take few statements", async () => {
    const database = await databases.create();
    let statements = 0;
    const counted = {
      ...database,
      tables: <Schema>() => {
        const tables = database.tables<Schema>();
        return {
          ...tables,
          write: <Result>(unit: Parameters<typeof tables.write<Result>>[0]) =>
            tables.write<Result>((tx) =>
              unit(
                new Proxy(tx, {
                  get(target, name) {
                    const value: unknown = Reflect.get(target, name, target);
                    if (name === "executeQuery") statements += 1;
                    return typeof value === "function" ? value.bind(target) : value;
                  },
                }),
              ),
            ),
        };
      },
    };
    await createContainerStore(counted).save(changesOf(128));
    assert.equal(statements, 4);
  });
});
