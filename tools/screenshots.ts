/**
 * `npm run screenshots` takes pictures of every page in light, dark and phone size, with few, many and no containers, into
 * screenshots/. They are for looking at, not for comparing.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DESKTOP, openPage, PHONE, startBrowser } from "../test/support/browser.ts";
import { startEngine } from "../test/support/engine.ts";
import { startProgram } from "../test/support/program.ts";
import { until } from "../test/support/until.ts";
import { startZoo } from "../test/support/zoo.ts";
import { startMeasured } from "./bench/child.ts";
import { build } from "./build.ts";

const FOLDER = join(import.meta.dirname, "../screenshots");
/** Long enough for the containers of the zoo to do what they are there for, and for what they use to be read more than twice. */
const ZOO_MS = 32_000;
const SHAPES = [
  { name: "light", colorScheme: "light", viewport: DESKTOP },
  { name: "dark", colorScheme: "dark", viewport: DESKTOP },
  { name: "phone-light", colorScheme: "light", viewport: PHONE },
  { name: "phone-dark", colorScheme: "dark", viewport: PHONE },
] as const;

interface Listed {
  groups: { containers: { id: number; name: string }[] }[];
}

mkdirSync(FOLDER, { recursive: true });
await build({ ifStale: true });
const browser = await startBrowser();
const engine = await startEngine();
const zoo = await startZoo(engine);
const program = await startProgram({ entry: "dist/main.js", env: { SERVICE_DOCKER_HOST: engine.host } });
const empty = await startProgram({ entry: "dist/main.js", env: { SERVICE_DOCKER_HOST: "unix:///nowhere/docker.sock" } });
const many = await startMeasured("containers", ["1000"]);
try {
  await wait(ZOO_MS);
  const listed = await until(async () => (await program.get<Listed>("/api/v1/containers")).groups.flatMap(({ containers }) => containers));
  const address = (name: string, tab: string): string => `/containers/${listed.find((each) => each.name.endsWith(name))?.id}?tab=${tab}`;
  const pages: [name: string, base: string, path: string][] = [
    ["overview", program.url, "/"],
    ["containers", program.url, "/containers"],
    ["container-overview", program.url, address("checkout-api", "overview")],
    ["container-healthy", program.url, address("search", "overview")],
    ["container-logs", program.url, address("storefront", "logs")],
    ["container-metrics", program.url, address("storefront", "metrics")],
    ["container-metrics-edition", program.url, `${address("storefront", "metrics")}&range=7d`],
    ["container-history", program.url, address("checkout-api", "history")],
    ["container-labels", program.url, address("migration", "overview")],
    ["resources", program.url, "/resources"],
    ["settings", program.url, "/settings"],
    ["not-found", program.url, "/nowhere"],
    ["no-runtime-overview", empty.url, "/"],
    ["no-runtime-containers", empty.url, "/containers"],
    ["no-runtime-resources", empty.url, "/resources"],
    ["many-containers", `http://127.0.0.1:${many.port}`, "/containers"],
    ["many-overview", `http://127.0.0.1:${many.port}`, "/"],
  ];
  for (const { name: shape, ...options } of SHAPES) {
    for (const [name, base, path] of pages) {
      const { page, complaints } = await openPage(browser, options);
      await page.goto(base + path);
      await wait(1500);
      await page.screenshot({ path: join(FOLDER, `${name}.${shape}.png`) });
      if (complaints.length > 0) console.log(`${name} ${shape}: ${complaints.join("; ")}`);
      await page.context().close();
    }
  }
  console.log(`${pages.length * SHAPES.length} pictures in ${FOLDER}`);
} finally {
  await browser.close();
  await many.stop();
  await empty.stop();
  await program.stop();
  await zoo.removeAll();
  await engine.stop();
}
