import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ScanRecord } from "../../src/monitoring/updates/answers.ts";
import { until } from "../../test/support/until.ts";
import { LICENSES, mintLicense } from "../license.ts";
import { type MeasuredServer, startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, percentile } from "./figure.ts";
import { getRepeatedly } from "./load.ts";
import type { World } from "./servers/updates.ts";

const CONTAINERS = 500;
const IMAGES = 200;
const REGISTRIES = 5;
const SCORED = 1000;
/** Until what a start costs is over. */
const SETTLES_MS = 5_000;
const PATIENT = { withinMs: 180_000, everyMs: 100 };

export const updates: Bench = {
  name: "updates",
  about: `a scan of ${CONTAINERS} containers of ${IMAGES} images on ${REGISTRIES} registries that take 20 ms a request, one of them with tokens, then another when nothing changed; GET /security/posture with ${SCORED} containers`,
  async run({ quick }) {
    const images = quick ? IMAGES / 5 : IMAGES;
    const registries = await startMeasured("registries", [String(REGISTRIES), String(images)]);
    try {
      const { ports } = await registries.ask({ ports: true });
      // What the other side sent: it is ours.
      const world = { images, ports: ports as number[], license: mintLicense(LICENSES, ORDER), publicKeyPem: publicKey() };
      return [
        ...(await scans(registries, { ...world, containers: quick ? CONTAINERS / 5 : CONTAINERS })),
        await postures({ ...world, containers: SCORED }, quick),
      ];
    } finally {
      await registries.stop();
    }
  },
};

const ORDER = { edition: "personal", organisation: "Bench", days: 1 };

function publicKey(): string {
  return readFileSync(join(LICENSES, "public.pem"), "utf8");
}

/** The first scan, which knows nothing, and a second one after which nothing is new. */
async function scans(registries: MeasuredServer, world: World): Promise<Figure[]> {
  const program = await startProgram(world);
  try {
    await wait(SETTLES_MS);
    const before = Number((await program.ask({ memory: true }))["now"]);
    await registries.ask({ requests: true });
    const first = await scan(program);
    const firstAsked = await registries.ask({ requests: true });
    const second = await scan(program);
    const secondAsked = await registries.ask({ requests: true });
    const most = Number((await program.ask({ memory: true }))["most"]);
    for (const { total, scanned, errors } of [first.record, second.record]) {
      if (total !== world.images || scanned !== world.images || errors.length > 0)
        throw new Error(`a scan asked about ${scanned} of ${total} images: ${JSON.stringify(errors.slice(0, 3))}`);
    }
    if (second.record.updates_found === 0) throw new Error("no update was found");
    const each = (asked: Record<string, unknown>): number => Number(asked["requests"]) / world.images;
    return [
      absoluteFigure({ name: "updates: first scan", value: first.seconds, unit: "s", atMost: 60 }),
      absoluteFigure({ name: "updates: first scan, requests an image", value: each(firstAsked), unit: "requests", atMost: 8 }),
      absoluteFigure({ name: "updates: unchanged, scan", value: second.seconds, unit: "s", atMost: 60 }),
      absoluteFigure({ name: "updates: unchanged, requests an image", value: each(secondAsked), unit: "requests", atMost: 2 }),
      absoluteFigure({ name: "updates: memory it took", value: (most - before) / 1e6, unit: "MB", atMost: 50 }),
    ];
  } finally {
    await program.stop();
  }
}

/** A running one is waited for, and then another is started. */
async function scan({ port }: MeasuredServer): Promise<{ record: ScanRecord; seconds: number }> {
  const url = `http://127.0.0.1:${port}/api/v1/updates/scan`;
  let startedMs = performance.now();
  const id = await until(async () => {
    startedMs = performance.now();
    const answer = await fetch(url, { method: "POST" });
    if (answer.status === 409) return undefined;
    if (answer.status !== 202) throw new Error(`POST ${url} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { scan_id: string }).scan_id;
  }, PATIENT);
  const record = await until(async () => {
    const scanned = (await (await fetch(`${url}/${id}`)).json()) as ScanRecord;
    return scanned.status === "running" ? undefined : scanned;
  }, PATIENT);
  return { record, seconds: (performance.now() - startedMs) / 1000 };
}

/** What is asked of the posture includes what is known of updates. */
async function postures(world: World, quick: boolean): Promise<Figure> {
  const program = await startProgram(world);
  try {
    await scan(program);
    const path = "/api/v1/security/posture";
    const { categories, containers } = (await (await fetch(`http://127.0.0.1:${program.port}${path}`)).json()) as {
      categories: { name: string }[];
      containers: number;
    };
    if (containers !== world.containers || !categories.some(({ name }) => name === "updates"))
      throw new Error(`the posture is of ${containers} containers, by ${categories.map(({ name }) => name).join(", ")}`);
    // Until it is warm.
    await getRepeatedly({ port: program.port, path, connections: 1, requests: 20 });
    const { latenciesMs } = await getRepeatedly({ port: program.port, path, connections: 1, requests: quick ? 20 : 50 });
    return absoluteFigure({ name: "updates: posture, p99", value: percentile(latenciesMs, 99), unit: "ms", atMost: 50 });
  } finally {
    await program.stop();
  }
}

async function startProgram(world: World): Promise<MeasuredServer> {
  const program = await startMeasured("updates", [JSON.stringify(world)]);
  const url = `http://127.0.0.1:${program.port}/api/v1/containers`;
  await until(async () => (await (await fetch(url)).text()).includes(`"total":${world.containers}`), PATIENT);
  return program;
}
