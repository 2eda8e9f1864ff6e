import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAlertContext, openAlerts, problem } from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { fc } from "../../../test/support/seed.ts";
import { SEVERITIES } from "../vocabulary.ts";

const key = fc.constantFrom("1", "2");
const command = fc.oneof(
  fc.record({ what: fc.constant("raise" as const), key, severity: fc.constantFrom(...SEVERITIES) }),
  fc.record({ what: fc.constant("clear" as const), key }),
  fc.record({ what: fc.constant("acknowledge" as const), key }),
  fc.record({ what: fc.constant("resolve" as const), key }),
  fc.record({ what: fc.constant("restart" as const) }),
  fc.record({ what: fc.constant("silence" as const) }),
  fc.record({ what: fc.constant("end of silence" as const) }),
  fc.record({ what: fc.constant("steady" as const) }),
  fc.record({ what: fc.constant("wait" as const), minutes: fc.integer({ min: 1, max: 12 }) }),
);

onBothDatabases(({ name, create }) => {
  describe("whatever happens to alerts", () => {
    it("a problem has at most one active row, and its end is sent once to those who were notified of it", async () => {
      const database = await create();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
          run += 1;
          const clock = createFakeClock();
          const around = createAlertContext();
          let opened = await openAlerts(database, clock, around);
          const of = (id: string) => problem({ entity: { type: "endpoint", id: `${run}-${id}` } });
          const activeOf = async (id: string) =>
            (await opened.list({ entity_id: `${run}-${id}` })).alerts.filter(({ status }) => status === "active");
          for (const each of commands) {
            if (each.what === "raise") await opened.alerts.raise({ ...of(each.key), severity: each.severity });
            else if (each.what === "clear") await opened.alerts.clear(of(each.key), "over");
            else if (each.what === "wait") clock.stall(each.minutes * 60_000);
            else if (each.what === "steady") await opened.run("alerts that flapped");
            else if (each.what === "silence") around.silence = { id: 1, reason: "planned", until: new Date("2027-01-01") };
            else if (each.what === "end of silence") {
              around.silence = undefined;
              around.suppressionChanged();
            } else if (each.what === "restart") {
              await opened.alerts.stop();
              // Announcers of this source would end what nobody names.
              around.bad.clear();
              opened = await openAlerts(database, clock, around, { settled: false });
            } else {
              const [alert] = await activeOf(each.key);
              if (alert === undefined) continue;
              if (each.what === "resolve") await opened.service.resolve(alert.id, { resolved_by: "Anna" });
              else await opened.service.acknowledge(alert.id, { acknowledged_by: "Anna" }).catch(() => undefined);
            }
            for (const id of ["1", "2"]) assert.ok((await activeOf(id)).length <= 1);
          }
          // At the end nothing is suppressed, firing or flapping.
          around.silence = undefined;
          opened.alerts.settle();
          clock.stall(3_600_000);
          await opened.run("alerts that flapped");
          await opened.run("alerts announced again");
          const sent = Map.groupBy(around.put, ({ alertId }) => alertId);
          for (const [id, words] of sent) {
            const events = words.map(({ notification }) => notification.event);
            assert.equal(events[0], "alert.fired");
            assert.deepEqual(
              events.filter((event) => event === "alert.resolved").length,
              1,
              `the end of alert ${id} is sent once: ${events.join()}`,
            );
            assert.equal(events.at(-1), "alert.resolved");
          }
          await opened.alerts.stop();
        }),
        { numRuns: name === "sqlite" ? 60 : 15 },
      );
    });
  });
});
