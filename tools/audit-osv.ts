/**
 * `npm run audit:osv [-- --dir FOLDER]`: holds the packages of package-lock.json against the records of OSV: those of a folder (or SERVICE_OSV_DIR),
 * when nothing is asked of the network, or of api.osv.dev (or SERVICE_OSV_URL). Exit code 1 when a package is vulnerable, 2 when it is not known.
 */
import { parseArgs } from "node:util";
import { findingsOf, vulnerabilityOf, worstFirst, type Question } from "../src/images/vulnerabilities/findings.ts";
import { createOfflineSource } from "../src/images/vulnerabilities/offline/offline.ts";
import { createOsvApi } from "../src/images/vulnerabilities/online/api.ts";
import { createKeptRecords } from "../src/images/vulnerabilities/online/kept-records.ts";
import { createOnlineSource } from "../src/images/vulnerabilities/online/online.ts";
import type { OsvSource } from "../src/images/vulnerabilities/source.ts";
import type { RecordStore } from "../src/images/vulnerabilities/store.ts";
import { keepAlive, systemClock } from "../src/platform/clock.ts";
import { createLog } from "../src/platform/log.ts";
import { createOutbound } from "../src/platform/outbound.ts";
import { type LockedPackage, lockedPackages, withAllNeeded } from "./locked-packages.ts";
import { program } from "./sbom.ts";

const OSV_URL = "https://api.osv.dev";
const LONGEST_MS = 5 * 60_000;

/** What an audit found. */
export interface Audit {
  /** A line for each vulnerability, those of bundled packages first, then the worst first. */
  lines: string[];
  /** Sentences on what could not be looked up. */
  notes: readonly string[];
  /** All packages were looked up. */
  isWhole: boolean;
}

/** Looks all packages up; `bundled` are those that users run. */
export async function audit(packages: readonly LockedPackage[], bundled: ReadonlySet<LockedPackage>, source: OsvSource): Promise<Audit> {
  const questions = questionsOf(packages);
  const { records, notes, whole, absent } = await source.records(questions, AbortSignal.timeout(LONGEST_MS));
  const isBundled = (name: string, version: string): boolean => [...bundled].some((each) => each.name === name && each.version === version);
  const found = questions.flatMap((question, index) =>
    findingsOf(question, records[index] ?? []).map((finding) => {
      const vulnerability = vulnerabilityOf(finding);
      return { vulnerability, part: isBundled(question.name, question.version) ? "bundled" : "tools  " };
    }),
  );
  found.sort((a, b) => a.part.localeCompare(b.part) || worstFirst(a.vulnerability, b.vulnerability));
  return {
    lines: found.map(({ vulnerability, part }) => {
      const { id, severity, score, package: name, version, fixedIn, summary } = vulnerability;
      const rated = `${severity ?? "unrated"}${score === null ? "" : ` ${score}`}`;
      return `${part}  ${name} ${version}  ${id}  ${rated}  ${fixedIn === null ? "no fix is known" : `fixed in ${fixedIn}`}  ${summary}`;
    }),
    notes: [...notes, ...absent.map((ecosystem) => `There are no records of ${ecosystem} at all.`)],
    isWhole: whole && absent.length === 0,
  };
}

/** Each version of each package once. */
function questionsOf(packages: readonly LockedPackage[]): Question[] {
  const questions = new Map<string, Question>();
  for (const { name, version } of packages) {
    const subject = { ecosystem: "npm", name, version };
    questions.set(`${name}@${version}`, { ...subject, packages: [{ ...subject, source: null }] });
  }
  return [...questions.values()];
}

/** Keeps nothing: each audit asks again. */
const NO_STORE: RecordStore = {
  read: async () => [],
  touch: async () => {},
  save: async () => {},
  count: async () => 0,
  pruneUnused: async () => false,
  pruneOldest: async () => 0,
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: "string", default: process.env["SERVICE_OSV_DIR"] ?? "" } } });
  const clock = systemClock;
  const letEnd = keepAlive();
  const log = createLog({ level: "warn", format: "pretty" });
  const outbound = createOutbound({ allowPrivate: false, clock });
  const offline = values.dir === "" ? undefined : createOfflineSource({ folder: values.dir, clock, log });
  const api = createOsvApi({ outbound, url: process.env["SERVICE_OSV_URL"] ?? OSV_URL, clock });
  const kept = createKeptRecords({ store: NO_STORE, clock, log });
  const all = lockedPackages();
  const packages = [...all.values()];
  const bundled = new Set(withAllNeeded(program().imports, all));
  try {
    const { lines, notes, isWhole } = await audit(packages, bundled, offline ?? createOnlineSource({ api, kept, now: () => clock.now() }));
    for (const line of [...lines, ...notes]) console.log(line);
    console.log(`${packages.length} packages, ${bundled.size} of them bundled: ${lines.length === 0 ? "no vulnerability" : lines.length}`);
    process.exitCode = lines.length > 0 ? 1 : isWhole ? 0 : 2;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 2;
  } finally {
    offline?.stop();
    outbound.stop();
    letEnd();
  }
}

if (import.meta.main) void main();
