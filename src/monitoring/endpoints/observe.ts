import {
  askedOf,
  type ContainerSighting,
  isProbed,
  labelEndpointKey,
  type LabelledEndpoint,
  type Observation,
} from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Serial } from "../../platform/queues.ts";
import { isBeside, type PresentContainers, type SavedContainer } from "../containers/index.ts";
import { type Check, toCheck } from "./checks/head.ts";
import { isChecked, longestMs, type SavedEndpoint, alertsOf } from "./endpoint.ts";
import type { LateChecks, Past } from "./record.ts";
import type { Projection } from "./projection.ts";
import { deactivated, ended, reconcile, type SeenContainer, type Step } from "./definition.ts";
import { ONE_BY_ONE, type Register, type TakenCheck } from "./register.ts";

/** Changes saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 100;
/** Checks saved in one go, but for those that one host says at once. */
const MOST_AT_ONCE = 500;

/** The live door: may change state, and publishes the change. */
export interface EndpointObserver {
  /** Saves what observations of one host change, then publishes it. Throws `storage_unavailable`; idempotent. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Moves the endpoints of a container to its new host, in place of those of the row that it absorbed there. Throws `storage_unavailable`. */
  moved(id: number, absorbedId: number): Promise<void>;
  forgetHost(agentId: string): void;
}

export interface ObserverParts {
  projection: Projection;
  register: Register;
  past: Past;
  /** They know already what the same observations say of containers. */
  present: Pick<PresentContainers, "find" | "get">;
  clock: Clock;
  serial: Serial;
}

type Checked = Observation & { kind: "endpoint.checked" };

interface WaitingChecks {
  agentId: string | null;
  checked: readonly Checked[];
  resolve(): void;
  reject(error: unknown): void;
}

/** What says something of endpoints. */
const CONCERNED: ReadonlySet<Observation["kind"]> = new Set([
  "container.inventory",
  "container.seen",
  "container.gone",
  "endpoint.checked",
]);

export function createObserver({ projection, register, past, present, clock, serial }: ObserverParts): EndpointObserver {
  /** When each container was seen last, by its host's clock: older news say nothing. */
  const seenAt = new Map<string | null, Map<string, number>>();

  /** Containers that are there beside the one whose endpoints they may take over, as they were seen last. */
  const beside = new Map<string | null, Map<string, ContainerSighting>>();

  /** Of hosts whose checks wait for their turn. */
  const waiting: WaitingChecks[] = [];

  async function handle(agentId: string | null, observations: readonly Observation[]): Promise<void> {
    for (const run of splitByKind(observations.filter(({ kind }) => CONCERNED.has(kind)))) {
      const checked = run.filter((each) => each.kind === "endpoint.checked");
      if (checked.length > 0) await takeInTurn(agentId, checked);
      else
        await serial(ONE_BY_ONE, async () => {
          for (const each of run) {
            const absorbed = absorbedBy(agentId, each);
            if (absorbed.length > 0) await register.remove(absorbed, clock.now());
            await change(stepsOf(agentId, each));
          }
        });
    }
  }

  /** Checks of all hosts that wait when it is their turn are taken in one go: otherwise each would have its own commit. */
  function takeInTurn(agentId: string | null, checked: readonly Checked[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (waiting.push({ agentId, checked, resolve, reject }) === 1) void serial(ONE_BY_ONE, takeWaiting);
    return promise;
  }

  /** Never throws: each caller's own promise is resolved or rejected. */
  async function takeWaiting(): Promise<void> {
    let count = 0;
    const rest = waiting.findIndex(({ checked }) => (count += checked.length) > MOST_AT_ONCE);
    const all = waiting.splice(0, rest === -1 ? waiting.length : Math.max(rest, 1));
    if (waiting.length > 0) void serial(ONE_BY_ONE, takeWaiting);
    try {
      await takeChecks(all);
      for (const { resolve } of all) resolve();
    } catch (error) {
      if (all.length === 1 || isServiceError(error, "storage_unavailable")) for (const { reject } of all) reject(error);
      // What cannot be understood of one host must not take the others with it.
      else for (const each of all) await takeChecks([each]).then(each.resolve, each.reject);
    }
  }

  async function change(steps: readonly Step[]): Promise<void> {
    for (let from = 0; from < steps.length; from += CHUNK) {
      await register.change(steps.slice(from, from + CHUNK), clock.now());
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Of rows that went when their containers took the place of others, whose endpoints continue. */
  function absorbedBy(agentId: string | null, observation: Observation): SavedEndpoint[] {
    const isAbsorbed = ({ container }: SavedEndpoint): boolean => container?.id != null && present.get(container.id) === undefined;
    return sightingsOf(observation)
      .filter(({ externalId }) => present.find(agentId, externalId) !== undefined)
      .flatMap(({ externalId, endpoints }) =>
        endpoints.flatMap(({ labelKey }) => projection.find(agentId, labelEndpointKey(externalId, labelKey)) ?? []),
      )
      .filter(isAbsorbed);
  }

  function stepsOf(agentId: string | null, observation: Observation): Step[] {
    switch (observation.kind) {
      case "container.inventory":
        forgetUnlisted(agentId, observation);
        return [
          ...observation.containers.flatMap((sighting) => seen(agentId, sighting, observation.observedAt)),
          ...takenOver(agentId),
          ...gone(agentId),
        ];
      case "container.seen": {
        const { externalId } = observation.container;
        const known = seenAt.get(agentId)?.get(externalId) ?? -Infinity;
        const isOld = observation.observedAt.getTime() < known;
        return [...(isOld ? [] : seen(agentId, observation.container, observation.observedAt)), ...takenOver(agentId)];
      }
      case "container.gone":
        seenAt.get(agentId)?.delete(observation.externalId);
        return [...takenOver(agentId), ...gone(agentId)];
      default:
        return [];
    }
  }

  function forgetUnlisted(
    agentId: string | null,
    { containers, unread = [], observedAt }: Observation & { kind: "container.inventory" },
  ): void {
    const times = seenAt.get(agentId);
    const listed = new Set([...unread, ...containers.map(({ externalId }) => externalId)]);
    for (const [externalId, atMs] of times ?? []) if (!listed.has(externalId) && atMs <= observedAt.getTime()) times?.delete(externalId);
  }

  function seen(agentId: string | null, sighting: ContainerSighting, at: Date): Step[] {
    const container = present.find(agentId, sighting.externalId);
    if (container === undefined) return [];
    if (isBeside(container)) {
      keepBeside(agentId, sighting);
      return [];
    }
    let times = seenAt.get(agentId);
    if (times === undefined) seenAt.set(agentId, (times = new Map()));
    times.set(sighting.externalId, at.getTime());
    const known = projection.ofContainer(container.id);
    const wanted = askedOf({ ...sighting, settings: container.settings }).endpoints;
    if (known.length === 0 && wanted.length === 0) return [];
    return reconcile(known, seenContainer(container, wanted), clock.now());
  }

  function keepBeside(agentId: string | null, sighting: ContainerSighting): void {
    let ofHost = beside.get(agentId);
    if (ofHost === undefined) beside.set(agentId, (ofHost = new Map()));
    ofHost.set(sighting.externalId, sighting);
  }

  /** Of containers that have taken the place of another since they were seen. */
  function takenOver(agentId: string | null): Step[] {
    return [...(beside.get(agentId)?.values() ?? [])].flatMap((sighting) => {
      const container = present.find(agentId, sighting.externalId);
      if (container !== undefined && isBeside(container)) return [];
      beside.get(agentId)?.delete(sighting.externalId);
      return seen(agentId, sighting, container?.lastObservedAt ?? clock.now());
    });
  }

  /** Of containers that are gone: nobody checks them while they may be re-created, and after that they are over. */
  function gone(agentId: string | null): Step[] {
    const now = clock.now();
    return [...projection.labelledOf(agentId)].flatMap((endpointId) => {
      const previous = projection.get(endpointId);
      if (previous?.container?.id == null || previous.inactiveSince !== null) return [];
      const container = present.get(previous.container.id);
      if (container?.archivedAt === null) return [];
      if (container !== undefined) return ended(previous, now);
      seenAt.get(agentId)?.delete(previous.container.externalId);
      return [{ previous, next: deactivated(previous, now) }];
    });
  }

  /** Results of what is not checked any more, or was asked otherwise by then, are left out; those that are not newer go to the past. */
  async function takeChecks(all: readonly WaitingChecks[]): Promise<void> {
    const byHost = Map.groupBy(all, ({ agentId }) => agentId);
    const sorted = [...byHost].map(([agentId, waitingOfHost]) =>
      sortChecks(
        agentId,
        waitingOfHost.flatMap(({ checked }) => checked),
      ),
    );
    await register.take(sorted.map(({ taken }) => taken));
    for (const { late } of sorted) {
      const ofPast = [...late].flatMap(([endpointId, checks]): LateChecks[] => {
        const endpoint = projection.get(endpointId);
        return endpoint === undefined ? [] : [{ endpointId, checks, longestMs: longestMs(endpoint.check) }];
      });
      if (ofPast.length > 0) await past.add(ofPast);
    }
  }

  /** What speaks for now, and what came late. */
  function sortChecks(agentId: string | null, checked: readonly Checked[]): { taken: TakenCheck[]; late: Map<number, Check[]> } {
    const taken: TakenCheck[] = [];
    const late = new Map<number, Check[]>();
    const newest = new Map<number, number>();
    const nowMs = clock.now().getTime();
    for (const { key, observedAt, result } of checked) {
      const endpoint = projection.find(agentId, key);
      if (endpoint === undefined || !isChecked(endpoint)) continue;
      const { id, state } = endpoint;
      const each = { endpointId: id, check: toCheck(result, observedAt), certificate: result.certificate };
      // Begun before it was defined as it is now.
      const sinceMs = state.statusSince.getTime();
      if (agentId === null && state.status === "unknown" && sinceMs <= nowMs && each.check.atMs < sinceMs) continue;
      const knownMs = newest.get(id) ?? state.lastCheckAt?.getTime() ?? -Infinity;
      // What is known to be of the future was seen before the clock was set back.
      if (each.check.atMs > knownMs || knownMs > nowMs) {
        newest.set(id, each.check.atMs);
        taken.push(each);
      } else {
        late.set(id, [...(late.get(id) ?? []), each.check]);
      }
    }
    return { taken, late };
  }

  async function takeAlong(id: number, absorbedId: number): Promise<void> {
    const container = present.get(id);
    const absorbed = projection.ofContainer(absorbedId);
    // Without any it is not seen yet what its labels ask for there.
    if (container === undefined || absorbed.length === 0) return;
    await register.remove(absorbed, clock.now());
    const wanted = absorbed.flatMap(({ labelKey, check, inactiveSince }) =>
      labelKey === null || inactiveSince !== null ? [] : [{ labelKey, check }],
    );
    await change(reconcile(projection.ofContainer(id), seenContainer(container, wanted), clock.now()));
  }

  return {
    observe: handle,
    moved: (id, absorbedId) => serial(ONE_BY_ONE, () => takeAlong(id, absorbedId)),
    forgetHost(agentId) {
      seenAt.delete(agentId);
      beside.delete(agentId);
    },
  };
}

function seenContainer(container: SavedContainer, endpoints: readonly LabelledEndpoint[]): SeenContainer {
  const { agentId, externalId, id, name, labels, state } = container;
  return { agentId, container: { externalId, id, name, labels, running: isProbed(state) }, alerts: alertsOf(container), endpoints };
}

function sightingsOf(observation: Observation): readonly ContainerSighting[] {
  if (observation.kind === "container.inventory") return observation.containers;
  return observation.kind === "container.seen" ? [observation.container] : [];
}

/** Runs of checks, and runs of everything else. */
function splitByKind(observations: readonly Observation[]): Observation[][] {
  const runs: Observation[][] = [];
  for (const each of observations) {
    const last = runs.at(-1);
    const isSame = last !== undefined && (last[0]?.kind === "endpoint.checked") === (each.kind === "endpoint.checked");
    if (isSame) last.push(each);
    else runs.push([each]);
  }
  return runs;
}
