import { randomUUID } from "node:crypto";
import type { Event } from "../../../events.ts";
import type { Route } from "../../../http/route.ts";
import type { Bus } from "../../../platform/bus.ts";
import type { Clock } from "../../../platform/clock.ts";
import { refuseFaults } from "../../../platform/errors.ts";
import { createSerial } from "../../../platform/queues.ts";
import type { Database } from "../../../storage/database.ts";
import type { SettingsUpdate } from "./api.ts";
import { settingsRoutes } from "./routes.ts";
import { changed, clashOf, DEFAULTS, domainOf, type PageSettings, readLogo, settingsRecord } from "./settings.ts";
import { createSettingsStore } from "./store.ts";

export { addressOf, DEFAULTS, type PageAddress, type PageSettings } from "./settings.ts";

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
  /** The host name under which the page is shown; null: it has none. In memory. */
  domain(): string | null;
  /** Called after a change was saved. */
  onChange(listener: () => void): void;
}

/** How the public page looks, and whether it is published. */
export function createSettings({ database, bus, clock, baseUrl }: SettingsDependencies): Settings {
  const store = createSettingsStore(database);
  const serial = createSerial();
  const listeners: (() => void)[] = [];
  let current: PageSettings = { ...DEFAULTS, feedId: randomUUID() };
  /** Every request asks for it. */
  let domain: string | null = null;

  function hold(settings: PageSettings): void {
    current = settings;
    domain = domainOf(settings, baseUrl);
  }

  async function update(body: SettingsUpdate): Promise<void> {
    const next = changed(current, { body, logo: typeof body.logo === "string" ? readLogo(body.logo) : body.logo, now: clock.now() });
    await store.save(next);
    hold(next);
    bus.publish({ type: "status.settings_updated", data: { agent_id: null, timestamp: clock.now().toISOString() } });
    for (const listener of listeners) listener();
  }

  return {
    routes: settingsRoutes({
      record: () => settingsRecord(current, baseUrl),
      async update(body, names) {
        refuseClash(body, { baseUrl, names });
        await serial("", () => update(body));
        return settingsRecord(current, baseUrl);
      },
      publicLogo: () => (current.published ? (current.logo ?? undefined) : undefined),
    }),
    async start() {
      hold(await store.load(current));
    },
    current: () => current,
    domain: () => domain,
    onChange(listener) {
      listeners.push(listener);
    },
  };
}

function refuseClash({ domain }: SettingsUpdate, app: Parameters<typeof clashOf>[1]): void {
  const message = typeof domain === "string" ? clashOf(domain.toLowerCase(), app) : undefined;
  if (message !== undefined) refuseFaults([{ path: "domain", message }]);
}
