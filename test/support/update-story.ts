import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import type { UpdateList, UpdateRecord, UpdateSummary } from "../../src/monitoring/updates/answers.ts";
import type { ContainerSighting, UpdateSettings } from "../../src/observations.ts";
import type { Database } from "../../src/storage/database.ts";
import { onBothDatabases } from "./databases.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { defaultSettings } from "./sightings.ts";
import { until } from "./until.ts";
import { createMemoryRegistries, type MemoryRegistries, type Pushed, startUpdates, type WatchedUpdates } from "./updates.ts";

export const NOON = new Date("2026-03-01T12:00:00Z");
/** The repository that most tests push to. */
export const WEB = "docker.io/library/web";

/** Updates as a test asks of them; new for each test. */
export interface UpdateStory {
  readonly databaseName: string;
  readonly database: Database;
  readonly clock: FakeClock;
  readonly memory: MemoryRegistries;
  readonly watched: WatchedUpdates;
  /** What the edition grants. */
  readonly granted: string[];
  restart(given?: Partial<Parameters<typeof startUpdates>[0]>): Promise<void>;
  /** Asks a route as the server does, without its schemas. */
  ask(method: string, path: string, given?: { params?: object; query?: object; body?: object }): Promise<unknown>;
  list(): Promise<UpdateRecord[]>;
  record(externalId: string): Promise<UpdateRecord>;
  status(externalId: string): Promise<string>;
  summary(): Promise<UpdateSummary>;
  pin(externalId: string, reason?: string | null): Promise<unknown>;
  unpin(externalId: string): Promise<unknown>;
  /** Scans, and waits for the end. */
  scan(): Promise<void>;
  /** The events about containers, in short: `update.pinned web pinned`. */
  published(): string[];
}

/** Runs one body of tests on both databases, each test in a separate world. */
export function updateStory(body: (story: UpdateStory) => void): void {
  onBothDatabases((databases) => {
    let world: { database: Database; clock: FakeClock; memory: MemoryRegistries; granted: string[] };
    let watched: WatchedUpdates;

    beforeEach(async () => {
      world = { database: await databases.create(), clock: createFakeClock(NOON), memory: createMemoryRegistries(), granted: [] };
      watched = await startUpdates(world);
    });
    afterEach(() => watched.stop());

    const ask: UpdateStory["ask"] = async (method, path, given = {}) => {
      const found = watched.updates.routes.find((route) => route.method === method && route.path === `/api/v1/updates${path}`);
      assert.ok(found, `${method} ${path}`);
      // The route checks nothing itself: its schemas do, which the server runs.
      const handle = found.handle as (request: object) => unknown;
      return await handle({ params: {}, query: { limit: 100, offset: 0 }, body: { reason: null }, ...given });
    };
    const ofContainer = (externalId: string) => ({ params: { container_id: watched.idOf(externalId) } });
    const record: UpdateStory["record"] = async (externalId) =>
      (await ask("GET", "/container/{container_id}", ofContainer(externalId))) as UpdateRecord;

    body({
      databaseName: databases.name,
      get database() {
        return world.database;
      },
      get clock() {
        return world.clock;
      },
      get memory() {
        return world.memory;
      },
      get granted() {
        return world.granted;
      },
      get watched() {
        return watched;
      },
      async restart(given = {}) {
        await watched.stop();
        watched = await startUpdates({ ...world, ...given });
      },
      ask,
      list: async () => ((await ask("GET", "")) as UpdateList).updates,
      record,
      status: async (externalId) => (await record(externalId)).status,
      summary: async () => (await ask("GET", "/summary", { query: {} })) as UpdateSummary,
      pin: (externalId, reason = null) => ask("POST", "/pin/{container_id}", { ...ofContainer(externalId), body: { reason } }),
      unpin: (externalId) => ask("DELETE", "/pin/{container_id}", ofContainer(externalId)),
      async scan() {
        const before = watched.published("update.scan_completed").length;
        await ask("POST", "/scan");
        await until(() => watched.published("update.scan_completed").length > before);
      },
      published: () =>
        watched.events.flatMap(({ type, data }) =>
          type.startsWith("update.") && !type.startsWith("update.scan") && "status" in data
            ? [`${type} ${"name" in data ? data.name : ""} ${String(data.status)}`]
            : [],
        ),
    });
  });
}

/** A container as an engine shows it that pulled what was pushed. */
export function pulled(
  name: string,
  image: string,
  { digest, platforms }: Pushed,
  facts: Partial<ContainerSighting> = {},
): Partial<ContainerSighting> {
  const imageId = platforms[0]?.configDigest ?? null;
  return { externalId: name, name, image, imageDigest: digest, imageId, imagePlatform: "linux/amd64", ...facts };
}

export function labelled(updates: Partial<UpdateSettings>): Pick<ContainerSighting, "settings"> {
  return { settings: { ...defaultSettings, updates: { ...defaultSettings.updates, ...updates } } };
}
