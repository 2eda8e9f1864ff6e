import { DAY_MS } from "../../../contract/time.ts";
import { counted } from "../../../platform/text.ts";
import { spellings } from "../ecosystem.ts";
import type { Question } from "../findings.ts";
import { type OsvRecord, readRecord } from "../record.ts";
import { type OsvSource, SourceError, inParallel } from "../source.ts";
import { MOST_QUERIES, type OsvApi, type Query } from "./api.ts";
import type { KeptRecords } from "./kept-records.ts";

/** Pages of the answer to one question. */
const MOST_PAGES = 20;
/** Records of one image. */
const MOST_RECORDS = 10_000;
const FETCHED_AT_ONCE = 4;
const SAVED_AT_ONCE = 50;
/** For which a record, or its absence, is believed that was found by no question. */
const ASKED_AGAIN_MS = 7 * DAY_MS;

interface Pending {
  question: number;
  query: Query;
}

/** The database behind an address. It says which records hold for a version; they are fetched once for each of their modifications. */
export function createOnlineSource({ api, kept, now }: { api: OsvApi; kept: KeptRecords; now: () => Date }): OsvSource {
  /** What was found for each question: ids, and when each was modified; and of which questions entries could not be read. */
  async function ask(questions: readonly Question[], signal: AbortSignal, notes: string[]) {
    const found = questions.map(() => new Map<string, string>());
    const malformed = new Map<number, number>();
    let pending: Pending[] = questions.flatMap(({ ecosystem, name, version }, question) =>
      spellings(ecosystem).map((spelling) => ({ question, query: { ecosystem: spelling, name, version, page: null } })),
    );
    for (let page = 1; pending.length > 0 && page <= MOST_PAGES; page += 1) {
      const next: Pending[] = [];
      for (let at = 0; at < pending.length; at += MOST_QUERIES) {
        const some = pending.slice(at, at + MOST_QUERIES);
        const pages = await api.batch(
          some.map(({ query }) => query),
          signal,
        );
        for (const [index, { question, query }] of some.entries()) {
          const answer = pages[index];
          for (const { id, modified } of answer?.found ?? []) found[question]?.set(id, modified);
          if (answer !== undefined && answer.malformed > 0) malformed.set(question, (malformed.get(question) ?? 0) + answer.malformed);
          if (answer !== undefined && answer.next !== null) next.push({ question, query: { ...query, page: answer.next } });
        }
      }
      pending = next;
    }
    if (pending.length > 0) notes.push(`The vulnerability database has more on ${counted(pending.length, "package")} than was read.`);
    const count = [...malformed.values()].reduce((sum, each) => sum + each, 0);
    if (count > 0) notes.push(unreadable(count));
    return { found, malformed, isAll: pending.length === 0 };
  }

  /** The records of ids by their modifications; what cannot be fetched is missing, and `failure` says why. */
  async function fetchAll(wanted: ReadonlyMap<string, string>, signal: AbortSignal) {
    const records = new Map<string, OsvRecord>();
    for (const [id, { record, modified }] of await kept.read([...wanted.keys()]))
      if (record !== null && modified === wanted.get(id)) records.set(id, record);
    const missing = [...wanted.keys()].filter((id) => !records.has(id));
    let fresh: Parameters<KeptRecords["save"]>[0][number][] = [];
    let malformed = 0;
    let failure: SourceError | undefined;
    await inParallel(missing, FETCHED_AT_ONCE, async (id) => {
      if (failure !== undefined) return;
      try {
        const record = readRecord(await api.record(id, signal));
        if (record?.id !== id) return void (malformed += 1);
        records.set(id, record);
        fresh.push({ id, record, modified: wanted.get(id) ?? record.modified });
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        failure = error;
      }
      if (fresh.length < SAVED_AT_ONCE) return;
      const some = fresh;
      fresh = [];
      await kept.save(some);
    });
    await kept.save(fresh);
    return { records, malformed, failure };
  }

  return {
    async records(questions, signal) {
      const notes: string[] = [];
      const { found, malformed: incomplete, isAll } = await ask(questions, signal, notes);
      const all = new Map(found.flatMap((ids) => [...ids]));
      const wanted = new Map([...all].slice(0, MOST_RECORDS));
      const { records, malformed, failure } = await fetchAll(wanted, signal);
      if (all.size > wanted.size) notes.push(`Only ${wanted.size} of ${all.size} records of the vulnerability database were read.`);
      if (malformed > 0) notes.push(unreadable(malformed));
      if (failure !== undefined) notes.push(`${wanted.size - records.size} of ${wanted.size} records are missing. ${failure.message}`);
      return {
        records: found.map((ids) => [...ids.keys()].flatMap((id) => records.get(id) ?? [])),
        whole: failure === undefined && isAll && all.size === wanted.size,
        notes,
        absent: [],
        unread: questions.filter((_, index) => incomplete.has(index) || [...(found[index]?.keys() ?? [])].some((id) => !records.has(id))),
      };
    },

    async record(id, signal) {
      const known = (await kept.read([id])).get(id);
      if (known !== undefined && now().getTime() - known.fetchedAt < ASKED_AGAIN_MS) return known.record ?? undefined;
      try {
        const answer = await api.record(id, signal);
        const record = answer === null ? null : readRecord(answer);
        if (record === undefined || (record !== null && record.id !== id)) return known?.record ?? undefined;
        await kept.save([{ id, record, modified: record?.modified ?? "" }]);
        return record ?? undefined;
      } catch (error) {
        if (!(error instanceof SourceError) || known === undefined) throw error;
        return known.record ?? undefined;
      }
    },
  };
}

function unreadable(count: number): string {
  return `${counted(count, "record")} of the vulnerability database could not be read and ${count === 1 ? "is" : "are"} left out.`;
}
