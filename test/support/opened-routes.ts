import { basename } from "node:path";
import type { Browser } from "playwright-core";
import { routeAt, webRoutes } from "./web-routes.ts";

/** Which pages of the web app each browser story opens; a story that does not keep its word fails. */
export const OPENED_BY: Readonly<Record<string, readonly string[]>> = {
  "alert-history.test.ts": ["/alerts/history"],
  "alerts.test.ts": ["/alerts", "/alerts/$id"],
  "channels.test.ts": ["/notifications", "/notifications/channels/$id"],
  "checks.test.ts": ["/certificates", "/certificates/$id", "/endpoints", "/endpoints/$id"],
  "heartbeats.test.ts": ["/heartbeats", "/heartbeats/$id", "/heartbeats/new"],
  "kubernetes.test.ts": [
    "/kubernetes",
    "/kubernetes/events",
    "/kubernetes/network",
    "/kubernetes/nodes",
    "/kubernetes/pods",
    "/kubernetes/storage",
    "/kubernetes/workloads/$id",
  ],
  "logs.test.ts": ["/logs"],
  "map.test.ts": ["/map"],
  "overview.test.ts": ["/changes"],
  "pages.test.ts": [
    "/",
    "/containers",
    "/containers/$id",
    "/hosts",
    "/hosts/$id",
    "/hosts/new",
    "/resources",
    "/settings",
    "/settings/assistants",
  ],
  "routing.test.ts": ["/notifications/escalation", "/notifications/routing", "/notifications/webhooks"],
  "security.test.ts": ["/security"],
  "sessions.test.ts": ["/settings/audit"],
  "silences.test.ts": ["/notifications/silences"],
  "status-components.test.ts": ["/status-page"],
  "status-incidents.test.ts": ["/status-page/incidents", "/status-page/incidents/$id", "/status-page/maintenance"],
  "status-settings.test.ts": ["/status-page/settings", "/status-page/subscribers"],
  "swarm.test.ts": ["/swarm", "/swarm/nodes", "/swarm/services/$id"],
  "updates.test.ts": ["/updates"],
  "wall.test.ts": ["/wall"],
};

/** Fails the story of this process at its end when it did not open what it is listed with. */
export function checkOpened(browser: Browser): void {
  const promised = OPENED_BY[basename(process.argv[1] ?? "")];
  // Of a story of which only some tests run, nothing is expected.
  if (promised === undefined || process.execArgv.some((argument) => argument.startsWith("--test-name-pattern"))) return;
  const paths = new Set<string>();
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.on("page", (page) =>
      page.on("framenavigated", (frame) => {
        if (frame === page.mainFrame() && URL.canParse(frame.url())) paths.add(new URL(frame.url()).pathname);
      }),
    );
    return context;
  };
  process.once("exit", () => {
    const routes = webRoutes();
    const opened = new Set([...paths].map((path) => routeAt(path, routes)));
    const missed = promised.filter((route) => !opened.has(route));
    if (missed.length === 0) return;
    console.error(`This story is listed in test/support/opened-routes.ts with ${missed.join(", ")}, which it did not open.`);
    process.exitCode = 1;
  });
}
