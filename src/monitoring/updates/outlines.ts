import { DAY_MS } from "../../contract/time.ts";
import type { Clock } from "../../platform/clock.ts";
import type { EnrichmentDetails, Outline } from "./enrichment.ts";
import type { KeptOutline } from "./rows.ts";
import type { UpdateStore } from "./store.ts";

/** What a study found in short, and when that was. */
type KnownOutline = Omit<KeptOutline, "subject">;

/** What studies of images found, in memory. The details of each are in the database only. */
export interface Outlines {
  load(): Promise<void>;
  get(key: string): KnownOutline | undefined;
  save(key: string, outline: Outline, details: EnrichmentDetails): Promise<void>;
  /** Forgets what no container has needed for a week. */
  prune(needed: ReadonlySet<string>): Promise<void>;
}

export interface OutlinesParts {
  store: Pick<UpdateStore, "outlines" | "saveEnrichment" | "forget">;
  clock: Clock;
}

/** How long something is kept that is not needed, or that a later study could not find again. */
export const KEPT_MS = 7 * DAY_MS;

export function createOutlines({ store, clock }: OutlinesParts): Outlines {
  const outlines = new Map<string, KnownOutline>();
  return {
    async load() {
      for (const { subject, outline, checkedAt } of await store.outlines()) outlines.set(subject, { outline, checkedAt });
    },
    get: (key) => outlines.get(key),
    async save(key, outline, details) {
      await store.saveEnrichment(key, outline, details, clock.now());
      outlines.set(key, { outline, checkedAt: clock.now() });
    },
    async prune(needed) {
      const limit = clock.now().getTime() - KEPT_MS;
      const old = [...outlines].filter(([key, { checkedAt }]) => !needed.has(key) && checkedAt.getTime() < limit).map(([key]) => key);
      await store.forget("update_enrichments", old);
      for (const key of old) outlines.delete(key);
    },
  };
}
