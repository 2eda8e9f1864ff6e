import type { CertificateScan, CertificateTarget } from "../../observations.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Serial } from "../../platform/serial.ts";
import { certificateEvents, createdEvent, deletedEvents } from "./changes.ts";
import { type Certificate, nextCheckAt, notChecked, type SavedCertificate, targetKey } from "./certificate.ts";
import type { SavedCheck } from "./rows.ts";
import type { CertificateStore } from "./store.ts";
import { applyScan, type CertificateChange, raisedAlerts } from "./verdict.ts";

/** What a caller may set; the state follows from it. */
export type Settings = Partial<Omit<Certificate, "state" | "createdAt">>;

/** All certificates as they were last saved, in memory; what becomes of them is decided, saved and then told here. */
export interface Register {
  load(): Promise<void>;
  get(id: number): SavedCertificate | undefined;
  /** Of the local host. */
  find(target: CertificateTarget): SavedCertificate | undefined;
  all(): Iterable<SavedCertificate>;
  /** Saves a new one, due at `dueAt`; undefined when its peer is watched already. */
  create(settings: Omit<Certificate, "state" | "createdAt" | "updatedAt">, now: Date, dueAt: Date): Promise<SavedCertificate | undefined>;
  /** Another address begins anew; undefined when it is watched already, or the certificate is gone. */
  change(id: number, settings: Settings, now: Date): Promise<SavedCertificate | undefined>;
  /** What a scan of a target makes of a certificate; undefined when it was deleted or has another target by now. */
  take(id: number, target: CertificateTarget, scan: CertificateScan, now: Date): Promise<SavedCheck | undefined>;
  remove(id: number, now: Date): Promise<void>;
}

export function createRegister({
  store,
  bus,
  serial,
  random,
}: {
  store: CertificateStore;
  bus: Bus<Event>;
  serial: Serial;
  /** From 0 to 1. */
  random: () => number;
}): Register {
  const byId = new Map<number, SavedCertificate>();
  const byTarget = new Map<string, number>();

  function put(certificate: SavedCertificate): void {
    const known = byId.get(certificate.id);
    if (known !== undefined) byTarget.delete(targetKey(known));
    byId.set(certificate.id, certificate);
    if (certificate.agentId === null) byTarget.set(targetKey(certificate), certificate.id);
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
    find(target) {
      const id = byTarget.get(targetKey(target));
      return id === undefined ? undefined : byId.get(id);
    },
    all: () => byId.values(),

    async create(settings, now, dueAt) {
      const certificate = { ...settings, createdAt: now, updatedAt: now, state: { ...notChecked(now), nextCheckAt: dueAt } };
      const id = await store.insert(certificate);
      if (id === undefined) return undefined;
      const saved = { ...certificate, id };
      put(saved);
      bus.publish(createdEvent(saved, now));
      return saved;
    },

    change: (id, settings, now) =>
      about(id, async (previous) => {
        const changed = { ...previous, ...settings, id };
        const isSamePeer = targetKey(changed) === targetKey(previous);
        const changes: CertificateChange[] = isSamePeer
          ? []
          : raisedAlerts(previous.state.raised).map((alert) => ({ what: "recovery", alert, reason: "changed" }));
        const next = isSamePeer ? changed : { ...changed, state: notChecked(now) };
        if (!(await store.update(next))) return undefined;
        put(next);
        for (const event of certificateEvents(next, { previousStatus: previous.state.status, changes, at: now })) bus.publish(event);
        return next;
      }),

    take: (id, target, scan, now) =>
      about(id, async (previous) => {
        if (targetKey(previous) !== targetKey(target)) return undefined;
        const { next: state, changes } = applyScan(previous, scan, now);
        const next = { ...previous, state: { ...state, nextCheckAt: nextCheckAt(previous, state, now, random()) } };
        const checkId = await store.saveCheck(next, scan, now);
        put(next);
        for (const event of certificateEvents(next, { previousStatus: previous.state.status, changes, at: now })) bus.publish(event);
        return { id: checkId, status: state.status, error: state.lastError, facts: scan.leaf === null ? null : scan, at: now };
      }),

    async remove(id, now) {
      await about(id, async (certificate) => {
        await store.remove(id);
        byId.delete(id);
        byTarget.delete(targetKey(certificate));
        for (const event of deletedEvents(certificate, now)) bus.publish(event);
      });
    },
  };
}
