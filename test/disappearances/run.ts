import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onDatabasesOfStories } from "../support/story-databases.ts";
import { type Receiver, startReceiver } from "../support/receivers.ts";
import { ACTS } from "./act.ts";
import { type Cell, type Expected, type Field, FIELDS, type Kind, KINDS } from "./kinds.ts";
import { breaches } from "./law.ts";
import { MATRIX } from "./matrix.ts";
import { askAll, readAll, sinceNow } from "./reading.ts";
import { WAYS, type Way } from "./ways.ts";
import { openWorld, type Road } from "./world.ts";

/** What stays as it was over a restart of the server. */
const LASTING: readonly Field[] = ["state", "alert", "page", "before", "pageBefore"];

/** A server whose database was too slow may wait for a clock that nobody turns. */
const LONGEST_MS = 300_000;

/** Goes these ways by both roads, in the long form on both databases, and holds what is said against the matrix; and again after a restart of the server. */
export function goWays(...ways: readonly Way[]): void {
  onDatabasesOfStories(({ create }) => {
    let receiver: Receiver;
    before(async () => (receiver = await startReceiver()));
    after(() => receiver.stop());
    for (const way of ways)
      for (const road of roadsOf(way)) it(`${WAYS[way].title}, ${road}`, { timeout: LONGEST_MS }, (context) => go(way, road, context));

    async function go(way: Way, road: Road, context: { after(work: () => Promise<void>): void }): Promise<void> {
      const world = await openWorld({ database: await create(), road, receiverUrl: receiver.url });
      context.after(world.stop);
      const since = await sinceNow(world);
      await ACTS[way](world);
      const said = await readAll(world, since);
      const differences: string[] = [];
      for (const kind of kindsOf(road)) compare(kind, said[kind]);
      const unlawful = breaches(world, since, { said, alerts: (await askAll(world)).alerts });
      assert.deepEqual([...differences, ...unlawful], []);

      await world.stop();
      await world.start();
      await world.pass(2);
      const later = await readAll(world, since);
      const lasting = (cells: Record<Kind, Cell>): string[] =>
        kindsOf(road).flatMap((kind) => LASTING.map((field) => `${kind} ${field}: ${cells[kind][field]}`));
      assert.deepEqual(lasting(later), lasting(said), "after a restart of the server");

      function compare(kind: Kind, cell: Cell): void {
        const expected = MATRIX[kind][way];
        for (const field of Object.keys(FIELDS) as Field[]) {
          const wanted = wantedOf(expected, field, road);
          if (wanted !== undefined && cell[field] !== wanted) differences.push(`${kind} ${field}: ${cell[field]}, not ${wanted}`);
        }
      }
    }
  });
}

/** Where nothing can happen to a thing, nothing is said of it. */
function wantedOf(expected: Expected, field: Field, road: Road) {
  if (typeof expected === "string") return field === "alert" || field === "sent" ? "-" : undefined;
  return (road === "agent" ? expected.byAgent?.[field] : undefined) ?? expected[field];
}

function roadsOf(way: Way): Road[] {
  return "road" in WAYS[way] ? ["agent"] : ["embedded", "agent"];
}

function kindsOf(road: Road): Kind[] {
  return (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== "agent" || road === "agent");
}
