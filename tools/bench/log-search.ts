import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DAY_MS } from "../../src/contract/time.ts";
import type { ContainerList } from "../../src/monitoring/containers/answers.ts";
import type { LogSearchResult } from "../../src/monitoring/logs/answers.ts";
import { type EngineAnswers, startEngineAnswers } from "../../test/support/engine-answers.ts";
import { temporaryFolder } from "../../test/support/program.ts";
import { until } from "../../test/support/until.ts";
import { startMeasured } from "./child.ts";
import { absoluteFigure, type Bench, type Figure, median, percentile } from "./figure.ts";
import { holdUpFigures } from "./hold-ups.ts";
import { address } from "./load.ts";
import { makeLogs, RARE } from "./log-lines.ts";
import { type AnsweringProgram, startBuilt } from "./programs.ts";

const FULL_BYTES = 1e9;
const QUICK_BYTES = 50e6;
const DAYS = 7;
const FULL_RUNS = 15;
const QUICK_RUNS = 3;
const LIMIT = 100;
const MEGABYTE = 1024 ** 2;
/** What else is asked of the program while it searches, and how often. */
const OTHER_PATH = "/api/v1/containers";
const OTHER_EVERY_MS = 20;
const ENDED = { Status: "exited", ExitCode: 0, StartedAt: "2026-03-01T12:00:00Z", FinishedAt: "2026-03-02T12:00:00Z" };

export const logSearch: Bench = {
  name: "log-search",
  isLong: true,
  about: `GET /api/v1/logs/search of the built program over 1 GB of text in its store, of ${makeLogs().names.length} containers and ${DAYS} days: JSON, logfmt, plain lines and stack traces; the quick form has 50 MB`,
  async run({ quick }) {
    const folder = temporaryFolder();
    const engine = await startEngineAnswers(engineOf(makeLogs().names));
    let program = await start(folder, engine);
    try {
      const owners = await listOwners(program);
      await program.stop();
      const untilMs = Date.now();
      const stored = await fill({ folder: join(folder, "logs"), owners, untilMs, bytes: quick ? QUICK_BYTES : FULL_BYTES });
      engine.asked.length = 0;
      program = await start(folder, engine);
      // It looks into each log once for what is not stored yet.
      const logsAsked = (): number => engine.asked.filter((path) => path.endsWith("/logs")).length;
      await until(() => logsAsked() >= owners.length, { what: "its look into all logs" });
      await wait(quick ? 500 : 10_000);
      return [...stored, ...(await search(program, questionsOf(owners, untilMs), quick ? QUICK_RUNS : FULL_RUNS))];
    } finally {
      await program.stop();
      await engine.close();
    }
  },
};

type Owner = Pick<ContainerList["groups"][number]["containers"][number], "id" | "name" | "first_seen_at">;

/** An engine with these containers, which have ended and have no log any more. */
function engineOf(names: readonly string[]): Record<string, unknown> {
  const containers = names.map((name, index) => ({ Id: (index + 1).toString(16).padStart(64, "0"), name }));
  return {
    "/_ping": {},
    "/version": { ApiVersion: "1.41", MinAPIVersion: "1.12", Version: "20.10.24" },
    "/info": { ID: "engine", Name: "bench", OperatingSystem: "Debian GNU/Linux 12" },
    "/containers/json": containers.map(({ Id, name }) => ({
      Id,
      Names: [`/${name}`],
      Image: "shop:1",
      State: "exited",
      Status: "Exited (0)",
    })),
    ...Object.fromEntries(
      containers.flatMap(({ Id, name }) => [
        [
          `/containers/${Id}/json`,
          { Id, Name: `/${name}`, Created: ENDED.StartedAt, State: ENDED, Config: { Image: "shop:1" }, HostConfig: {} },
        ],
        [`/containers/${Id}/logs`, Buffer.alloc(0)],
      ]),
    ),
  };
}

/** The built program with a store for logs in the folder. */
function start(folder: string, { host }: EngineAnswers): Promise<AnsweringProgram> {
  return startBuilt(
    [],
    {
      ...{ HOME: folder, SERVICE_DATA_DIR: folder, SERVICE_DOCKER_HOST: host, SERVICE_TRUSTED_PROXIES: "127.0.0.0/8" },
      ...{ SERVICE_LOG_RETENTION: "720h", SERVICE_UPDATE_INTERVAL: "off" },
    },
    { isWatched: true },
  );
}

/** In the order in which they are made. */
async function listOwners({ get }: AnsweringProgram): Promise<Owner[]> {
  const { names } = makeLogs();
  const listed = async (): Promise<Owner[]> => {
    const { groups } = await get<ContainerList>("/api/v1/containers");
    const all = groups.flatMap(({ containers }) => containers);
    return names.flatMap((wanted) => {
      const found = all.find(({ name }) => name === wanted);
      return found === undefined ? [] : [{ id: found.id, name: found.name, first_seen_at: found.first_seen_at }];
    });
  };
  await until(async () => (await listed()).length === names.length, { what: "its containers" });
  return listed();
}

/** Fills the store in a separate process. */
async function fill({
  folder,
  owners,
  untilMs,
  bytes,
}: {
  folder: string;
  owners: readonly Owner[];
  untilMs: number;
  bytes: number;
}): Promise<Figure[]> {
  const writer = await startMeasured("log-store", [folder, JSON.stringify(owners), String(untilMs - DAYS * DAY_MS), String(untilMs)]);
  try {
    const answer = await writer.ask({ write: bytes });
    const of = (name: string): number => Number(answer[name]);
    return [
      plain("text written", of("bytes") / 1e6, "MB"),
      plain("lines written", of("lines"), "lines"),
      plain("written a second", of("bytes") / 1e6 / of("seconds"), "MB/s"),
      plain("writing, CPU a line", of("cpuMicroseconds") / of("lines"), "us"),
      absoluteFigure({ name: "log-search: stored a byte of text", value: of("storedBytes") / of("bytes"), unit: "bytes", atMost: 0.3 }),
      absoluteFigure({ name: "log-search: writing, more memory", value: of("residentBytes") / MEGABYTE, unit: "MB", atMost: 150 }),
    ];
  } finally {
    await writer.stop();
  }
}

/** Without a bar. */
function plain(name: string, value: number, unit: string): Figure {
  return { name: `log-search: ${name}`, value, unit, baseline: null, ratio: null, bar: "", ok: true };
}

interface Question {
  name: string;
  query: Record<string, string>;
  /** Lines of the answer. */
  lines: number;
  /** Nothing but reading every line can answer it. */
  hasNoBar?: boolean;
}

function questionsOf(owners: readonly Owner[], untilMs: number): Question[] {
  const at = (daysAgo: number): string => new Date(untilMs - daysAgo * DAY_MS).toISOString();
  const rare = owners.filter(({ name }) => name.startsWith("checkout")).length;
  return [
    { name: "a rare word", query: { q: RARE }, lines: rare },
    { name: "a word that is nowhere", query: { q: "zeppelin-4711" }, lines: 0 },
    { name: "a frequent word", query: { q: "completed" }, lines: LIMIT },
    { name: "a frequent word, oldest first", query: { q: "completed", order: "oldest" }, lines: LIMIT },
    { name: "a phrase within words", query: { q: "eclined by acq" }, lines: LIMIT },
    { name: "errors", query: { level: "error" }, lines: LIMIT },
    { name: "a word in errors", query: { q: "timed out", level: "error" }, lines: LIMIT },
    {
      name: "a word in one container",
      query: { q: "placed_at", container_id: String(owners.find(({ name }) => name === "db-1")?.id) },
      lines: LIMIT,
    },
    { name: "a word within a day", query: { q: "customer", since: at(4), until: at(3) }, lines: LIMIT },
    { name: "three letters, nowhere", query: { q: "zqj" }, lines: 0, hasNoBar: true },
  ];
}

/** Asks each question some times, by turns, while something else is asked too. */
async function search(program: AnsweringProgram, questions: readonly Question[], runs: number): Promise<Figure[]> {
  const before = program.residentBytes();
  program.mostResidentBytes();
  const over = new AbortController();
  const others = askMeanwhile(program.url, over.signal);
  await program.longestHoldUp();
  const times = new Map<string, number[]>(questions.map(({ name }) => [name, []]));
  let wrong = 0;
  for (let run = 0; run < runs; run += 1)
    for (const [index, { name, query, lines }] of questions.entries()) {
      const beganMs = performance.now();
      const found = await ask<LogSearchResult>(
        program.url,
        `/api/v1/logs/search?${new URLSearchParams({ ...query, limit: String(LIMIT) })}`,
        {
          connection: 1,
          request: run * questions.length + index,
        },
      );
      times.get(name)?.push(performance.now() - beganMs);
      if (!isRight(found, query, lines)) wrong += 1;
    }
  const holdUp = await program.longestHoldUp();
  const most = program.mostResidentBytes();
  over.abort();
  const figures = questions.flatMap(({ name, hasNoBar }) => {
    const taken = times.get(name) ?? [];
    const values = { median: median(taken), slowest: Math.max(...taken) };
    return Object.entries(values).map(([which, value]) =>
      hasNoBar === true
        ? plain(`${name}, ${which}`, value, "ms")
        : absoluteFigure({ name: `log-search: ${name}, ${which}`, value, unit: "ms", atMost: 1_000 }),
    );
  });
  return [
    ...figures,
    absoluteFigure({ name: "log-search: wrong answers", value: wrong, unit: "requests", atMost: 0 }),
    ...holdUpFigures("log-search", "searches", holdUp),
    absoluteFigure({ name: `log-search: GET ${OTHER_PATH} meanwhile, p99`, value: percentile(await others, 99), unit: "ms", atMost: 50 }),
    absoluteFigure({ name: "log-search: resident memory over before", value: (most - before) / MEGABYTE, unit: "MB", atMost: 150 }),
    plain("resident memory", most / MEGABYTE, "MB"),
  ];
}

function isRight(
  { lines, is_complete: isComplete, gaps_total: gaps }: LogSearchResult,
  query: Record<string, string>,
  expected: number,
): boolean {
  const isMeant = ({ text, level }: LogSearchResult["lines"][number]): boolean =>
    (query["q"] === undefined || text.toLowerCase().includes(query["q"])) && (query["level"] === undefined || level === query["level"]);
  return lines.length === expected && lines.every(isMeant) && isComplete && gaps === 0;
}

/** How long the answers to something else take, until that is over. */
async function askMeanwhile(url: string, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let request = 0; !signal.aborted; request += 1) {
    const beganMs = performance.now();
    await ask(url, OTHER_PATH, { connection: 2, request });
    times.push(performance.now() - beganMs);
    await wait(OTHER_EVERY_MS);
  }
  return times;
}

/** Each from another address, so that the limits of the specification stay on and do not matter. */
async function ask<Body>(url: string, path: string, { connection, request }: { connection: number; request: number }): Promise<Body> {
  const answer = await fetch(url + path, { headers: { "x-forwarded-for": address(connection, request) } });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
