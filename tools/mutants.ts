/**
 * `npm run mutants [-- --seed 1 --count 100 --out FILE]`: draws small mutations of src, runs the nearest tests against each, and prints those
 * that no test noticed. Works in a copy of the project; an interrupted run resumes with the same --out. See CONTRIBUTING.md.
 */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import { startEngine } from "../test/support/engine.ts";
import { startPostgres } from "../test/support/postgres.ts";
import { readSourceFile, type SourceFile } from "./imports/source-file.ts";
import { makePair } from "./license.ts";
import { createChoice, type Pass } from "./mutants/choose-tests.ts";
import { drawMutations } from "./mutants/draw.ts";
import { describeMutation, type Mutation } from "./mutants/mutation.ts";
import { openResults, type Results } from "./mutants/results.ts";
import { findMutations } from "./mutants/sites.ts";
import { copyTree, type Tree } from "./mutants/tree.ts";
import { tryMutant } from "./mutants/trial.ts";
import { selectWellTyped } from "./mutants/well-typed.ts";
import { continueIsolated } from "./testing/isolation.ts";
import { startNameServer } from "./testing/name-server.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = ["{src,test,tools}/**/*.ts", "web/src/**/*.{ts,tsx}"];
const GENERATED = "src/fleet/wire/gen/";
/** A test without news for so long hangs. */
const SILENCE_MS = 90_000;
const PASSES: readonly Pass[] = ["near", "postgresql", "stories"];
const MOST_DATABASES = 300;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    jobs: { type: "string", default: "1" },
    "limit-seconds": { type: "string", default: "180" },
    out: { type: "string" },
    /** Whether survivors of an earlier run are tried again. */
    again: { type: "boolean", default: false },
    stories: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const count = Number(values.count);
const limitMs = Number(values["limit-seconds"]) * 1000;
const out = values.out ?? join(tmpdir(), `binnacle-mutants-${seed}-${count}.jsonl`);

const interruption = new AbortController();
const { signal } = interruption;
process.once("SIGINT", () => interruption.abort());
process.once("SIGTERM", () => interruption.abort());
// Tests take ports, and an engine its bridge: those of the machine stay as they are.
await continueIsolated();
startNameServer();
await main();

async function main(): Promise<void> {
  console.log(`seed ${seed}, ${count} mutations, results in ${out}`);
  const files = globSync(SOURCES, { cwd: ROOT })
    .sort()
    .map((path) => readSourceFile(ROOT, path, readFileSync(join(ROOT, path), "utf8")));
  const results = openResults(out, { seed, count });
  const mutations = results.drawn ?? (await draw(files));
  if (results.drawn === undefined) results.begin(mutations);
  const choose = createChoice(files);
  const passes: readonly Pass[] = values.stories ? PASSES : ["near"];
  for (const pass of passes) {
    const waiting = mutations.map((mutation, number) => ({ mutation, number })).filter(({ number }) => isWanted(results, number, pass));
    console.log(`${pass}: ${waiting.length} to try`);
    await Promise.all(
      // Two engines would share one network, and its packet filter.
      Array.from({ length: pass === "stories" ? 1 : Number(values.jobs) }, () =>
        work(pass, async (world) => {
          for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
            const choice = choose(next.mutation.path, pass);
            const outcome = await tryMutant({ ...world, mutation: next.mutation, ...choice, limitMs, silenceMs: SILENCE_MS, signal });
            if (signal.aborted) break;
            results.add(next.number, pass, outcome);
            await world.tidy();
            console.log(`${next.number}  ${outcome.status}  ${outcome.seconds} s  ${describeMutation(next.mutation)}  (${outcome.by})`);
          }
        }),
      ),
    );
  }
  report(mutations, results);
}

/** Not tried yet, or to be tried again; and not noticed by another pass. */
function isWanted(results: Results, number: number, pass: Pass): boolean {
  if (isKilled(results, number)) return false;
  const before = results.of(number, pass);
  return before === undefined || (values.again && before.status === "survived");
}

async function draw(files: readonly SourceFile[]): Promise<Mutation[]> {
  const paths = files.map(({ path }) => path).filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path) && !path.startsWith(GENERATED));
  const offered = paths.flatMap((path) => findMutations(path, readFileSync(join(ROOT, path), "utf8")));
  const drawn = drawMutations(offered, seed);
  console.log(`${offered.length} mutations are offered by ${drawn.length} lines of ${paths.length} files`);
  const tree = copyTree(ROOT);
  try {
    return await selectWellTyped({ tree, files, drawn, count, checkTypes });
  } finally {
    tree.remove();
  }
}

async function checkTypes(root: string): Promise<string[]> {
  const tsc = join(root, "node_modules/.bin/tsc");
  const args = ["--noEmit", "--pretty", "false", "--incremental", "--tsBuildInfoFile", join(root, ".types.tsbuildinfo"), "-p", root];
  const { stdout } = await promisify(execFile)(tsc, args, { cwd: root, maxBuffer: 2 ** 26, signal }).catch(
    (error: { stdout: string }) => error,
  );
  signal.throwIfAborted();
  return [...new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, path = ""]) => path))];
}

interface World {
  tree: Tree;
  env: NodeJS.ProcessEnv;
  green: Set<string>;
  red: Set<string>;
  isLoner(path: string): boolean;
  prepare(): Promise<void>;
  /** Begins with a new PostgreSQL server when the old one is full of databases: to drop each takes longer. */
  tidy(): Promise<void>;
}

/** Gives a worker its own tree and PostgreSQL server, and for stories an engine and a build of each mutant. */
async function work(pass: Pass, run: (world: World) => Promise<void>): Promise<void> {
  const tree = copyTree(ROOT);
  let postgres = await startPostgres();
  const engine = pass === "stories" ? await startEngine() : undefined;
  const engineEnv = engine === undefined ? {} : { BINNACLE_TEST_ENGINE: engine.host };
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("SERVICE_") && !name.startsWith("DOCKER_"));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    ...engineEnv,
    BINNACLE_TEST_POSTGRES: postgres.url,
    NODE_COMPILE_CACHE: join(tree.root, ".compile-cache"),
  };
  if (pass === "stories") makePair(join(tree.root, ".license"));
  try {
    await run({
      tree,
      env,
      green: new Set(),
      red: new Set(),
      // Hooks for all tests of a file would be hooks of the others too.
      isLoner: (path) => /^(before|after)(Each)?\(/m.test(tree.read(path)),
      async prepare() {
        if (pass === "stories") await promisify(execFile)(process.execPath, ["tools/build.ts", "--if-stale"], { cwd: tree.root });
      },
      async tidy() {
        if ((await countDatabases(postgres.url)) < MOST_DATABASES) return;
        await postgres.stop();
        postgres = await startPostgres();
        env["BINNACLE_TEST_POSTGRES"] = postgres.url;
      },
    });
  } finally {
    await engine?.stop();
    await postgres.stop();
    tree.remove();
  }
}

async function countDatabases(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query("SELECT FROM pg_database");
  await client.end();
  return rowCount ?? 0;
}

function report(mutations: readonly Mutation[], results: Results): void {
  console.log("\nSurvivors:");
  let alive = 0;
  let left = 0;
  for (const [number, mutation] of mutations.entries()) {
    const near = results.of(number, "near");
    if (near === undefined) left += 1;
    else if (!isKilled(results, number)) {
      alive += 1;
      console.log(`${describeMutation(mutation)}  (${near.by}, ${near.files} files)`);
    }
  }
  console.log(`\n${mutations.length - left - alive} of ${mutations.length} killed${left > 0 ? `, ${left} not tried` : ""}`);
}

function isKilled(results: Results, number: number): boolean {
  return PASSES.some((pass) => results.of(number, pass)?.status === "killed");
}
