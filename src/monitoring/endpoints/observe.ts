import type { ContainerSighting, LabelledEndpoint, Observation } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Serial } from "../../platform/serial.ts";
import type { PresentContainers, SavedContainer } from "../containers/index.ts";
import { alertsOf } from "./alerts.ts";
import { toCheck } from "./checks/check.ts";
import { isChecked, longestMs, type SavedEndpoint } from "./endpoint.ts";
import type { Past } from "./past.ts";
import type { Projection } from "./projection.ts";
import { deactivated, reconcile, type SeenContainer, type Step } from "./reconcile.ts";
import { ONE_BY_ONE, type Register, type TakenCheck } from "./register.ts";

/** Changes saved in one go; between two of them the event loop gets its turn. */
const CHUNK = 100;

/** The live door: may change state, and tells of it. */
export interface EndpointObserver {
  /** Saves what observations of one host change, then publishes it. Throws `storage_unavailable`; saying the same again is harmless. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
}

export interface ObserverParts {
  projection: Projection;
  register: Register;
  past: Past;
  /** They know already what the same observations say of containers. */
  present: Pick<PresentContainers, "find">;
  clock: Clock;
  serial: Serial;
  /** Called with endpoints that may be checked otherwise from now on. */
  onChanged(endpoints: readonly SavedEndpoint[]): void;
}

type Checked = Observation & { kind: "endpoint.checked" };

export function createObserver({ projection, register, past, present, clock, serial, onChanged }: ObserverParts): EndpointObserver {
  /** When each container was seen last, by its host's clock: older news say nothing. */
  const seenAt = new Map<string | null, Map<string, number>>();

  async function handle(agentId: string | null, observations: readonly Observation[]): Promise<void> {
    for (const run of splitByKind(observations)) {
      const [first] = run;
      if (first?.kind === "endpoint.checked")
        await takeChecks(
          agentId,
          run.filter((each) => each.kind === "endpoint.checked"),
        );
      else for (const each of run) await change(stepsOf(agentId, each));
    }
  }

  async function change(steps: readonly Step[]): Promise<void> {
    for (let from = 0; from < steps.length; from += CHUNK) {
      onChanged(await register.change(steps.slice(from, from + CHUNK), clock.now()));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  function stepsOf(agentId: string | null, observation: Observation): Step[] {
    switch (observation.kind) {
      case "container.inventory": {
        const listed = new Set(observation.containers.map(({ externalId }) => externalId));
        const missing = projection.containersOf(agentId).filter((externalId) => !listed.has(externalId));
        return [
          ...observation.containers.flatMap((sighting) => seen(agentId, sighting, observation.observedAt)),
          ...missing.flatMap((externalId) => gone(agentId, externalId)),
        ];
      }
      case "container.seen": {
        const { externalId } = observation.container;
        const known = seenAt.get(agentId)?.get(externalId) ?? -Infinity;
        return observation.observedAt.getTime() < known ? [] : seen(agentId, observation.container, observation.observedAt);
      }
      case "container.gone":
        return gone(agentId, observation.externalId);
      default:
        return [];
    }
  }

  function seen(agentId: string | null, sighting: ContainerSighting, at: Date): Step[] {
    const container = present.find(agentId, sighting.externalId);
    if (container === undefined) return [];
    let times = seenAt.get(agentId);
    if (times === undefined) seenAt.set(agentId, (times = new Map()));
    times.set(sighting.externalId, at.getTime());
    const known = projection.ofContainer(agentId, sighting.externalId);
    const wanted = container.settings.ignored ? [] : sighting.endpoints;
    if (known.length === 0 && wanted.length === 0) return [];
    return reconcile(known, seenContainer(container, wanted), clock.now());
  }

  function gone(agentId: string | null, externalId: string): Step[] {
    if (present.find(agentId, externalId) !== undefined) return [];
    seenAt.get(agentId)?.delete(externalId);
    const now = clock.now();
    return projection
      .ofContainer(agentId, externalId)
      .filter(({ inactiveSince }) => inactiveSince === null)
      .map((previous) => ({ previous, next: deactivated(previous, now) }));
  }

  /** Results of what is not checked any more, or was asked otherwise by then, are left out; those that are not newer go to the past. */
  async function takeChecks(agentId: string | null, checked: readonly Checked[]): Promise<void> {
    const taken: TakenCheck[] = [];
    const late = new Map<number, TakenCheck[]>();
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
        late.set(id, [...(late.get(id) ?? []), each]);
      }
    }
    await register.take(taken);
    for (const [id, checks] of late) {
      const endpoint = projection.get(id);
      if (endpoint === undefined) continue;
      const ofPast = checks.map(({ check }) => check);
      await past.add(id, ofPast, longestMs(endpoint.check));
    }
  }

  return { observe: (agentId, observations) => serial(ONE_BY_ONE, () => handle(agentId, observations)) };
}

function seenContainer(container: SavedContainer, endpoints: readonly LabelledEndpoint[]): SeenContainer {
  const { agentId, externalId, id, name, labels, state } = container;
  return { agentId, container: { externalId, id, name, labels, running: state === "running" }, alerts: alertsOf(container), endpoints };
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
