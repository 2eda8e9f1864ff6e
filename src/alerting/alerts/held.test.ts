import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import {
  type AlertContext,
  createAlertContext,
  endpointAlert,
  openAlerts,
  type OpenedAlerts,
  problem,
} from "../../../test/support/alerts.ts";
import { onBothDatabases } from "../../../test/support/databases.ts";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import type { EventData } from "../../events.ts";
import type { Database } from "../../storage/database.ts";

const HOST = "0b9c54a0-0000-4000-8000-00000000000a";
const AT = "2026-03-01T12:00:00.000Z";
const UNTIL = new Date("2026-03-01T13:00:00Z");

const host: EventData["agent.connected"] = {
  ...{ id: HOST, agent_id: HOST, name: "alpha", hostname: "ark", status: "active", timestamp: AT, since: AT },
  ...{ connection_state: "connected", previous_connection_state: "disconnected", lost: false },
};

onBothDatabases(({ create }) => {
  let database: Database;
  let clock: FakeClock;
  let around: AlertContext;
  let opened: OpenedAlerts;

  beforeEach(async () => {
    database = await create();
    clock = createFakeClock();
    around = createAlertContext();
    opened = await openAlerts(database, clock, around);
  });

  const raise = (severity: "warning" | "critical"): Promise<void> =>
    opened.alerts.raise(problem({ severity, parents: [{ type: "agent", id: HOST }] }));

  const HOLDS: Record<string, { begin(): Promise<void> | void; end(): Promise<void> | void }> = {
    "a silence": {
      begin: () => void (around.silence = { id: 1, reason: "known", until: UNTIL }),
      end: () => void (around.silence = undefined),
    },
    maintenance: {
      begin: () => void (around.window = { title: "Upgrade", until: UNTIL }),
      end: () => void (around.window = undefined),
    },
    "a host that is not seen": {
      begin: () => opened.publish("agent.disconnected", { ...host, connection_state: "disconnected", lost: true }),
      end: () => opened.publish("agent.connected", host),
    },
    "a start": {
      async begin() {
        await opened.alerts.stop();
        opened = await openAlerts(database, clock, around, { settled: false });
      },
      end() {
        around.bad.set("endpoint", [{ type: "endpoint.alert", data: endpointAlert() }]);
        opened.alerts.settle();
      },
    },
  };

  for (const [what, hold] of Object.entries(HOLDS)) {
    it(`an alert that grew worse while ${what} held it back is escalated when it is let through, as bad as it is then`, async () => {
      await raise("warning");
      const { id } = await opened.last();
      await hold.begin();
      const mine = (): string[] => around.escalated.filter((each) => each.endsWith(` ${id}`));
      around.escalated.length = 0;
      await raise("critical");
      assert.equal(mine().length, 0);
      await hold.end();
      around.suppressionChanged();
      await opened.quiesce();
      assert.deepEqual(mine(), [`begin ${id}`]);
      assert.equal((await opened.service.detail(id)).severity, "critical");
    });
  }
});
