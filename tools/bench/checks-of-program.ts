/** What 1,000 checks, as many as people have, cost the built program as a whole. */
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../../test/support/until.ts";
import { absoluteFigure, type Figure } from "./figure.ts";
import { type AnsweringProgram, startBuilt } from "./programs.ts";

const ENDPOINTS = 1000;
const INTERVAL_SECONDS = 20;
const AT_ONCE = 20;
/** Until then it compiles what it runs most, and has checked everything some times. */
const WARM_MS = 120_000;
const MEASURED_MS = 60_000;
const MEGABYTE = 1024 ** 2;

/** `port` is that of a loopback server that answers every check. */
export async function checksOfProgram(port: number): Promise<Figure[]> {
  const program = await startBuilt([], { SERVICE_TRUSTED_PROXIES: "127.0.0.0/8", SERVICE_DOCKER_HOST: "unix:///nonexistent.sock" });
  try {
    for (let first = 0; first < ENDPOINTS; first += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => add(program, port, first + index)));
    await until(async () => (await totals(program)).up === ENDPOINTS, { withinMs: WARM_MS, everyMs: 1000, what: "all to be checked" });
    await wait(WARM_MS);
    const before = { cpuMs: program.cpuMs(), atMs: performance.now() };
    program.mostResidentBytes();
    await wait(MEASURED_MS);
    const cpuMs = program.cpuMs() - before.cpuMs;
    const checks = ((performance.now() - before.atMs) / 1000 / INTERVAL_SECONDS) * ENDPOINTS;
    const { total, up } = await totals(program);
    return [
      absoluteFigure({ name: "checks: of the built program, CPU a check", value: cpuMs / checks, unit: "ms", atMost: 0.6 }),
      absoluteFigure({
        name: "checks: of the built program, resident memory",
        value: program.mostResidentBytes() / MEGABYTE,
        unit: "MB",
        atMost: 105,
      }),
      absoluteFigure({ name: "checks: of the built program, not up", value: total - up, unit: "endpoints", atMost: 0 }),
    ];
  } finally {
    await program.stop();
  }
}

async function add({ url }: AnsweringProgram, port: number, index: number): Promise<void> {
  const answer = await fetch(`${url}/api/v1/endpoints`, {
    method: "POST",
    // One client may not ask for so much.
    headers: { "content-type": "application/json", "x-forwarded-for": `10.0.${index >> 8}.${index & 255}` },
    body: JSON.stringify({
      type: "http",
      name: `check-${index}`,
      target: `http://127.0.0.1:${port}/health/${index}`,
      interval_seconds: INTERVAL_SECONDS,
    }),
  });
  if (answer.status !== 201) throw new Error(`endpoint ${index} was answered by ${answer.status}: ${await answer.text()}`);
}

async function totals(program: AnsweringProgram): Promise<{ total: number; up: number }> {
  const { endpoints } = await program.get<{ endpoints: { status: string }[] }>("/api/v1/endpoints");
  return { total: endpoints.length, up: endpoints.filter(({ status }) => status === "up").length };
}
