import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onDatabasesOfStories } from "../support/story-databases.ts";
import { type Receiver, startReceiver } from "../support/receivers.ts";
import { ACTS } from "./act.ts";
import { type Cell, type Expected, type Field, FIELDS, type Kind, KINDS } from "./kinds.ts";
import { breaches } from "./law.ts";
import { MATRIX } from "./matrix.ts";
import { askAll, readAll, sinceNow } from "./reading.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { openWorld, type Road } from "./world.ts";

/** What stays as it was over a restart of the server. */
const LASTING: readonly Field[] = ["state", "alert", "page", "before", "pageBefore"];

/** A server whose database was too slow may wait for a clock that nobody turns. */
const LONGEST_MS = 300_000;

/** Runs these scenarios on both roads, in the long form on both databases, and compares what is shown with the matrix, also after a restart of the server. */
export function runScenarios(...scenarios: readonly Scenario[]): void {
  onDatabasesOfStories(({ create }) => {
    let receiver: Receiver;
    before(async () => (receiver = await startReceiver()));
    after(() => receiver.stop());
    for (const scenario of scenarios)
      for (const road of roadsOf(scenario))
        it(`${SCENARIOS[scenario].title}, ${road}`, { timeout: LONGEST_MS }, (context) => run(scenario, road, context));

    async function run(scenario: Scenario, road: Road, context: { after(work: () => Promise<void>): void }): Promise<void> {
      const world = await openWorld({ database: await create(), road, receiverUrl: receiver.url });
      context.after(world.stop);
      const since = await sinceNow(world);
      await ACTS[scenario](world);
      const shown = await readAll(world, since);
      const differences: string[] = [];
      for (const kind of kindsOf(road)) compare(kind, shown[kind]);
      const unlawful = breaches(world, since, { shown, alerts: (await askAll(world)).alerts });
      assert.deepEqual([...differences, ...unlawful], []);

      await world.stop();
      await world.start();
      await world.pass(2);
      const later = await readAll(world, since);
      const lasting = (cells: Record<Kind, Cell>): string[] =>
        kindsOf(road).flatMap((kind) => LASTING.map((field) => `${kind} ${field}: ${cells[kind][field]}`));
      assert.deepEqual(lasting(later), lasting(shown), "after a restart of the server");

      function compare(kind: Kind, cell: Cell): void {
        const expected = MATRIX[kind][scenario];
        for (const field of Object.keys(FIELDS) as Field[]) {
          const wanted = wantedOf(expected, field, road);
          if (wanted !== undefined && cell[field] !== wanted) differences.push(`${kind} ${field}: ${cell[field]}, not ${wanted}`);
        }
      }
    }
  });
}

/** Where nothing can happen to a thing, nothing is shown of it. */
function wantedOf(expected: Expected, field: Field, road: Road) {
  if (typeof expected === "string") return field === "alert" || field === "sent" ? "-" : undefined;
  return (road === "agent" ? expected.byAgent?.[field] : undefined) ?? expected[field];
}

function roadsOf(scenario: Scenario): Road[] {
  return "road" in SCENARIOS[scenario] ? ["agent"] : ["embedded", "agent"];
}

function kindsOf(road: Road): Kind[] {
  return (Object.keys(KINDS) as Kind[]).filter((kind) => kind !== "agent" || road === "agent");
}
