import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createSerial } from "../../../platform/queues.ts";
import { type NewNotice, type WorkKind, nextStep, type ToldWork, type Work } from "./notice.ts";
import type { NoticeStore } from "./notice-store.ts";

export interface WorkNewsDependencies {
  store: NoticeStore;
  /** All of them, also those that are over. */
  windows: () => readonly MaintenanceRecord[];
  isOnPage: (component: number) => boolean;
  namesOf: (components: readonly number[]) => string[];
  clock: Clock;
}

/** Tells of maintenance windows what was not told yet: by comparing, so that nothing is lost or told twice when we were away. */
export interface WorkNewsTeller {
  load(): Promise<void>;
  /** Answers whether there is news. Throws `storage_unavailable`. */
  tell(): Promise<boolean>;
  /** Forgets windows that are over and gone. */
  forget(): Promise<void>;
}

export function createWorkNews({ store, windows, isOnPage, namesOf, clock }: WorkNewsDependencies): WorkNewsTeller {
  const told = new Map<number, ToldWork>();
  const serial = createSerial();

  async function load(): Promise<void> {
    const works = await store.toldWorks();
    told.clear();
    for (const work of works) told.set(work.id, work);
  }

  async function tellAll(): Promise<boolean> {
    const now = clock.now();
    const listed = new Map(windows().map((window) => [window.id, window]));
    let isNews = false;
    for (const id of new Set([...listed.keys(), ...told.keys()])) {
      const window = listed.get(id);
      // Those of components that are not on the page are nobody's business.
      if (window !== undefined && !window.components.some(isOnPage)) continue;
      const step = nextStep(told.get(id), window && workOf(window), now);
      if (step === undefined) continue;
      const notice = step.kind === null ? undefined : noticeOf(step.kind, step.next, window?.description ?? "", now);
      if (!(await store.tellWork(step.next, notice, now))) {
        // Another program of the same database told it; what else it told is seen the next time.
        await load();
        return isNews;
      }
      told.set(id, step.next);
      isNews ||= notice !== undefined;
    }
    return isNews;
  }

  function noticeOf(
    kind: WorkKind,
    { id, title, startsAt, endsAt, components, version }: ToldWork,
    description: string,
    at: Date,
  ): NewNotice {
    return {
      key: `maintenance:${id}:${version}`,
      notice: {
        about: "maintenance",
        id,
        kind,
        title,
        description,
        startsAt: startsAt.toISOString(),
        endsAt: endsAt.toISOString(),
        components: namesOf(components),
      },
      components,
      at,
    };
  }

  return {
    load,
    tell: () => serial("tell", tellAll),
    forget: () =>
      serial("tell", async () => {
        const listed = new Set(windows().map(({ id }) => id));
        const gone = [...told.values()].filter(({ id, status }) => status === "ended" && !listed.has(id)).map(({ id }) => id);
        await store.forgetWorks(gone);
        for (const id of gone) told.delete(id);
      }),
  };
}

function workOf({
  id,
  status,
  title,
  description,
  starts_at: startsAt,
  ends_at: endsAt,
  components,
  updated_at: updatedAt,
}: MaintenanceRecord): Work {
  return {
    id,
    status,
    title,
    description,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    components,
    updatedAt: new Date(updatedAt),
  };
}
