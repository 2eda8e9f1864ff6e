import type { Event } from "../../events.ts";
import type { ContainerSighting, Observation } from "../../observations.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { Serial } from "../../platform/serial.ts";
import type { PresentContainers } from "../containers/index.ts";
import { alertsOf, type Endpoints } from "../endpoints/index.ts";
import { LIMITS } from "./api.ts";
import { targetKey, type SavedCertificate } from "./certificate.ts";
import type { Register } from "./register.ts";
import type { Scanning } from "./scanning.ts";
import { type LabelledTargets, tlsPeerOf, type Wanted, wantedTargets } from "./targets.ts";

/** A container that is made anew is gone for a moment, and its certificate's history must not go with it. */
const GRACE_MS = 120_000;
/** Endpoints mostly change in numbers. */
const GATHER_MS = 1_000;

/** Watches what labels and https endpoints lead to, as they come, change and go. */
export interface Follow {
  /** Takes what sightings of containers ask for. Throws `storage_unavailable`; saying the same again is harmless. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Takes what became of endpoints. */
  hear(event: Event): void;
  /** Makes what is watched what is asked for. */
  reconcile(): Promise<void>;
  /** The same in a moment, for all that changes until then. */
  reconcileSoon(): void;
  stop(): void;
}

export interface FollowParts {
  register: Register;
  scanning: Scanning;
  endpoints: Pick<Endpoints, "present">;
  /** They know already what the same observations say of containers. */
  present: Pick<PresentContainers, "find">;
  clock: Clock;
  log: Log;
  serial: Serial;
}

export function createFollow({ register, scanning, endpoints, present, clock, log, serial }: FollowParts): Follow {
  /** What labels of the local host ask for, by container; undefined until its containers were listed once. */
  const labelled = new Map<string, LabelledTargets>();
  let isListed = false;
  /** Since when nothing asks for a certificate any more. */
  const unwantedMs = new Map<number, number>();
  let timer: Timer | undefined;

  async function reconcileNow(): Promise<void> {
    const wanted = wantedTargets(endpoints.present(), labelled.values());
    for (const each of wanted.values()) await watch(each);
    for (const certificate of [...register.all()]) {
      if (certificate.agentId !== null || certificate.source === "standalone") continue;
      const isWanted = wanted.has(targetKey(certificate)) || (certificate.source === "label" && !isListed);
      if (isWanted) unwantedMs.delete(certificate.id);
      else await leave(certificate);
    }
  }

  async function watch(wanted: Wanted): Promise<void> {
    const known = register.find(wanted);
    const now = clock.now();
    if (known === undefined) {
      const settings = { thresholdsDays: [...LIMITS.thresholds], checkIntervalMs: LIMITS.interval.default * 1000 };
      if ((await register.create({ ...wanted, ...settings }, now, now)) !== undefined) scanning.wake();
      return;
    }
    const { source, endpointId, container, alerts } = wanted;
    const asked = JSON.stringify([source, endpointId, container, alerts]);
    if (known.source === "standalone" || JSON.stringify([known.source, known.endpointId, known.container, known.alerts]) === asked) return;
    await register.change(known.id, { source, endpointId, container, alerts }, now);
  }

  async function leave({ id }: SavedCertificate): Promise<void> {
    const nowMs = clock.monotonicMs();
    const sinceMs = unwantedMs.get(id) ?? nowMs;
    unwantedMs.set(id, sinceMs);
    if (nowMs - sinceMs < GRACE_MS) return;
    await register.remove(id, clock.now());
    unwantedMs.delete(id);
  }

  const reconcile = (): Promise<void> => serial("targets", reconcileNow);

  function reconcileSoon(): void {
    timer ??= clock.after(GATHER_MS, () => {
      timer = undefined;
      inBackground(reconcile);
    });
  }

  /** Runs without anybody who waits; the next minute does it too. */
  function inBackground(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      if (!isServiceError(error, "storage_unavailable")) log.error({ err: error }, "certificates could not follow their endpoints");
    });
  }

  function seen(sighting: ContainerSighting): boolean {
    const { externalId } = sighting;
    const container = present.find(null, externalId);
    if (container === undefined || container.settings.ignored || sighting.certificates.length === 0) return labelled.delete(externalId);
    const { id, name, labels } = container;
    const next = { container: { id, externalId, name, labels }, alerts: alertsOf(container), targets: sighting.certificates };
    if (JSON.stringify(labelled.get(externalId)) === JSON.stringify(next)) return false;
    labelled.set(externalId, next);
    return true;
  }

  /** Whether something else is asked for now. */
  function take(observation: Observation): boolean {
    switch (observation.kind) {
      case "container.inventory": {
        let isNews = !isListed;
        isListed = true;
        for (const sighting of observation.containers) if (seen(sighting)) isNews = true;
        for (const externalId of labelled.keys()) {
          if (present.find(null, externalId) !== undefined) continue;
          labelled.delete(externalId);
          isNews = true;
        }
        return isNews;
      }
      case "container.seen":
        return seen(observation.container);
      case "container.gone":
        return present.find(null, observation.externalId) === undefined && labelled.delete(observation.externalId);
      default:
        return false;
    }
  }

  return {
    reconcile,
    reconcileSoon,
    async observe(agentId, observations) {
      if (agentId !== null) return;
      const news = observations.filter(take);
      if (news.length > 0) await reconcile();
    },
    hear(event) {
      if (!isOfEndpoint(event)) return;
      const peer = event.data.type === "http" ? tlsPeerOf(event.data.target) : undefined;
      if (peer === undefined) return;
      const certificate = register.find(peer);
      if (event.type === "endpoint.removed" && event.data.source === "standalone" && certificate !== undefined)
        unwantedMs.set(certificate.id, -Infinity);
      reconcileSoon();
      if (certificate !== undefined && saysOfCertificate(event, certificate)) inBackground(() => scanning.scanNow(certificate));
    },
    stop: () => timer?.cancel(),
  };
}

type EndpointEvent = Event<"endpoint.created" | "endpoint.updated" | "endpoint.removed" | "endpoint.alert" | "endpoint.recovery">;

function isOfEndpoint(event: Event): event is EndpointEvent {
  return event.type.startsWith("endpoint.") && event.type !== "endpoint.check_result";
}

/** Whether a check met another certificate than the one that is known, or may have. */
function saysOfCertificate(event: EndpointEvent, { state }: SavedCertificate): boolean {
  if (event.type === "endpoint.alert") return event.data.failure_class === "tls";
  if (event.type === "endpoint.recovery") return state.status !== "valid" && event.data.reason === "recovered";
  return event.type === "endpoint.updated" && [event.data.status, event.data.previous_status].includes("degraded");
}
