import type { z } from "zod";
import type { Clock } from "../../../platform/clock.ts";
import type { Limiter } from "../../../platform/queues.ts";
import type { Log } from "../../../platform/log.ts";
import { isObject } from "../../../platform/object.ts";
import { type KubernetesClient, type ApiResource, resourceName } from "./client.ts";
import { MOST_ITEMS } from "./list.ts";
import { type FollowedItems, follow, type ReflectorState, STARTING, stateOfAll } from "./follow.ts";

export type { ReflectorState } from "./follow.ts";

/** `listed`: everything may have changed. */
export type ReflectorChange = { kind: "listed" } | { kind: "stored"; id: string } | { kind: "removed"; id: string };

export interface ReflectorOptions<Item, Kept> {
  client: Pick<KubernetesClient, "address" | "stream">;
  resource: ApiResource;
  /** Of one object. In lists objects have neither `kind` nor `apiVersion`. */
  schema: z.ZodType<Item>;
  /** What is held of each in memory. */
  keep: (item: Item) => Kept;
  /** Its uid. */
  idOf: (item: Item) => string;
  /** null: all, with one list and one watch; else one of each a namespace. */
  namespaces: readonly string[] | null;
  fieldSelector?: string;
  onChange: (change: ReflectorChange) => void;
  onState: (state: ReflectorState) => void;
  /** Shared by all reflectors of a cluster. */
  limitLists: Limiter;
  clock: Clock;
  log: Log;
}

/** The objects of a resource as they are, held by lists and watches. What was seen stays until it was seen to be removed. */
export interface Reflector<Kept> {
  start(): void;
  stop(): Promise<void>;
  items(): ReadonlyMap<string, Kept>;
  state(): ReflectorState;
  /** How many objects were left out since the start, since they are not what the schema expects, or too many. */
  skipped(): number;
}

/** Follows a resource once it is started. */
export function createReflector<Item, Kept>(options: ReflectorOptions<Item, Kept>): Reflector<Kept> {
  const { resource, schema, keep, idOf, namespaces, onChange, onState, log } = options;
  const items = new Map<string, Kept>();
  const stopping = new AbortController();
  const scopes = (resource.namespaced ? namespaces : null) ?? [null];
  const states: ReflectorState[] = scopes.map(() => STARTING);
  let state = STARTING;
  let skipped = 0;
  let running: Promise<unknown> | undefined;

  /** An object of an unknown shape: it is there, but cannot be read. */
  function skip(fault: string): undefined {
    skipped += 1;
    if (skipped === 1) log.warn({ resource: resourceName(resource), fault }, "an object is not understood and left out");
    return undefined;
  }

  function read(object: unknown): { id: string; kept: Kept } | undefined {
    const parsed = schema.safeParse(object);
    if (!parsed.success)
      return skip(
        parsed.error.issues
          .map(({ path, message }) => `${path.join(".")}: ${message}`)
          .slice(0, 3)
          .join("; "),
      );
    try {
      return { id: idOf(parsed.data), kept: keep(parsed.data) };
    } catch (error) {
      return skip(String(error));
    }
  }

  function change(what: ReflectorChange): void {
    try {
      onChange(what);
    } catch (err) {
      log.error({ err, resource: resourceName(resource) }, "a change was not handled");
    }
  }

  function setState(index: number, next: ReflectorState): void {
    states[index] = next;
    const all = stateOfAll(states);
    if (all.status === state.status && all.reason === state.reason && all.isListed === state.isListed) return;
    state = all;
    try {
      onState(state);
    } catch (err) {
      log.error({ err, resource: resourceName(resource) }, "a state was not handled");
    }
  }

  /** The items of one scope: another scope's stay as they are when this one is listed again. */
  function itemsOfScope(): FollowedItems {
    let ids = new Set<string>();
    let listing = new Map<string, Kept>();
    let present = new Set<string>();
    return {
      begin() {
        listing = new Map();
        present = new Set();
      },
      add(object) {
        const found = read(object);
        if (found !== undefined) listing.set(found.id, found.kept);
        // It is still there: what is known of it stays.
        else present.add(uidOf(object) ?? "");
      },
      commit({ isWhole }) {
        const remaining = new Set<string>();
        for (const id of ids) {
          if (listing.has(id) || present.has(id) || !isWhole) remaining.add(id);
          else items.delete(id);
        }
        for (const [id, kept] of listing) {
          if (items.size >= MOST_ITEMS && !items.has(id)) continue;
          items.set(id, kept);
          remaining.add(id);
        }
        ids = remaining;
        listing = new Map();
        change({ kind: "listed" });
      },
      store(object) {
        const found = read(object);
        if (found === undefined) return;
        if (items.size >= MOST_ITEMS && !items.has(found.id)) return void skip(`there are more than ${MOST_ITEMS}`);
        items.set(found.id, found.kept);
        ids.add(found.id);
        change({ kind: "stored", id: found.id });
      },
      remove(object) {
        const id = uidOf(object);
        if (id === undefined || !ids.delete(id)) return;
        items.delete(id);
        change({ kind: "removed", id });
      },
    };
  }

  return {
    start() {
      running ??= Promise.all(
        scopes.map((namespace, index) =>
          follow({
            ...options,
            namespace,
            items: itemsOfScope(),
            onState: (next) => setState(index, next),
            signal: stopping.signal,
          }),
        ),
      );
    },
    async stop() {
      stopping.abort();
      await running;
    },
    items: () => items,
    state: () => state,
    skipped: () => skipped,
  };
}

function uidOf(object: unknown): string | undefined {
  const metadata = isObject(object) ? object["metadata"] : undefined;
  const uid = isObject(metadata) ? metadata["uid"] : undefined;
  return typeof uid === "string" ? uid : undefined;
}
