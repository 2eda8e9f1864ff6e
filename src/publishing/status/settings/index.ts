import { randomUUID } from "node:crypto";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ServiceError } from "../../../platform/errors.ts";
import { createSerial } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import type { SettingsUpdate } from "./api.ts";
import { settingsRoutes } from "./routes.ts";
import { settingsRecord } from "./rows.ts";
import { changed, DEFAULTS, type Logo, type PageSettings, readLogo } from "./settings.ts";
import { createSettingsStore } from "./store.ts";

export { DEFAULTS, type PageSettings } from "./settings.ts";

export interface SettingsDependencies {
  database: Database;
  bus: Bus<Event>;
  clock: Clock;
  /** The public origin. */
  baseUrl: string;
}

export interface Settings {
  routes: Route[];
  start(): Promise<void>;
  /** In memory. */
  current(): PageSettings;
  /** Called after a change was saved. */
  onChange(listener: () => void): void;
}

/** How the public page looks, and whether it is published. */
export function createSettings({ database, bus, clock, baseUrl }: SettingsDependencies): Settings {
  const store = createSettingsStore(database);
  const serial = createSerial();
  const listeners: (() => void)[] = [];
  let current: PageSettings = { ...DEFAULTS, feedId: randomUUID() };

  async function update(body: SettingsUpdate): Promise<void> {
    const next = changed(current, { body, logo: logoOf(body), now: clock.now() });
    await store.save(next);
    current = next;
    bus.publish({ type: "status.settings_updated", data: { agent_id: null, timestamp: clock.now().toISOString() } });
    for (const listener of listeners) listener();
  }

  return {
    routes: settingsRoutes({
      record: () => settingsRecord(current, baseUrl),
      async update(body) {
        await serial("", () => update(body));
        return settingsRecord(current, baseUrl);
      },
      publicLogo: () => (current.published ? (current.logo ?? undefined) : undefined),
    }),
    async start() {
      current = await store.load(current);
    },
    current: () => current,
    onChange(listener) {
      listeners.push(listener);
    },
  };
}

function logoOf({ logo }: SettingsUpdate): Logo | null | undefined {
  if (typeof logo !== "string") return logo;
  const read = readLogo(logo);
  if (!("fault" in read)) return read;
  throw new ServiceError("unusable_values", `The body cannot be used: logo: ${read.fault}.`, [{ path: "logo", message: read.fault }]);
}
