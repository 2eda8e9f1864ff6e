import { basename } from "node:path";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import { cleanName, counted } from "../../../platform/text.ts";
import { judge } from "../affected.ts";
import { baseOf, orderOf, packageKey } from "../ecosystem.ts";
import type { Question } from "../findings.ts";
import { type OsvRecord, readRecord } from "../record.ts";
import { type OsvSource, type SourceAnswer, SourceError, inParallel } from "../source.ts";
import { ecosystemOfKey, idKey, type Library, openLibrary, READ_AT_ONCE, isUnchanged } from "./library.ts";

/** How often the folder is looked at for changes, when it is asked at all. */
const LISTED_EVERY_MS = MINUTE_MS;
/** Answers that are remembered: images have many packages in common. */
const MOST_ANSWERS = 50_000;
const NAMES_SHOWN = 5;
/** How often one image is retried because the folder changed while it was looked up. */
const ATTEMPTS = 3;

/** Which records hold for one question. */
interface Answer {
  numbers: readonly number[];
  /** A record could not be compared with the version. */
  undecided: boolean;
  unreadable: number;
}

/** Records in a folder; nothing is asked of the network. */
export interface OfflineSource extends OsvSource {
  stop(): void;
}

export function createOfflineSource({ folder, clock, log }: { folder: string; clock: Clock; log: Log }): OfflineSource {
  const stopped = new AbortController();
  const answers = new Map<string, Answer>();
  let library: Library | undefined;
  let listedAtMs = 0;
  let opening: Promise<Library> | undefined;

  async function reopen(): Promise<Library> {
    const before = library;
    library = undefined;
    answers.clear();
    await before?.close();
    const beganMs = clock.monotonicMs();
    try {
      library = await openLibrary(folder, stopped.signal);
    } catch (error) {
      if (stopped.signal.aborted) throw new SourceError("The service is stopping.");
      throw new SourceError(`The folder of vulnerability records could not be read: ${cleanName(messageOf(error), 300)}.`);
    }
    listedAtMs = clock.monotonicMs();
    const { index, unreadable } = library;
    log.info({ records: index.size, unreadable, tookMs: Math.round(listedAtMs - beganMs) }, "vulnerability records read");
    return library;
  }

  async function fresh(): Promise<Library> {
    if (library !== undefined) {
      if (clock.monotonicMs() - listedAtMs < LISTED_EVERY_MS) return library;
      if (await isUnchanged(library.folder)) {
        listedAtMs = clock.monotonicMs();
        return library;
      }
    }
    return reopen();
  }

  /** The present library. A caller stops waiting when its signal is aborted; the reading continues for the others. */
  async function current(signal: AbortSignal): Promise<Library> {
    signal.throwIfAborted();
    opening ??= fresh().finally(() => (opening = undefined));
    const gone = Promise.withResolvers<never>();
    const leave = (): void => gone.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([opening, gone.promise]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  /** The records that hold for a question, and what else there is to say of it. */
  async function answerTo(question: Question, known: Library, signal: AbortSignal): Promise<Answer & { found: OsvRecord[] }> {
    const key = `${packageKey(question.ecosystem, question.name)}\n${question.version}`;
    const remembered = answers.get(key);
    const numbers: number[] = [];
    const found: OsvRecord[] = [];
    let undecided = false;
    let unreadable = 0;
    const candidates = remembered?.numbers ?? known.index.candidates(packageKey(question.ecosystem, question.name));
    await inParallel(candidates, READ_AT_ONCE, async (candidate) => {
      signal.throwIfAborted();
      const record = await readFrom(known, candidate);
      if (record === undefined) unreadable += 1;
      if (record === undefined || record.withdrawn) return;
      const verdict = judge(record, question);
      undecided ||= verdict.undecided;
      if (!verdict.affected) return;
      numbers.push(candidate);
      found.push(record);
    });
    if (remembered !== undefined) return { ...remembered, unreadable: remembered.unreadable + unreadable, found };
    if (answers.size >= MOST_ANSWERS) answers.delete(answers.keys().next().value ?? "");
    const answer = { numbers, undecided, unreadable };
    if (known === library) answers.set(key, answer);
    return { ...answer, found };
  }

  /** Undefined when something could not be read because the folder changed meanwhile, and its files were closed. */
  async function answerFrom(known: Library, questions: readonly Question[], signal: AbortSignal): Promise<SourceAnswer | undefined> {
    const absent = new Map<string, number>();
    const uncompared = new Set<string>();
    const records: OsvRecord[][] = [];
    const unread: Question[] = [];
    let undecided = 0;
    let unreadable = 0;
    for (const question of questions) {
      if (!known.ecosystems.has(ecosystemOfKey(packageKey(question.ecosystem, question.name)))) {
        absent.set(question.ecosystem, (absent.get(question.ecosystem) ?? 0) + question.packages.length);
        records.push([]);
        continue;
      }
      if (orderOf(question.ecosystem) === undefined) uncompared.add(baseOf(question.ecosystem));
      const answer = await answerTo(question, known, signal);
      const isUndecided = answer.undecided && orderOf(question.ecosystem) !== undefined;
      undecided += Number(isUndecided);
      unreadable += answer.unreadable;
      if (unreadable > 0 && known !== library) return undefined;
      if (isUndecided || answer.unreadable > 0) unread.push(question);
      records.push(answer.found);
    }
    return {
      records,
      whole: !isPartial(known) && (absent.size === 0 || questions.some(({ ecosystem }) => !absent.has(ecosystem))),
      notes: [...libraryNotes(known), ...questionNotes({ absent, uncompared, undecided, unreadable })],
      absent: [...absent.keys()],
      unread,
    };
  }

  return {
    async records(questions, signal): Promise<SourceAnswer> {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const known = await current(signal);
        if (known.index.size === 0) throw new SourceError("The folder of vulnerability records has none that can be read.");
        const answer = await answerFrom(known, questions, signal);
        if (answer !== undefined) return answer;
      }
      throw new SourceError("The folder of vulnerability records changed again and again while it was read.");
    },

    async record(id, signal) {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const known = await current(signal).catch((error: unknown) => {
          if (!(error instanceof SourceError)) throw error;
          return undefined;
        });
        if (known === undefined) return undefined;
        for (const candidate of known.index.candidates(idKey(id))) {
          const record = await readFrom(known, candidate);
          if (record?.id === id) return record;
        }
        if (known === library) return undefined;
      }
      return undefined;
    },

    stop() {
      stopped.abort();
      void library?.close();
      library = undefined;
    },
  };
}

/** Undefined when it cannot be read: it was changed, or is no record though it has an id and packages. */
async function readFrom(library: Library, record: number): Promise<OsvRecord | undefined> {
  try {
    return readRecord(await library.read(record));
  } catch {
    return undefined;
  }
}

/** Large parts of the folder were not read; a single file that is no record counts for little. */
function isPartial({ folder, brokenZips, full }: Library): boolean {
  return brokenZips.length > 0 || full || folder.left > 0;
}

function libraryNotes({ folder, unreadable, brokenZips, full }: Library): string[] {
  const notes: string[] = [];
  if (brokenZips.length > 0)
    notes.push(`These zip files of vulnerability records could not be read: ${listed(brokenZips.map((path) => basename(path)))}.`);
  if (unreadable > 0) notes.push(`${counted(unreadable, "file")} with vulnerability records could not be read.`);
  if (full || folder.left > 0) notes.push("The folder of vulnerability records has more than can be read; some are left out.");
  return notes;
}

interface Missed {
  absent: ReadonlyMap<string, number>;
  uncompared: ReadonlySet<string>;
  undecided: number;
  unreadable: number;
}

function questionNotes({ absent, uncompared, undecided, unreadable }: Missed): string[] {
  const notes: string[] = [];
  if (absent.size > 0) {
    const packages = [...absent.values()].reduce((sum, count) => sum + count, 0);
    notes.push(`The folder has no records of ${listed([...absent.keys()])}: ${counted(packages, "package")} not looked up.`);
  }
  if (uncompared.size > 0) notes.push(`Versions of ${listed([...uncompared])} are only found where a record lists them one by one.`);
  if (undecided > 0) notes.push(`Versions of ${counted(undecided, "package")} could not be compared with all records.`);
  if (unreadable > 0) notes.push(`${counted(unreadable, "record")} could not be read.`);
  return notes;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => cleanName(name, 80));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
