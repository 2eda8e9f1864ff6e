import type { Kysely } from "kysely";
import { SUPPRESSION_BOUNDS } from "../../contract/suppression.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { refuseFaults, ServiceError } from "../../platform/errors.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import { type GroupOf, subjectsOf } from "../scope.ts";
import type { Alert } from "../vocabulary.ts";
import type { MatchersBody, SilenceBody } from "./api.ts";
import type { Preview, PreviewedAlert, SilenceList, SilenceRecord } from "./answers.ts";
import { periodFaults } from "./period.ts";
import { previewedAlert, silenceEvent, silenceRecord } from "./records.ts";
import { createRegister } from "./register.ts";
import { isOver, matcherFaults, matches, namesHost, readMatchers, type Silence, silenceStatus } from "./silence.ts";
import type { SilenceStore } from "./store.ts";

export interface Silences {
  load(): Promise<void>;
  /** Silences in force and those yet to begin, the next to end first; with `all` also past ones, latest first. */
  list(all: boolean): SilenceList;
  /** Throws `unusable_values`, and `conflict` when there are too many. */
  create(body: SilenceBody): Promise<SilenceRecord>;
  /** Throws `not_found`, and `conflict` when it is already over. */
  cancel(id: number): Promise<void>;
  /** The active alerts that a silence with these matchers would match. */
  preview(matchers: MatchersBody): Promise<Preview>;
  /** The silence that matches an alert; of several, the one that lasts longest. */
  silencing(alert: Alert, now: Date): { id: number; reason: string; until: Date } | undefined;
  /** Does what is due by now. Answers in how many milliseconds the next one begins or ends. Throws `storage_unavailable`. */
  advance(): Promise<number>;
  /** Prevents changes of silences until the answer is called. */
  holdHost(): Promise<() => void>;
  /** Deletes the silences that name a host, in the caller's unit. */
  purgeHost(unit: Kysely<object>, agentId: string): Promise<void>;
  /** To be called after the commit of that. */
  forgetHost(agentId: string): void;
}

export interface SilencesDependencies {
  store: SilenceStore;
  bus: Bus<Event>;
  clock: Clock;
  alerts: () => Iterable<Alert> | AsyncIterable<Alert>;
  groupOf: GroupOf;
  changed: () => void;
}

export function createSilences({ store, bus, clock, alerts, groupOf, changed }: SilencesDependencies): Silences {
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("silences", work);
  const register = createRegister({
    store,
    statusOf: silenceStatus,
    isOver,
    overSince: ({ cancelledAt, endsAt }: Silence) => cancelledAt ?? endsAt,
    holds: ({ matchers }, alert, subjects) => matches(matchers, alert, subjects),
    answer: ({ id, reason, endsAt }) => ({ id, reason, until: endsAt }),
    publish(silence, _from, now) {
      if (silence.published === "expired") bus.publish(silenceEvent("expired", silence, now));
    },
    changed,
    groupOf,
  });
  const ofHost = (agentId: string): Silence[] => register.all().filter(({ matchers }) => namesHost(matchers, agentId));

  return {
    async load() {
      for (const silence of await store.load()) register.put(silence);
    },

    list(all) {
      const now = clock.now();
      const records = (all ? register.all() : register.standing())
        .map((silence) => ({ silence, over: isOver(silenceStatus(silence, now)) }))
        .filter(({ over }) => all || !over)
        .toSorted((a, b) => Number(a.over) - Number(b.over) || (a.over ? -1 : 1) * byEnd(a.silence, b.silence));
      return { silences: records.map(({ silence }) => silenceRecord(silence, now)), total: records.length };
    },

    create: (body) =>
      oneByOne(async () => {
        const now = clock.now();
        const period = { startsAt: body.starts_at === undefined ? now : new Date(body.starts_at), endsAt: new Date(body.ends_at) };
        refuseFaults([...periodFaults(period, now), ...matcherFaults(body.matchers)]);
        if (register.standing().length >= SUPPRESSION_BOUNDS.records) {
          throw new ServiceError(
            "conflict",
            `There are ${SUPPRESSION_BOUNDS.records} silences in force already; cancel some, or use broader matchers.`,
          );
        }
        const planned = {
          ...period,
          reason: body.reason,
          matchers: readMatchers(body.matchers),
          createdBy: body.created_by ?? null,
          createdAt: now,
          cancelledAt: null,
          published: "pending" as const,
        };
        const created = await store.insert({ ...planned, published: silenceStatus({ ...planned, id: 0 }, now) });
        register.put(created);
        bus.publish(silenceEvent("created", created, now));
        changed();
        return silenceRecord(created, now);
      }),

    cancel: (id) =>
      oneByOne(async () => {
        const silence = register.get(id);
        if (silence === undefined) throw new ServiceError("not_found", `There is no silence ${id}.`);
        const now = clock.now();
        const status = silenceStatus(silence, now);
        if (isOver(status)) {
          const since = (silence.cancelledAt ?? silence.endsAt).toISOString();
          throw new ServiceError(
            "conflict",
            `Silence ${id} is over already: it ${status === "expired" ? "expired" : "was cancelled"} at ${since}.`,
          );
        }
        const cancelled: Silence = { ...silence, cancelledAt: now, published: "cancelled" };
        await store.update(cancelled);
        register.put(cancelled);
        bus.publish(silenceEvent("cancelled", cancelled, now));
        changed();
      }),

    async preview(body) {
      refuseFaults(matcherFaults(body));
      const matchers = readMatchers(body);
      const shown: PreviewedAlert[] = [];
      let total = 0;
      for await (const alert of alerts()) {
        if (alert.status !== "active" || !matches(matchers, alert, subjectsOf(alert, groupOf))) continue;
        total += 1;
        if (shown.length < SUPPRESSION_BOUNDS.previewed) shown.push(previewedAlert(alert));
      }
      return { alerts: shown, total };
    },

    silencing: register.holding,

    holdHost: () => hold(serial, "silences"),

    purgeHost: (unit, agentId) =>
      store.purge(
        unit,
        ofHost(agentId).map(({ id }) => id),
      ),

    forgetHost(agentId) {
      const now = clock.now();
      const gone = ofHost(agentId);
      for (const silence of gone) {
        if (register.remove(silence.id))
          bus.publish(silenceEvent("cancelled", { ...silence, cancelledAt: now, published: "cancelled" }, now));
      }
      if (gone.length > 0) changed();
    },

    advance: () => oneByOne(() => register.advance(clock.now())),
  };
}

function byEnd(a: Silence, b: Silence): number {
  return a.endsAt.getTime() - b.endsAt.getTime() || a.id - b.id;
}
