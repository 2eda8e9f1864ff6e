import assert from "node:assert/strict";
import { test } from "node:test";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { isServiceError, messageOf, ServiceError } from "../platform/errors.ts";
import { silentLog } from "../platform/log.ts";
import { createAvailability } from "./writer.ts";
import type { DatabaseStatus } from "./database.ts";

class Loss extends Error {}
class Busy extends Error {}

function setUp() {
  const clock = createFakeClock();
  const statuses: DatabaseStatus[] = [];
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const database = { back: false, probes: 0, reason: "still away" };
  const availability = createAvailability({
    clock,
    log: { ...silentLog, info: note, error: note },
    isLoss: (error) => error instanceof Loss,
    isBusy: (error) => error instanceof Busy,
    reasonOfLoss: messageOf,
    async probe() {
      database.probes += 1;
      if (!database.back) throw new Loss(database.reason);
    },
  });
  availability.onStatus((status) => void statuses.push(status));
  return { clock, statuses, logged, database, availability };
}

test("an ordinary failure is passed on as it is, and changes nothing", () => {
  const { availability, statuses } = setUp();
  const broken = new Error("a constraint");
  assert.equal(availability.judge(broken), broken);
  assert.equal(availability.judge("text"), "text");
  const known = new ServiceError("not_found", "no");
  assert.equal(availability.judge(known), known);
  availability.require();
  assert.deepEqual(availability.status(), { connected: true, error: null });
  assert.deepEqual(statuses, []);
});

test("a database that is busy is not lost: one statement fails, and nobody else is refused", () => {
  const { availability, statuses } = setUp();
  const busy = new Busy("canceling statement due to statement timeout");
  const judged = availability.judge(busy);
  assert.ok(isServiceError(judged, "storage_unavailable"));
  assert.equal(judged.cause, busy);
  availability.require();
  assert.deepEqual(statuses, []);
});

test("a loss becomes storage_unavailable with its cause, for the next callers too", () => {
  const { availability } = setUp();
  const loss = new Loss("cut");
  const judged = availability.judge(loss);
  assert.ok(isServiceError(judged, "storage_unavailable"));
  assert.equal(judged.cause, loss);
  assert.throws(
    () => availability.require(),
    (error) => isServiceError(error, "storage_unavailable"),
  );
  assert.deepEqual(availability.status(), { connected: false, error: "cut" });
});

test("is published and logged once, however many fail, and once more when it is back", async () => {
  const { availability, clock, statuses, logged, database } = setUp();
  for (let count = 0; count < 1000; count += 1) availability.judge(new Loss("cut"));
  await clock.advance(10_000);
  assert.equal(database.probes, 10, "one question a second, not one for each failure");
  assert.deepEqual(statuses, [{ connected: false, error: "cut" }]);
  database.back = true;
  await clock.advance(1000);
  assert.deepEqual(statuses, [
    { connected: false, error: "cut" },
    { connected: true, error: null },
  ]);
  assert.deepEqual(logged, ["database lost", "database found again"]);
  availability.require();
  await clock.advance(10_000);
  assert.equal(database.probes, 11, "nobody asks a database that is there");
});

test("says the latest reason while it waits, and can be lost again", async () => {
  const { availability, clock, statuses, database } = setUp();
  availability.judge(new Loss("cut"));
  database.reason = "disk is full";
  await clock.advance(1000);
  assert.deepEqual(availability.status(), { connected: false, error: "disk is full" });
  database.back = true;
  await clock.advance(1000);
  database.back = false;
  availability.judge(new Loss("cut again"));
  assert.deepEqual(
    statuses.map(({ connected }) => connected),
    [false, true, false],
  );
  await clock.advance(1000);
  assert.equal(availability.status().connected, false);
});

test("asks nothing more once it is stopped", async () => {
  const { availability, clock, statuses, database } = setUp();
  availability.judge(new Loss("cut"));
  availability.stop();
  await clock.advance(5000);
  assert.equal(database.probes, 0);
  availability.judge(new Loss("cut"));
  assert.equal(statuses.length, 1);
});
