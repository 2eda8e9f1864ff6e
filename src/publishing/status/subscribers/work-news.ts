import type { MaintenanceRecord } from "../../../alerting/suppression/answers.ts";
import type { Clock } from "../../../platform/clock.ts";
import { createSerial } from "../../../platform/queues.ts";
import { type NewNotice, type WorkKind, nextStep, type AnnouncedWork, type Work } from "./notice.ts";
import type { NoticeStore } from "./notice-store.ts";

export interface WorkNewsDependencies {
  store: NoticeStore;
  /** All of them, also those that are over. */
  windows: () => readonly MaintenanceRecord[];
  isOnPage: (component: number) => boolean;
  namesOf: (components: readonly number[]) => string[];
  clock: Clock;
}

/** Announces what is new of maintenance windows, by comparing, so that nothing is lost or announced twice after an absence. */
export interface WorkNewsAnnouncer {
  load(): Promise<void>;
  /** Answers whether there is news. Throws `storage_unavailable`. */
  announce(): Promise<boolean>;
  /** Forgets windows that are over and gone. */
  forget(): Promise<void>;
}

export function createWorkNews({ store, windows, isOnPage, namesOf, clock }: WorkNewsDependencies): WorkNewsAnnouncer {
  const announced = new Map<number, AnnouncedWork>();
  const serial = createSerial();

  async function load(): Promise<void> {
    const works = await store.announcedWorks();
    announced.clear();
    for (const work of works) announced.set(work.id, work);
  }

  async function announceAll(): Promise<boolean> {
    const now = clock.now();
    const listed = new Map(windows().map((window) => [window.id, window]));
    let isNews = false;
    for (const id of new Set([...listed.keys(), ...announced.keys()])) {
      const window = listed.get(id);
      const before = announced.get(id);
      const step = nextStep(before, window && workOf(window), now);
      if (step === undefined) continue;
      // With nothing on the page only the end is announced, to whoever got the announcement.
      if (window !== undefined && !window.components.some(isOnPage)) {
        if (before === undefined || step.next.status !== "ended") continue;
        step.next.components = before.components;
      }
      const notice = step.kind === null ? undefined : noticeOf(step.kind, step.next, window?.description ?? "", now);
      if (!(await store.saveAnnounced(step.next, notice, now))) {
        // Another process of the same database announced it; what else it announced is seen the next time.
        await load();
        return isNews;
      }
      announced.set(id, step.next);
      isNews ||= notice !== undefined;
    }
    return isNews;
  }

  function noticeOf(
    kind: WorkKind,
    { id, title, startsAt, endsAt, components, version }: AnnouncedWork,
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
    announce: () => serial("announce", announceAll),
    forget: () =>
      serial("announce", async () => {
        const listed = new Set(windows().map(({ id }) => id));
        const gone = [...announced.values()].filter(({ id, status }) => status === "ended" && !listed.has(id)).map(({ id }) => id);
        await store.forgetWorks(gone);
        for (const id of gone) announced.delete(id);
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
