/** The public status page alone, with 25 components of 90 days. */
import { sparePort } from "../../../test/support/postgres.ts";
import { aComponent, days, openStatusPage, theShop } from "../../../test/support/status-page.ts";
import { parseConfig } from "../../../src/config/config.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { silentLog } from "../../../src/platform/log.ts";
import { COMPONENT_STATUSES } from "../../../src/publishing/status/vocabulary.ts";
import { serveQuestions } from "../questions.ts";

const COMPONENTS = 25;

void sparePort().then(serve);

async function serve(port: number): Promise<void> {
  const start = parseConfig({ argv: [], env: { SERVICE_ADDR: `127.0.0.1:${port}`, SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" } });
  if (!("config" in start)) throw new Error("no configuration");
  const components = Array.from({ length: COMPONENTS }, (_, at) =>
    aComponent({
      id: at + 1,
      groupId: (at % 4) + 1,
      name: `A service of the shop ${at}`,
      description: "What it does for those who use it",
      // Every tenth day has an outage to name.
      days: days(
        Object.fromEntries(Array.from({ length: 9 }, (_value, bad) => [bad * 10 + (at % 10), COMPONENT_STATUSES[(at + bad) % 4] ?? null])),
      ),
      uptime: 0.9987,
    }),
  );
  const groups = [1, 2, 3, 4].map((id) => ({ id, name: `Group ${id}` }));
  const { page, world } = openStatusPage({ ...theShop(), groups, components }, systemClock);
  const http = createHttpServer({
    routes: page.routes,
    config: start.config,
    clock: systemClock,
    log: silentLog,
    version: "0.0.0",
  });
  page.start();
  await http.start();

  serveQuestions(port, {
    /** One component goes down, or comes back; answers when. */
    flip() {
      world.components = world.components.map((each) =>
        each.id === 1 ? { ...each, status: each.status === "operational" ? "major_outage" : "operational", since: new Date() } : each,
      );
      world.changed();
      return { at: Date.now() };
    },
  });
}
