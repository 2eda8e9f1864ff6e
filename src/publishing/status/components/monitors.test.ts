import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkedObservation, failure, labelled, startEndpoints, success } from "../../../../test/support/endpoints.ts";
import { onBothDatabases } from "../../../../test/support/databases.ts";
import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import { ORIGIN } from "../../../../test/support/heartbeats.ts";
import { anAlert } from "../../../../test/support/routing.ts";
import { COMPONENTS, createFakeWorld } from "../../../../test/support/status-components.ts";
import { watchTasks } from "../../../../test/support/watched-tasks.ts";
import { until } from "../../../../test/support/until.ts";
import { createSuppression } from "../../../alerting/suppression/index.ts";
import { createHeartbeats } from "../../../monitoring/heartbeats/index.ts";
import { createBus } from "../../../platform/bus.ts";
import type { Event } from "../../../events.ts";
import { type ContainerSighting, labelEndpointKey, standaloneEndpointKey } from "../../../observations.ts";
import { silentLog } from "../../../platform/log.ts";
import { createScheduler } from "../../../platform/scheduler.ts";
import type { ComponentStatus } from "../vocabulary.ts";
import { createComponents, monitorsOf } from "./index.ts";
import { monitorOf } from "./monitors.ts";

const hostName = (): string => "Local";

onBothDatabases((databases) => {
  describe("real monitors", () => {
    it("are seen as they stand, with what they depend on, and are gone when they are", async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const watched = await startEndpoints({ database, clock });
      const hosts = { lastObservedAt: () => clock.now(), lastReportedAt: () => clock.now() };
      const bus = createBus<Event>(silentLog);
      const scheduler = createScheduler(clock, silentLog);
      const heartbeats = createHeartbeats({ database, bus, clock, scheduler, baseUrl: "https://watch.example" });
      const monitors = monitorsOf(
        { ...watched, heartbeats, certificates: { find: () => undefined, all: () => [] }, hosts, hostName },
        clock,
      );
      await watched.show({ externalId: "a", name: "web", endpoints: [labelled()] }, { externalId: "b", name: "db", health: "unhealthy" });
      const [web, db] = [...watched.containers.present.ids()];
      const [endpoint] = watched.list();
      assert.ok(web !== undefined && db !== undefined && endpoint !== undefined);
      const local = { type: "agent", id: "local" };
      const group = { type: "group", id: "Ungrouped" };
      assert.deepEqual(monitors.look({ type: "container", id: web }), {
        name: "web",
        agentId: null,
        status: "operational",
        lastObservedAt: clock.now(),
        entities: [{ type: "container", id: String(web) }, local, group],
      });
      assert.equal(monitors.look({ type: "container", id: db })?.status, "degraded");
      assert.deepEqual(monitors.look({ type: "endpoint", id: endpoint.id }), {
        name: "web",
        agentId: null,
        status: null,
        lastObservedAt: null,
        entities: [{ type: "endpoint", id: String(endpoint.id) }, { type: "container", id: String(web) }, local, group],
      });
      const made = await watched.create({ failure_threshold: 1 });
      await watched.see(null, checkedObservation(standaloneEndpointKey(made.id), clock.now(), failure));
      assert.equal(monitors.look({ type: "endpoint", id: made.id })?.status, "major_outage");

      const job = await heartbeats.service.create({ name: "backup", interval_seconds: 3600, grace_seconds: 300 });
      assert.equal(monitors.look({ type: "heartbeat", id: job.id })?.status, "operational");
      await heartbeats.service.receive(job.uuid, { kind: "fail", exitCode: null, rid: null }, ORIGIN);
      assert.deepEqual(monitors.look({ type: "heartbeat", id: job.id }), {
        name: "backup",
        agentId: null,
        status: "major_outage",
        lastObservedAt: clock.now(),
        entities: [{ type: "heartbeat", id: String(job.id) }, local],
      });

      await watched.show({ externalId: "c", name: "web", endpoints: [labelled()] });
      assert.equal(monitors.look({ type: "container", id: web })?.status, "operational", "it is the same, re-created");
      assert.equal(monitors.look({ type: "endpoint", id: endpoint.id })?.name, "web");
      assert.equal(monitors.look({ type: "container", id: db })?.status, "major_outage", "it may be re-created");
      await clock.advance(600_000);
      await watched.show({ externalId: "c", name: "web" });
      assert.equal(monitors.look({ type: "container", id: db }), undefined);
      assert.equal(monitors.look({ type: "endpoint", id: endpoint.id }), undefined, "its label is gone");
      await watched.show({ externalId: "c", name: "web", endpoints: [labelled()] });
      assert.equal(monitors.look({ type: "heartbeat", id: 99 }), undefined);
      const find = monitors.successors();
      const next = find({ type: "container", name: "web", agentId: null });
      assert.equal(next, web);
      assert.equal(find({ type: "endpoint", name: "web", agentId: null }), endpoint.id);
      assert.equal(find({ type: "container", name: "db", agentId: null }), undefined);
      assert.equal(find({ type: "heartbeat", name: "backup", agentId: null }), undefined, "another of that name is another job");
      await scheduler.stop();
      await watched.stop();
    });

    it("of a label take the word of a container that does not run, asked or not, and are not observed without a check", async () => {
      const clock = createFakeClock();
      const watched = await startEndpoints({ database: await databases.create(), clock });
      const seenAt = new Date(clock.now().getTime() - 5000);
      const features = {
        ...watched,
        heartbeats: { find: () => undefined },
        certificates: { find: () => undefined, all: () => [] },
        hostName,
      };
      const monitors = monitorsOf({ ...features, hosts: { lastObservedAt: () => seenAt, lastReportedAt: () => clock.now() } }, clock);
      const ends: [Partial<ContainerSighting>, ComponentStatus][] = [
        [{ state: "exited", exitCode: 0, stopRequested: true }, "major_outage"],
        [{ state: "exited", exitCode: 137 }, "major_outage"],
        [{ state: "dead" }, "major_outage"],
        [{ state: "paused" }, "major_outage"],
        [{ state: "exited", exitCode: 0 }, "operational"],
        [{ state: "created" }, "operational"],
      ];
      for (const [index, [end, status]] of ends.entries()) {
        const shown = { externalId: `c${index}`, name: `web-${index}`, endpoints: [labelled()] };
        await watched.show(shown);
        const endpoint = watched.list().find(({ name }) => name === shown.name);
        assert.ok(endpoint !== undefined);
        const look = () => monitors.look({ type: "endpoint", id: endpoint.id });
        const key = labelEndpointKey(shown.externalId, labelled().labelKey);
        await watched.see(null, checkedObservation(key, clock.now(), success));
        assert.partialDeepStrictEqual(look(), { status: "operational", lastObservedAt: clock.now() });
        clock.jump(new Date(clock.now().getTime() + 1000));
        await watched.show({ ...shown, ...end, finishedAt: clock.now() });
        assert.partialDeepStrictEqual(look(), { status, lastObservedAt: seenAt }, JSON.stringify(end));
        clock.jump(new Date(clock.now().getTime() + 1000));
        await watched.show({ ...shown, startedAt: clock.now() });
        assert.equal(look()?.status, null, "it runs again, and was not checked yet");
      }
      assert.ok(monitors.mayReturn({ type: "container", id: 99 }));
      const [last] = watched.list();
      await watched.show();
      clock.jump(new Date(clock.now().getTime() + 600_000));
      await watched.show();
      const gone = { type: "endpoint", id: last?.id ?? 0 } as const;
      assert.ok(monitors.look(gone) === undefined && monitors.mayReturn(gone), "its label is gone");
      assert.ok(!monitors.mayReturn({ type: "endpoint", id: 99 }) && !monitors.mayReturn({ type: "heartbeat", id: 99 }));
      await watched.stop();
    });

    it("were observed by their checks, while these are made and their host reports", async () => {
      const clock = createFakeClock();
      const watched = await startEndpoints({ database: await databases.create(), clock });
      let reportedAt: Date | null = clock.now();
      const hosts = { lastObservedAt: () => clock.now(), lastReportedAt: () => reportedAt };
      const features = {
        ...watched,
        heartbeats: { find: () => undefined },
        certificates: { find: () => undefined, all: () => [] },
        hostName,
      };
      const monitors = monitorsOf({ ...features, hosts }, clock);
      const { id } = await watched.create({ interval_seconds: 3600 });
      const observedAt = () => monitors.look({ type: "endpoint", id })?.lastObservedAt;
      const key = standaloneEndpointKey(id);
      const begun = clock.now();
      await watched.see(null, checkedObservation(key, begun, success));
      clock.jump(new Date(begun.getTime() + 1));
      await clock.advance(5_400_000);
      reportedAt = clock.now();
      assert.deepEqual(observedAt(), clock.now(), "the next check is not overdue");
      await watched.see(null, checkedObservation(key, clock.now(), { ...failure, observed: false }));
      await clock.advance(3_600_000);
      reportedAt = clock.now();
      assert.ok((observedAt() ?? clock.now()) < new Date(clock.now().getTime() - 8_000_000), "a check that says nothing is none");

      await watched.see(null, checkedObservation(key, clock.now(), success));
      const checkedAt = clock.now();
      await clock.advance(600_000);
      assert.deepEqual(observedAt(), reportedAt, "its host does not report any more");
      reportedAt = null;
      assert.equal(observedAt(), null);
      reportedAt = clock.now();
      await watched.endpoints.service.setPaused(id, true);
      assert.deepEqual(observedAt(), checkedAt, "nobody checks it any more");
      await watched.stop();
    });

    it("are followed by their events", async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const watched = await startEndpoints({ database, clock });
      const hosts = { lastObservedAt: () => clock.now(), lastReportedAt: () => clock.now() };
      const bus = createBus<Event>(silentLog);
      const scheduler = createScheduler(clock, silentLog);
      const monitors = monitorsOf(
        { ...watched, heartbeats: { find: () => undefined }, certificates: { find: () => undefined, all: () => [] }, hosts, hostName },
        clock,
      );
      const components = createComponents({ database, bus, clock, scheduler, monitors, windows: () => [] });
      await components.start();
      await watched.show({ externalId: "a", name: "web" });
      const [id = 0] = [...watched.containers.present.ids()];
      const create = components.routes.find(({ method, path }) => method === "POST" && path.endsWith("/components"));
      assert.ok(create !== undefined);
      await create.handle({ body: { name: "Shop", monitor_type: "container", monitor_id: id } } as never);
      const repeat = (): void => {
        for (const event of watched.events.splice(0)) bus.publish(event);
      };
      repeat();
      const statusBecomes = (status: string): Promise<unknown> =>
        until(() => components.board().components[0]?.status === status, { everyMs: 1 });
      clock.jump(new Date(clock.now().getTime() + 1000));
      await watched.show({ externalId: "a", name: "web", state: "exited", exitCode: 137, finishedAt: clock.now() });
      repeat();
      await statusBecomes("major_outage");
      // Re-created: the old one is set aside under another name first.
      clock.jump(new Date(clock.now().getTime() + 1000));
      await watched.show(
        { externalId: "a", name: "0123456789ab_web", state: "exited", exitCode: 137 },
        { externalId: "b", name: "web", startedAt: clock.now() },
      );
      repeat();
      await statusBecomes("operational");
      clock.jump(new Date(clock.now().getTime() + 1000));
      await watched.show({ externalId: "b", name: "web" });
      repeat();
      const [cover] = components.coverOf([components.board().components[0]?.id ?? 0]);
      assert.deepEqual(cover, { type: "container", id: String(watched.containers.present.find(null, "b")?.id) });
      await components.stop();
      await scheduler.stop();
      await watched.stop();
    });
  });
});

onBothDatabases((databases) => {
  describe("real maintenance", () => {
    it("and components know of each other", async () => {
      const clock = createFakeClock();
      const database = await databases.create();
      const world = createFakeWorld();
      world.set(42, "operational");
      const bus = createBus<Event>(silentLog);
      const { scheduler, idle } = watchTasks(createScheduler(clock, silentLog));
      const suppression = createSuppression({
        database,
        bus,
        clock,
        scheduler,
        log: silentLog,
        alerts: () => [],
        groupOf: () => undefined,
      });
      const components = createComponents({ database, bus, clock, scheduler, monitors: world.monitors, windows: suppression.windows });
      await suppression.start({ coverOf: components.coverOf, hasComponent: components.has });
      await components.start();
      const post = async (path: string, body: object): Promise<void> => {
        const found = [...components.routes, ...suppression.routes].find((route) => route.method === "POST" && route.path === path);
        await found?.handle({ body } as never);
      };
      const pass = async (seconds: number): Promise<string | undefined> => {
        for (let left = seconds; left > 0; left -= 1) {
          await clock.advance(1000);
          await idle();
        }
        return components.board().components[0]?.status;
      };
      await post(COMPONENTS, { name: "Shop", monitor_type: "container", monitor_id: 42 });
      const at = (seconds: number): string => new Date(clock.now().getTime() + seconds * 1000).toISOString();
      const id = components.board().components[0]?.id ?? 0;
      await post("/api/v1/status/maintenance", { title: "disk swap", starts_at: at(5), ends_at: at(10), components: [id] });
      assert.equal(await pass(4), "operational");
      assert.equal(await pass(2), "maintenance");
      assert.equal(suppression.maintaining(anAlert(), clock.now())?.title, "disk swap", "alerts about its monitor are held back");
      assert.equal(await pass(5), "operational");
      assert.equal(suppression.maintaining(anAlert(), clock.now()), undefined);
      await components.stop();
      await scheduler.stop();
    });
  });
});

describe("an event", () => {
  it("is about one monitor, or about none", () => {
    const data = { id: 7, agent_id: null, name: "x", timestamp: "" };
    const of = (type: string, facts: object = {}) => monitorOf({ type, data: { ...data, ...facts } } as unknown as Event);
    assert.deepEqual(of("container.state_changed"), { type: "container", id: 7 });
    assert.deepEqual(of("heartbeat.pinged"), { type: "heartbeat", id: 7 });
    assert.deepEqual(of("certificate.deleted"), { type: "certificate", id: 7 });
    assert.equal(of("alert.fired"), undefined);
    assert.equal(of("component.changed"), undefined);
    assert.equal(monitorOf({ type: "endpoint.check_result", data: { endpoint_id: 7 } } as unknown as Event), undefined);
  });
});
