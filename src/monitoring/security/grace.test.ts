import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createFakeClock, type FakeClock } from "../../../test/support/fake-clock.ts";
import { temporaryFolder } from "../../../test/support/program.ts";
import { port, startSecurity, type WatchedSecurity } from "../../../test/support/security.ts";
import { defaultSettings } from "../../../test/support/sightings.ts";
import type { ContainerSighting } from "../../observations.ts";
import { systemClock } from "../../platform/clock.ts";
import { silentLog } from "../../platform/log.ts";
import type { Database } from "../../storage/database.ts";
import { openSqlite } from "../../storage/sqlite.ts";
import { insightQuery } from "./api.ts";
import { GRACE_MS } from "./grace.ts";

const NOON = new Date("2026-03-01T12:00:00Z");
const WEB = { externalId: "web", name: "web", ports: [port(80, { hostPort: 8080 })] };

describe("a container that stops for a moment", () => {
  let database: Database;
  let clock: FakeClock;
  let watched: WatchedSecurity;

  beforeEach(async () => {
    database = openSqlite({ path: `${temporaryFolder()}/grace.db`, clock: systemClock, log: silentLog });
    await database.start();
    clock = createFakeClock(NOON);
    watched = await startSecurity({ database, clock });
    await watched.show(WEB);
    watched.alerts.push({
      id: 5,
      containerId: watched.idOf("web"),
      acknowledged: false,
      findings: ["port_exposed_all_interfaces 80/tcp"],
    });
  });
  afterEach(async () => {
    await watched.stop();
    await database.stop();
  });

  /** `web 1 found`, `web over`: what was published since the beginning. */
  const published = (): string[] =>
    watched
      .published("security.insights_changed")
      .map(({ name, id, findings, over }) => `${name} ${id} ${over ? "over" : `${findings.length} found`}`);
  const stopped = (of: Partial<ContainerSighting> = WEB): Partial<ContainerSighting> => ({
    ...of,
    ports: [],
    state: "exited",
    exitCode: 137,
    finishedAt: clock.now(),
  });
  const started = (of: Partial<ContainerSighting> = WEB): Partial<ContainerSighting> => ({ ...of, startedAt: clock.now() });
  const shown = (): number => watched.security.insights.list(insightQuery.parse({})).total;
  const announced = (): string[] =>
    watched.security.announce().flatMap((event) => (event.type === "security.insights_changed" ? [event.data.name] : []));

  it("shows nothing any more at once, and keeps its alert until it has been away for long", async () => {
    await watched.show(stopped());
    assert.deepEqual([shown(), published().at(-1)], [0, "web 1 0 found"]);
    await clock.advance(GRACE_MS - 1000);
    assert.deepEqual(announced(), ["web"]);
    assert.equal(published().length, 2);
    await clock.advance(1000);
    assert.deepEqual([published().slice(2), announced()], [["web 1 over"], []]);
  });

  it("keeps its alert when it is back in time", async () => {
    for (let round = 0; round < 3; round += 1) {
      await watched.show(stopped());
      await clock.advance(GRACE_MS - 5000);
      await watched.show(started());
      await clock.advance(1000);
    }
    await clock.advance(2 * GRACE_MS);
    assert.deepEqual(published(), ["web 1 1 found", ...Array.from({ length: 3 }, () => ["web 1 0 found", "web 1 1 found"]).flat()]);
    assert.equal(shown(), 1);
  });

  it("ends its alert when it is back without what was found", async () => {
    await watched.show(stopped());
    await watched.show(started({ ...WEB, ports: [port(80, { hostIp: "127.0.0.1" })] }));
    assert.deepEqual(published().slice(1), ["web 1 0 found", "web 1 over"]);
  });

  it("waits while it only says that it restarts", async () => {
    await watched.show(stopped());
    await watched.show({ ...WEB, ports: [], state: "restarting" });
    assert.deepEqual(published().slice(1), ["web 1 0 found"]);
    await clock.advance(1000);
    await watched.show(started());
    assert.deepEqual(published().slice(2), ["web 1 1 found"]);
  });

  it("keeps no alert of what was found where there is none", async () => {
    watched.alerts.length = 0;
    await watched.show(stopped());
    assert.deepEqual(announced(), []);
  });

  it("keeps the alert of one of which all is acknowledged", async () => {
    const acknowledgment = {
      finding_type: "port_exposed_all_interfaces",
      finding_key: "80/tcp",
      acknowledged_by: "Ada",
      reason: "x",
    } as const;
    await watched.security.acknowledgments.create({ container_id: watched.idOf("web"), ...acknowledgment });
    await watched.show(stopped());
    assert.partialDeepStrictEqual(watched.security.announce(), [{ data: { name: "web", severity: "critical", over: false } }]);
  });

  it("ends the alert of a removed one with that of the one in its place, and not before", async () => {
    await watched.show();
    await clock.advance(60_000);
    assert.deepEqual([published().slice(1), announced()], [["web 1 0 found"], ["web"]]);
    await watched.show({ externalId: "other", name: "other" });
    await watched.show(started({ ...WEB, externalId: "web-2" }));
    assert.deepEqual(published().slice(2), ["web 1 1 found"], "it is the same container, re-created");
    await clock.advance(2 * GRACE_MS);
    assert.equal(published().length, 3);
  });

  it("ends it too when the one in its place is well, and waits for nobody of another name", async () => {
    await watched.show({ externalId: "x", name: "x", ports: [port(81)] }, started({ externalId: "web-2", name: "web" }));
    assert.deepEqual(
      published()
        .slice(1)
        .filter((text) => text.startsWith("web")),
      ["web 1 over"],
    );
    await watched.show(started({ externalId: "y", name: "y", ports: [port(81)] }));
    assert.equal(published().filter((text) => text.startsWith("x") && text.endsWith("over")).length, 0);
    await clock.advance(600_000);
    await watched.show(started({ externalId: "y", name: "y", ports: [port(81)] }));
    await clock.advance(GRACE_MS);
    assert.equal(published().filter((text) => text.startsWith("x") && text.endsWith("over")).length, 1);
  });

  it("is over at once when somebody asks for it to be left alone", async () => {
    await watched.show({ ...WEB, settings: { ...defaultSettings, ignored: true } });
    assert.deepEqual(published().slice(1), ["web 1 over"]);
  });

  it("is forgotten when the program stops", async () => {
    await watched.show(stopped());
    await watched.stop();
    await clock.advance(2 * GRACE_MS);
    assert.equal(published().filter((text) => text.endsWith("over")).length, 0);
  });
});
