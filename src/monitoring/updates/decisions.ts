import { DAY_MS } from "../../contract/time.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import { createSerial, hold } from "../../platform/queues.ts";
import type { ExclusionList, ExclusionRecord, PinRecord } from "./answers.ts";
import { pinEvent } from "./changes.ts";
import { excludes } from "../../contract/image-pattern.ts";
import { type Exclusion, hostOf, type Pin } from "./known-image.ts";
import type { Entry, UpdateProjection } from "./projection.ts";
import type { UpdateStore } from "./store.ts";
import type { Watch } from "./watch.ts";

/** What people decide about updates. It holds at once. */
export interface Decisions {
  /** As they are in the database, which another program may share. */
  load(): Promise<void>;
  /** Keeps a container at what it runs; `isNew` is false when it was pinned already, and has a new reason now. Throws `not_found`. */
  pin(containerId: number, reason: string | null): Promise<{ record: PinRecord; isNew: boolean }>;
  /** Throws `not_found`. */
  unpin(containerId: number): Promise<void>;
  exclusions(): ExclusionList;
  /** Throws `duplicate_name`, and `conflict` when there are too many. */
  exclude(image: string): Promise<ExclusionRecord>;
  /** Throws `not_found`. */
  include(id: number): Promise<void>;
  /** Forgets pins of containers that have long been gone. */
  prune(): Promise<void>;
  /** Lets none change until the answer is called. */
  hold(): Promise<() => void>;
  forgetHost(agentId: string): void;
}

export interface DecisionsParts {
  store: UpdateStore;
  projection: UpdateProjection;
  watch: Pick<Watch, "refresh">;
  bus: Bus<Event>;
  clock: Clock;
}

export const MOST_EXCLUSIONS = 1000;
const KEPT_MS = 400 * DAY_MS;

export function createDecisions({ store, projection, watch, bus, clock }: DecisionsParts): Decisions {
  const serial = createSerial();
  const oneByOne = <Result>(work: () => Promise<Result>): Promise<Result> => serial("decisions", work);

  function entryOf(containerId: number): Entry {
    const entry = projection.get(containerId);
    if (entry === undefined) throw new ServiceError("not_found", `There is no container ${containerId} that is checked for updates.`);
    return entry;
  }

  function matchesOf(image: string): number[] {
    return [...projection.all()].filter(({ container }) => excludes(image, container.image)).map(({ container }) => container.id);
  }

  function exclusionRecord({ id, image, at }: Exclusion): ExclusionRecord {
    return { id, image, matches: matchesOf(image).length, created_at: at.toISOString() };
  }

  /** Publishes the decision with the current state, and then what that changed. */
  function publishPin(what: "pinned" | "unpinned", containerId: number, reason: string | null): void {
    const { after } = projection.peek(containerId);
    if (after !== undefined) bus.publish(pinEvent(what, after, { at: clock.now(), reason }));
    watch.refresh([containerId]);
  }

  return {
    load: () =>
      oneByOne(async () => {
        const pins = await store.pins();
        const exclusions = await store.exclusions();
        for (const pin of [...projection.pins.all()]) projection.pins.remove(pin);
        for (const pin of pins) projection.pins.put(pin);
        projection.exclusions.clear();
        for (const exclusion of exclusions) projection.exclusions.set(exclusion.id, exclusion);
      }),

    pin: (containerId, reason) =>
      oneByOne(async () => {
        const { container, known, pin: held } = entryOf(containerId);
        const wanted: Omit<Pin, "id"> = {
          host: hostOf(container.agentId),
          containerId,
          containerName: container.name,
          reason,
          tag: known?.reference?.tag ?? null,
          digest: container.imageDigest,
          at: held?.at ?? clock.now(),
        };
        const saved = await store.savePin(wanted, held?.id);
        if (held !== undefined) projection.pins.remove(held);
        projection.pins.put(saved);
        publishPin("pinned", containerId, reason);
        const record = { container_id: containerId, container_name: container.name, pinned_at: saved.at.toISOString(), reason };
        return { record: { ...record, tag: saved.tag, digest: saved.digest }, isNew: held === undefined };
      }),

    unpin: (containerId) =>
      oneByOne(async () => {
        const { pin, container } = entryOf(containerId);
        if (pin === undefined) throw new ServiceError("not_found", `${container.name} is not pinned.`);
        await store.deletePins([pin.id]);
        projection.pins.remove(pin);
        publishPin("unpinned", containerId, null);
      }),

    exclusions() {
      const exclusions = [...projection.exclusions.values()].map(exclusionRecord);
      return { exclusions, total: exclusions.length };
    },

    exclude: (image) =>
      oneByOne(async () => {
        if (projection.exclusions.size >= MOST_EXCLUSIONS)
          throw new ServiceError("conflict", `There are ${MOST_EXCLUSIONS} exclusions already; delete some.`);
        const saved = await store.addExclusion(image, clock.now());
        if (saved === undefined) throw new ServiceError("duplicate_name", `${image} is excluded already.`);
        projection.exclusions.set(saved.id, saved);
        watch.refresh(matchesOf(image));
        return exclusionRecord(saved);
      }),

    include: (id) =>
      oneByOne(async () => {
        const exclusion = projection.exclusions.get(id);
        if (exclusion === undefined) throw new ServiceError("not_found", `There is no exclusion ${id}.`);
        await store.deleteExclusion(id);
        projection.exclusions.delete(id);
        watch.refresh(matchesOf(exclusion.image));
      }),

    hold: () => hold(serial, "decisions"),

    forgetHost(agentId) {
      for (const pin of [...projection.pins.all()]) if (pin.host === agentId) projection.pins.remove(pin);
    },

    prune: () =>
      oneByOne(async () => {
        const held = new Set([...projection.all()].map(({ pin }) => pin?.id));
        const before = clock.now().getTime() - KEPT_MS;
        const old = [...projection.pins.all()].filter(({ id, at }) => !held.has(id) && at.getTime() < before);
        if (old.length === 0) return;
        await store.deletePins(old.map(({ id }) => id));
        for (const pin of old) projection.pins.remove(pin);
      }),
  };
}
