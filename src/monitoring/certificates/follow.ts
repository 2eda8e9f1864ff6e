import { CERTIFICATE_BOUNDS } from "../../contract/certificate.ts";
import { tlsPeerOf } from "../../contract/targets.ts";
import type { Event } from "../../events.ts";
import { certificateTargetKey, MOST_CERTIFICATES, type Observation } from "../../observations.ts";
import { serviceOfCheckOwner, type SwarmService } from "../../observations/swarm.ts";
import type { Clock, Timer } from "../../platform/clock.ts";
import { isServiceError } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import { hold, type Serial } from "../../platform/queues.ts";
import type { PresentContainers } from "../containers/index.ts";
import type { Endpoints, SavedEndpoint } from "../endpoints/index.ts";
import { createAsks } from "./asks.ts";
import { type SavedCertificate, type LabelledTargets, targetsOfService, type Wanted, wantedTargets } from "./certificate.ts";
import type { Register } from "./register.ts";
import type { Scanning } from "./scanning.ts";

/** Endpoints mostly change in numbers. */
const GATHER_MS = 1_000;

/** Changes that may share a commit. */
const AT_ONCE = 100;

/** Watches what labels and https endpoints lead to, as they come, change and go. */
export interface Follow {
  /** Takes what sightings of containers ask for, and what agents found. Throws `storage_unavailable`; idempotent. */
  observe(agentId: string | null, observations: readonly Observation[]): Promise<void>;
  /** Watches what labels of the services of a swarm ask for. Throws `storage_unavailable`; idempotent. */
  followServices(shown: WatchedServices): Promise<void>;
  /** Follows events of endpoints, and of containers that are removed. */
  onEvent(event: Event): void;
  /** Makes what is watched what is asked for, on every host. */
  reconcile(): Promise<void>;
  /** The same for one host in a moment, for all that changes until then. */
  reconcileSoon(agentId: string | null): void;
  /** Keeps what is watched for a host as it is, until the answer is called. */
  hold(agentId: string): Promise<() => void>;
  forget(agentId: string): void;
  stop(): void;
}

/** The services of a swarm, whose certificates one of its managers watches. */
export interface WatchedServices {
  /** Those that show the swarm. */
  managers: readonly (string | null)[];
  /** Hosts that are part of the swarm: all but that one watch none. */
  hosts: readonly (string | null)[];
  services: readonly SwarmService[];
}

export interface FollowParts {
  register: Register;
  scanning: Scanning;
  endpoints: Pick<Endpoints, "present">;
  /** They know already what the same observations say of containers. */
  present: Pick<PresentContainers, "find" | "get">;
  clock: Clock;
  log: Log;
  serial: Serial;
}

export function createFollow({ register, scanning, endpoints, present, clock, log, serial }: FollowParts): Follow {
  const asks = createAsks(present);
  /** Hosts whose labels ask for something else than is watched. */
  const stale = new Set<string | null>();
  /** Hosts whose turn comes with the timer. */
  const soon = new Set<string | null>();
  let timer: Timer | undefined;

  async function reconcileNow(agentId: string | null, ofHost: readonly SavedEndpoint[]): Promise<void> {
    const wanted = wantedTargets(ofHost, asks.of(agentId));
    if (agentId !== null) shorten(wanted, agentId);
    const all = [...wanted.values()];
    for (let from = 0; from < all.length; from += AT_ONCE)
      await Promise.all(all.slice(from, from + AT_ONCE).map((each) => watch(agentId, each)));
    for (const certificate of [...register.all()]) {
      if (certificate.agentId !== agentId || isStandalone(certificate)) continue;
      const isWanted =
        wanted.has(certificateTargetKey(certificate)) ||
        (certificate.source === "label" && (!isSourceKnown(certificate) || mayReturn(certificate)));
      if (!isWanted) await register.remove(certificate.id, { now: clock.now(), unless: isStandalone });
    }
    stale.delete(agentId);
  }

  /** Whether its host has reported since the start what asks for it. */
  function isSourceKnown({ agentId, container }: SavedCertificate): boolean {
    const isOfService = container !== null && serviceOfCheckOwner(container.externalId) !== undefined;
    return isOfService ? asks.areServicesKnown(agentId) : asks.isListed(agentId);
  }

  /** An agent looks at no more than that either. */
  function shorten(wanted: Map<string, Wanted>, agentId: string): void {
    if (wanted.size <= MOST_CERTIFICATES) return;
    log.warn({ agent_id: agentId, asked_for: wanted.size, watched: MOST_CERTIFICATES }, "not all certificates of an agent are watched");
    for (const key of [...wanted.keys()].slice(MOST_CERTIFICATES)) wanted.delete(key);
  }

  /** Its container is gone, and may be re-created. */
  function mayReturn({ container }: SavedCertificate): boolean {
    return container?.id != null && present.get(container.id)?.archivedAt instanceof Date;
  }

  async function watch(agentId: string | null, wanted: Wanted): Promise<void> {
    const known = register.find(agentId, wanted);
    const now = clock.now();
    if (known === undefined) {
      const settings = {
        agentId,
        thresholdsDays: [...CERTIFICATE_BOUNDS.thresholds],
        checkIntervalMs: CERTIFICATE_BOUNDS.interval.default * 1000,
      };
      const created = await register.create({ ...wanted, ...settings }, now, now);
      if (created !== undefined && agentId === null) scanning.wake();
      return;
    }
    const { source, endpointId, container, alerts } = wanted;
    const asked = JSON.stringify([source, endpointId, container, alerts]);
    if (isStandalone(known) || JSON.stringify([known.source, known.endpointId, known.container, known.alerts]) === asked) return;
    await register.change(known.id, { source, endpointId, container, alerts }, { now, unless: isStandalone });
  }

  /** The manager that has their history keeps watching them, whichever leads or is reached first after a start. */
  function watcherOf(asked: readonly LabelledTargets[], managers: readonly (string | null)[]): string | null | undefined {
    const owners = new Set(asked.map(({ container }) => container.externalId));
    const known = [...register.all()].find(({ source, container }) => source === "label" && owners.has(container?.externalId ?? ""));
    const isStill = known !== undefined && (managers.includes(known.agentId) || !asks.areServicesKnown(known.agentId));
    return isStill ? known.agentId : managers[0];
  }

  const turnOf = (agentId: string | null): string => `targets of ${agentId}`;

  /** What endpoints there are is asked when the turn has come. */
  function reconcileHost(agentId: string | null): Promise<void> {
    return serial(turnOf(agentId), () =>
      reconcileNow(
        agentId,
        endpoints.present().filter((each) => each.agentId === agentId),
      ),
    );
  }

  async function reconcile(): Promise<void> {
    const hosts = new Set([null, ...asks.hosts()]);
    for (const { agentId } of endpoints.present()) hosts.add(agentId);
    for (const { agentId } of register.all()) hosts.add(agentId);
    for (const agentId of hosts) await reconcileHost(agentId);
  }

  function reconcileSoon(agentId: string | null): void {
    soon.add(agentId);
    timer ??= clock.after(GATHER_MS, () => {
      timer = undefined;
      const hosts = [...soon];
      soon.clear();
      for (const each of hosts) inBackground(() => reconcileHost(each));
    });
  }

  /** Runs without anybody who waits; the next minute does it too. */
  function inBackground(work: () => Promise<unknown>): void {
    work().catch((error: unknown) => {
      if (!isServiceError(error, "storage_unavailable")) log.error({ err: error }, "certificates could not follow their endpoints");
    });
  }

  /** What an agent found at something that nothing asks for is left out. */
  async function takeScan(agentId: string, { target, scan, observedAt }: Scanned): Promise<void> {
    // The endpoint that leads there may be a moment old.
    if (register.find(agentId, target) === undefined && soon.delete(agentId)) await reconcileHost(agentId);
    const certificate = register.find(agentId, target);
    if (certificate === undefined || isStandalone(certificate)) return;
    const now = clock.now();
    // Its clock may be ahead of ours.
    await register.takeOften(certificate.id, scan, { at: observedAt < now ? observedAt : now, now });
  }

  return {
    reconcile,
    reconcileSoon,
    async observe(agentId, observations) {
      for (const each of observations) if (asks.take(agentId, each)) stale.add(agentId);
      if (stale.has(agentId)) await reconcileHost(agentId);
      if (agentId === null) return;
      for (const each of observations) if (each.kind === "certificate.scanned") await takeScan(agentId, each);
    },
    async followServices({ managers, hosts, services }) {
      const asked = services.flatMap(targetsOfService);
      const watcher = asked.length === 0 ? undefined : watcherOf(asked, managers);
      for (const agentId of hosts) {
        if (asks.takeServices(agentId, agentId === watcher ? asked : [])) stale.add(agentId);
        if (stale.has(agentId)) await reconcileHost(agentId);
      }
    },
    onEvent(event) {
      if (event.type === "container.removed") reconcileSoon(event.data.agent_id);
      if (!isOfEndpoint(event)) return;
      const peer = event.data.type === "http" ? tlsPeerOf(event.data.target) : undefined;
      if (peer === undefined) return;
      const agentId = event.data.agent_id;
      const certificate = register.find(agentId, peer);
      reconcileSoon(agentId);
      // An agent looks again within the minute.
      if (agentId === null && certificate !== undefined && suggestsOtherCertificate(event, certificate))
        inBackground(() => scanning.scanNow(certificate));
    },
    hold: (agentId) => hold(serial, turnOf(agentId)),
    forget(agentId) {
      asks.forget(agentId);
      stale.delete(agentId);
    },
    stop: () => timer?.cancel(),
  };
}

/** Nothing is followed any more; a bulk operation may have made it so while a change waited. */
function isStandalone({ source }: SavedCertificate): boolean {
  return source === "standalone";
}

type Scanned = Observation & { kind: "certificate.scanned" };
type EndpointEvent = Event<"endpoint.created" | "endpoint.updated" | "endpoint.removed" | "endpoint.alert" | "endpoint.recovery">;

function isOfEndpoint(event: Event): event is EndpointEvent {
  return event.type.startsWith("endpoint.") && event.type !== "endpoint.check_result";
}

/** Whether a check met, or may have met, another certificate than the known one. */
function suggestsOtherCertificate(event: EndpointEvent, { state }: SavedCertificate): boolean {
  if (event.type === "endpoint.alert") return event.data.failure_class === "tls";
  if (event.type === "endpoint.recovery") return state.status !== "valid" && event.data.reason === "recovered";
  return event.type === "endpoint.updated" && [event.data.status, event.data.previous_status].includes("degraded");
}
