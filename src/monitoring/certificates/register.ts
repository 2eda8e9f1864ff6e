import { type CertificateScan, type CertificateTarget, certificateTargetKey } from "../../observations.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import { hold, type Serial } from "../../platform/queues.ts";
import { certificateEvents, createdEvent, deletedEvents, savedEvents } from "./changes.ts";
import {
  type Certificate,
  type NewCertificate,
  isTooFarAhead,
  newCertificate,
  nextCheckAt,
  notChecked,
  type SavedCertificate,
} from "./certificate.ts";
import { createKeptChecks, isNews } from "./kept-checks.ts";
import type { SavedCheck } from "./rows.ts";
import type { CertificateStore } from "./store.ts";
import { applyDates, applyScan, changesBetween } from "./verdict.ts";

/** What a caller may set; the state follows from it. */
export type Settings = Partial<Omit<Certificate, "state" | "createdAt">>;

/** What one of many becomes; `previous` undefined for a new one, and `next` the same where nothing changes. */
export interface Planned {
  previous: SavedCertificate | undefined;
  next: Certificate;
}

/** A change that may wait for others of the same certificate. */
export interface Turn {
  now: Date;
  /** Nothing is done when this is true of the certificate as it is once its turn has come. */
  unless?(certificate: SavedCertificate): boolean;
}

/** How a scan came. */
export interface Taking {
  /** When its run of scans began. The next check is counted from there, so that slow or many scans are due again with the next run. */
  begunAt: Date;
  now: Date;
  asked: boolean;
}

/** All certificates as they were last saved, in memory; what becomes of them is decided, saved and then published here. */
export interface Register {
  load(): Promise<void>;
  get(id: number): SavedCertificate | undefined;
  /** That of a host; null is the local one. */
  find(agentId: string | null, target: CertificateTarget): SavedCertificate | undefined;
  all(): Iterable<SavedCertificate>;
  /** Saves a new one, due at `dueAt`; undefined when its peer is watched already. */
  create(settings: NewCertificate, now: Date, dueAt: Date): Promise<SavedCertificate | undefined>;
  /** Keeps some as they are but for what `setUp` makes of them, until the answer is called. */
  hold(ids: readonly number[]): Promise<() => void>;
  /** Saves many new and changed ones together, which must be held; answers what each is now, undefined when another has the same peer or key. */
  setUp(plans: readonly Planned[], now: Date): Promise<SavedCertificate[] | undefined>;
  /** Another address starts over; undefined when it is watched already, or the certificate is gone or excepted. */
  change(id: number, settings: Settings, how: Turn): Promise<SavedCertificate | undefined>;
  /**
   * What a scan of a target makes of a certificate. A check is saved when somebody asked for it, when the scan brings news, and hourly. Undefined when
   * none was saved, or the certificate was deleted or has another target by now.
   */
  take(id: number, target: CertificateTarget, scan: CertificateScan, how: Taking): Promise<SavedCheck | undefined>;
  /**
   * The same for one of the scans that an agent makes each minute: a check is saved when its time by the interval has come, at most hourly, or when
   * the scan brings news; else it is only remembered. One that is not newer than the last says nothing.
   */
  takeOften(id: number, scan: CertificateScan, times: { at: Date; now: Date }): Promise<void>;
  /** Judges one that nobody looks at by the dates that are known; no check is saved. */
  judgeUnseen(id: number, now: Date): Promise<void>;
  remove(id: number, how: Turn): Promise<void>;
  /** Those of an agent, whose rows are gone. */
  forgetHost(agentId: string, now: Date): void;
}

export function createRegister({
  store,
  bus,
  serial,
  isExpected,
  random,
}: {
  store: CertificateStore;
  bus: Bus<Event>;
  serial: Serial;
  /** Whether the container whose label asks for a certificate runs; true for all others. */
  isExpected: (certificate: SavedCertificate) => boolean;
  /** From 0 to 1. */
  random: () => number;
}): Register {
  const byId = new Map<number, SavedCertificate>();
  const byTarget = new Map<string, number>();

  const keptChecks = createKeptChecks();

  function put(certificate: SavedCertificate): void {
    const known = byId.get(certificate.id);
    if (known !== undefined) byTarget.delete(placeOf(known.agentId, known));
    byId.set(certificate.id, certificate);
    byTarget.set(placeOf(certificate.agentId, certificate), certificate.id);
  }

  /** Keeps what was saved, unless its host was forgotten meanwhile. */
  function keep(certificate: SavedCertificate): boolean {
    if (!byId.has(certificate.id)) return false;
    put(certificate);
    return true;
  }

  function publish(events: readonly Event[]): void {
    for (const event of events) bus.publish(event);
  }

  /** Saves what became of one, then publishes it; false when its peer is watched already, or it was forgotten meanwhile. */
  async function save(next: SavedCertificate, events: readonly Event[]): Promise<boolean> {
    if (!(await store.update(next, (unit) => bus.keep(unit, events))) || !keep(next)) return false;
    publish(events);
    return true;
  }

  /** The same with a check; answers the check's identifier. */
  async function saveWithCheck(
    next: SavedCertificate,
    events: readonly Event[],
    check: { scan: CertificateScan; at: Date },
  ): Promise<number> {
    const id = await store.saveCheck(next, check, (unit) => bus.keep(unit, events));
    keptChecks.note(next.id, check.at);
    if (keep(next)) publish(events);
    return id;
  }

  function drop(certificate: SavedCertificate): void {
    byId.delete(certificate.id);
    byTarget.delete(placeOf(certificate.agentId, certificate));
    keptChecks.forget(certificate.id);
  }

  /** What happens to one certificate happens one after another. */
  function about<Result>(id: number, work: (certificate: SavedCertificate) => Promise<Result>): Promise<Result | undefined> {
    return serial(String(id), async () => {
      const certificate = byId.get(id);
      return certificate === undefined ? undefined : work(certificate);
    });
  }

  return {
    async load() {
      for (const certificate of await store.load()) put(certificate);
    },
    get: (id) => byId.get(id),
    find(agentId, target) {
      const id = byTarget.get(placeOf(agentId, target));
      return id === undefined ? undefined : byId.get(id);
    },
    all: () => byId.values(),

    async create(settings, now, dueAt) {
      const certificate = newCertificate(settings, { now, dueAt });
      const events: Event[] = [];
      const id = await store.insert(certificate, async (unit, newId) => {
        events.push(createdEvent({ ...certificate, id: newId }, now));
        await bus.keep(unit, events);
      });
      if (id === undefined) return undefined;
      const saved = { ...certificate, id };
      put(saved);
      publish(events);
      return saved;
    },

    async hold(ids) {
      // In one order, so that two who hold several do not wait for each other.
      const turns = ["many", ...[...new Set(ids)].sort((a, b) => a - b).map(String)];
      const releases: (() => void)[] = [];
      for (const turn of turns) releases.push(await hold(serial, turn));
      return () => releases.forEach((release) => release());
    },

    async setUp(plans, now) {
      const created = plans.filter(({ previous }) => previous === undefined).map(({ next }) => next);
      const changed = plans.flatMap(({ previous, next }) =>
        previous === undefined || previous === next ? [] : [{ ...next, id: previous.id }],
      );
      if (created.length + changed.length === 0) return savedOf(plans, []);
      const saved: SavedCertificate[] = [];
      const events: Event[] = [];
      const isSaved = await store.setUp({ created, changed }, async (unit, newIds) => {
        saved.push(...savedOf(plans, newIds));
        events.push(...plans.flatMap(({ previous }, index) => savedEvents(previous, saved[index], now)));
        await bus.keep(unit, events);
      });
      if (!isSaved) return undefined;
      for (const [index, certificate] of saved.entries()) if (certificate !== plans[index]?.previous) put(certificate);
      publish(events);
      return saved;
    },

    change: (id, settings, { now, unless }) =>
      about(id, async (previous) => {
        if (unless?.(previous) === true) return undefined;
        const changed = { ...previous, ...settings, id };
        const isSamePeer = certificateTargetKey(changed) === certificateTargetKey(previous);
        const changes = changesBetween(previous, changed);
        // A scan of an agent comes by itself: the next one begins the new interval.
        const restartsInterval = changed.agentId !== null && changed.checkIntervalMs !== previous.checkIntervalMs;
        const kept = restartsInterval ? { ...previous.state, nextCheckAt: now } : previous.state;
        const next = { ...changed, state: isSamePeer ? kept : notChecked(now) };
        const events = certificateEvents(previous, next, changes, now);
        return (await save(next, events)) ? next : undefined;
      }),

    take: (id, target, scan, { begunAt, now, asked }) =>
      about(id, async (previous) => {
        if (certificateTargetKey(previous) !== certificateTargetKey(target)) return undefined;
        const { next: state, changes } = applyScan(previous, scan, { now, isExpected: isExpected(previous) });
        const next = { ...previous, state: { ...state, nextCheckAt: nextCheckAt(previous, state, begunAt, random()) } };
        const brings = changes.length > 0 || (isNews(previous.state, state) && keptChecks.mayKeep(id, now));
        if (!asked && !brings && !keptChecks.isDue(id, now)) {
          await save(next, []);
          return undefined;
        }
        const events = certificateEvents(previous, next, changes, now);
        const checkId = await saveWithCheck(next, events, { scan, at: now });
        return { id: checkId, status: state.status, error: state.lastError, facts: scan.leaf === null ? null : scan, at: now };
      }),

    async takeOften(id, scan, { at: seenAt, now }) {
      await about(id, async (previous) => {
        const { lastCheckAt, statusSince, nextCheckAt: dueAt } = previous.state;
        // What is known to be of the future was seen before the clock was set back.
        if (lastCheckAt !== null && seenAt <= lastCheckAt && lastCheckAt <= now) return;
        // Dates that were judged while it was unseen are not judged again by an earlier time.
        const at = lastCheckAt !== null && seenAt < statusSince && statusSince <= now ? statusSince : seenAt;
        const { next: state, changes } = applyScan(previous, scan, { now: at, isExpected: isExpected(previous) });
        const brings = changes.length > 0 || isNews(previous.state, state);
        const isTime = at >= dueAt || isTooFarAhead(previous, at);
        const isRow = (isTime && keptChecks.isDue(id, at)) || (brings && keptChecks.mayKeep(id, at));
        const next = { ...previous, state: { ...state, nextCheckAt: isRow ? nextCheckAt(previous, state, at, random()) : dueAt } };
        const events = certificateEvents(previous, next, changes, at);
        if (isRow) await saveWithCheck(next, events, { scan, at });
        else if (brings) await save(next, events);
        else keep(next);
      });
    },

    async judgeUnseen(id, now) {
      await about(id, async (previous) => {
        const judged = applyDates(previous, now);
        if (judged === undefined) return;
        const next = { ...previous, state: judged.next };
        const events = certificateEvents(previous, next, judged.changes, now);
        await save(next, events);
      });
    },

    forgetHost(agentId, now) {
      for (const certificate of [...byId.values()].filter((each) => each.agentId === agentId)) {
        drop(certificate);
        publish(deletedEvents(certificate, now));
      }
    },

    async remove(id, { now, unless }) {
      await about(id, async (certificate) => {
        if (unless?.(certificate) === true) return;
        const events = deletedEvents(certificate, now);
        await store.remove(id, (unit) => bus.keep(unit, events));
        drop(certificate);
        publish(events);
      });
    },
  };
}

/** What is saved of plans; `ids` are those of the new ones in their order. */
function savedOf(plans: readonly Planned[], ids: readonly number[]): SavedCertificate[] {
  const waiting = [...ids];
  return plans.map(({ previous, next }) => {
    if (previous === undefined) return { ...next, id: waiting.shift() ?? 0 };
    return previous === next ? previous : { ...next, id: previous.id };
  });
}

function placeOf(agentId: string | null, target: CertificateTarget): string {
  return `${agentId ?? ""} ${certificateTargetKey(target)}`;
}
