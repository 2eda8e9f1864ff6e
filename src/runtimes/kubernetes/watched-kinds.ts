import { MINUTE_MS } from "../../contract/time.ts";
import type { KubernetesObjectKind, KubernetesStanding } from "../../observations/kubernetes.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { createLimiter } from "../../platform/queues.ts";
import {
  type ApiResource,
  createReflector,
  type KubernetesClient,
  type Reflector,
  type ReflectorChange,
  type ReflectorState,
  resourceName,
} from "./client/index.ts";
import { type Identified, RESOURCES, STORED_KINDS, type WatchedResource } from "./resources.ts";
import type { StoredKind } from "./view/index.ts";

/** More at once are read no sooner, and hold up all else. */
const LISTS_AT_ONCE = 3;
/** An API server that is busy, or is exchanged, does not answer for a while. */
const UNSEEN_AFTER_MS = MINUTE_MS;

type AnyReflector = Reflector<unknown>;

export interface WatchedKindsOptions {
  client: KubernetesClient;
  clock: Clock;
  log: Log;
  /** Only these; empty: all. */
  namespaces: readonly string[];
  excludeNamespaces: readonly string[];
  onChange(kind: StoredKind, change: ReflectorChange): void;
  /** More or less of a kind can be read than before. */
  onState(kind: StoredKind): void;
}

/** The kinds of objects of a cluster that are watched, each by a reflector in the version that the cluster had. */
export class WatchedKinds {
  readonly #options: WatchedKindsOptions;
  readonly #watched = new Map<StoredKind, { version: string; reflector: AnyReflector }>();
  readonly #limitLists = createLimiter(LISTS_AT_ONCE);
  /** Since when kinds do not answer. */
  readonly #awaySinceMs = new Map<StoredKind, number>();

  constructor(options: WatchedKindsOptions) {
    this.#options = options;
  }

  /** Begins with what is not watched yet, or in a version that the cluster has no more. */
  watchAll(found: ReadonlyMap<string, ApiResource>): void {
    for (const kind of STORED_KINDS) {
      const wanted: WatchedResource<Identified, unknown> = RESOURCES[kind];
      const resource = found.get(wanted.kind);
      const present = this.#watched.get(kind);
      if (resource === undefined || present?.version === resource.version) continue;
      if (present !== undefined) {
        if (present.reflector.state().status !== "absent") continue;
        void present.reflector.stop();
      }
      const reflector = this.#reflectorOf(kind, wanted, resource);
      this.#watched.set(kind, { version: resource.version, reflector });
      reflector.start();
    }
  }

  reflector(kind: StoredKind): AnyReflector | undefined {
    return this.#watched.get(kind)?.reflector;
  }

  /** The cluster has none of the kind, or it may not be read. */
  isAbsent(kind: StoredKind): boolean {
    const status = this.reflector(kind)?.state().status;
    return status === undefined || status === "refused" || status === "absent";
  }

  /** Nothing of it has to be waited for. */
  isSettled(): boolean {
    return this.#states().every(({ isListed, status }) => isListed || status === "refused" || status === "absent");
  }

  /** By what all kinds say together. */
  standing(): { standing: Exclude<KubernetesStanding, "standby">; reason: string | null } {
    const states = this.#states().filter(({ status }) => status !== "absent");
    const away = states.filter(({ status }) => status === "unreachable");
    const asked = states.filter(({ status }) => status !== "refused");
    if (states.length > 0 && asked.length === 0) return { standing: "denied", reason: states[0]?.reason ?? null };
    if (asked.length > 0 && away.length === asked.length) return { standing: "unreachable", reason: away[0]?.reason ?? null };
    return { standing: "watching", reason: null };
  }

  /** Kinds that are refused, or that alone have not answered for a minute. */
  unseen(): { kind: KubernetesObjectKind; reason: string }[] {
    const unseen = new Map<KubernetesObjectKind, string>();
    for (const [kind, { reflector }] of this.#watched) {
      const state = reflector.state();
      const { shows, group } = RESOURCES[kind];
      if (!this.#isUnread(kind, state) || shows === null || unseen.has(shows)) continue;
      unseen.set(shows, state.reason ?? `${resourceName({ group, plural: kind.toLowerCase() })} cannot be read.`);
    }
    return [...unseen].map(([kind, reason]) => ({ kind, reason }));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ reflector }) => reflector.stop()));
  }

  #states(): ReflectorState[] {
    return [...this.#watched.values()].map(({ reflector }) => reflector.state());
  }

  /** Whether a kind is not read, and not just for a moment. */
  #isUnread(kind: StoredKind, { status }: ReflectorState): boolean {
    const sinceMs = this.#awaySinceMs.get(kind);
    return status === "refused" || (sinceMs !== undefined && this.#options.clock.monotonicMs() - sinceMs >= UNSEEN_AFTER_MS);
  }

  /** Namespaces that are not watched, where the API server can leave them out itself. */
  #exclusions({ namespaced, kind }: ApiResource): string[] {
    const { namespaces, excludeNamespaces } = this.#options;
    const field = namespaced ? "metadata.namespace" : kind === "Namespace" ? "metadata.name" : undefined;
    return field === undefined || namespaces.length > 0 ? [] : excludeNamespaces.map((name) => `${field}!=${name}`);
  }

  #reflectorOf(
    kind: StoredKind,
    { schema, keep, fieldSelector }: WatchedResource<Identified, unknown>,
    resource: ApiResource,
  ): AnyReflector {
    const { client, clock, log, namespaces, onChange } = this.#options;
    const selector = [...(fieldSelector === undefined ? [] : [fieldSelector]), ...this.#exclusions(resource)].join(",");
    return createReflector({
      client,
      resource,
      schema,
      keep,
      idOf: ({ metadata }) => metadata.uid,
      namespaces: namespaces.length === 0 ? null : namespaces,
      ...(selector !== "" && { fieldSelector: selector }),
      onChange: (change) => onChange(kind, change),
      onState: (state) => this.#noteState(kind, state),
      limitLists: this.#limitLists,
      clock,
      log,
    });
  }

  #noteState(kind: StoredKind, { status }: ReflectorState): void {
    const { clock, onState } = this.#options;
    if (status !== "unreachable") this.#awaySinceMs.delete(kind);
    else if (!this.#awaySinceMs.has(kind)) this.#awaySinceMs.set(kind, clock.monotonicMs());
    onState(kind);
  }
}
