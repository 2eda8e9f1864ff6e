import { DAY_MS } from "../../src/contract/time.ts";
import type { CertificateScan, CertificateTarget, ContainerSighting, Observation, RuntimeConnection } from "../../src/observations.ts";
import { labelEndpointKey, TICK_MS } from "../../src/observations.ts";
import { scanOf, unreachable } from "../support/certificates.ts";
import { checkedObservation, failure, labelled } from "../support/endpoints.ts";
import type { FakeClock } from "../support/fake-clock.ts";
import { hostReading, sampled } from "../support/readings.ts";
import { sighting } from "../support/sightings.ts";

/** Often enough for everything that counts on regular readings. */
export const STEP_MS = 30_000;
const LABEL = "service.endpoint.http";
const LIST_EVERY_MS = 5 * 60_000;
const SCAN_EVERY_MS = 60_000;
/** The first containers have run for longer than any clock is set back. */
const OLD_MS = 4 * 3_600_000;
/** The certificate of the ill container is about to expire. */
const EXPIRES_IN_DAYS = { web: 90, sick: 20 } as const;

const FINGERPRINTS = { web: Array(32).fill("AA").join(":"), sick: Array(32).fill("BB").join(":") };

/** The container that is well before something happens, and the one with which everything is wrong. */
export const NAMES = ["web", "sick"] as const;
export type Name = (typeof NAMES)[number];

/** What a host with an engine and two containers shows, step by step, as its collector would put it. */
export type Host = ReturnType<typeof createHost>;

export function createHost({
  clock,
  digests,
  observe,
}: {
  clock: FakeClock;
  digests: Record<string, string>;
  observe: (observation: Observation) => void;
}) {
  const bornAt = clock.now();
  const containers = new Map<Name, ContainerSighting>();
  let power = true;
  let engine = true;
  /** The collector watches the engine since then. */
  let watchedSince = new Date(clock.now().getTime() - OLD_MS);
  /** What the collector believes to run: that alone is checked. */
  const probed = new Map<Name, string>();
  let steps = 0;

  function create(name: Name, { image = `shop/${name}:1.0`, generation = 1 } = {}): ContainerSighting {
    const isSick = name === "sick";
    const ageMs = generation === 1 ? OLD_MS : 0;
    return sighting({
      externalId: `${name}-${generation}`,
      name,
      image,
      imageDigest: digests[image] ?? null,
      imageId: digests[image] ?? null,
      imagePlatform: "linux/amd64",
      health: isSick ? "unhealthy" : "healthy",
      endpoints: [labelled(LABEL)],
      certificates: [targetOf(name)],
      ports: isSick ? [{ containerPort: 8080, protocol: "tcp", hostIp: "0.0.0.0", hostPort: 8080 }] : [],
      createdAt: new Date(clock.now().getTime() - ageMs),
      startedAt: new Date(clock.now().getTime() - ageMs),
    });
  }

  const now = (): Date => clock.now();
  const tick = (): Date => new Date(Math.floor(now().getTime() / TICK_MS) * TICK_MS);
  const seen = (container: ContainerSighting): void => {
    note(container);
    observe({ kind: "container.seen", observedAt: now(), container });
  };
  const note = ({ name, externalId, state }: ContainerSighting): void => {
    if (state === "running") probed.set(name as Name, externalId);
    else probed.delete(name as Name);
  };
  const list = (): void => {
    probed.clear();
    for (const each of containers.values()) note(each);
    observe({ kind: "container.inventory", observedAt: now(), containers: [...containers.values()] });
  };

  function check(): void {
    for (const [name, externalId] of probed) {
      const answers = engine && name === "web";
      const key = labelEndpointKey(externalId, LABEL);
      observe(checkedObservation(key, now(), answers ? {} : engine ? failure : REFUSED));
    }
  }

  function measure(): void {
    const running = [...containers.values()].filter(({ state }) => state === "running" || state === "paused");
    const uses = running.map(({ externalId, name }) => [externalId, { memoryBytes: name === "sick" ? 90 : 10, memoryLimitBytes: 100 }]);
    observe(sampled(tick(), Object.fromEntries(uses)));
    observe({ kind: "host.watched", observedAt: now(), since: watchedSince });
  }

  return {
    LABEL,
    list,
    get isEngineUp() {
      return engine;
    },
    connection: (): RuntimeConnection => ({
      runtime: "docker",
      connected: engine,
      version: null,
      apiVersion: null,
      error: engine ? null : "Docker does not answer.",
      since: watchedSince,
    }),
    /** Of a peer behind one of the containers, whoever looks. */
    scan({ domain }: Pick<CertificateTarget, "domain">): CertificateScan {
      const name = NAMES.find((each) => domain === `${each}.test`) ?? "web";
      const answers = engine && containers.get(name)?.state === "running";
      if (!answers) return unreachable;
      return scanOf({ fingerprint: FINGERPRINTS[name], expiresAt: new Date(bornAt.getTime() + EXPIRES_IN_DAYS[name] * DAY_MS) });
    },
    get: (name: Name): ContainerSighting | undefined => containers.get(name),
    /** Something happens to a container; its news arrive when the engine runs. */
    become(name: Name, facts: Partial<ContainerSighting>): void {
      const before = containers.get(name);
      if (before === undefined) return;
      const next = { ...before, health: null, ...facts };
      containers.set(name, next);
      if (engine) seen(next);
    },
    /** It was there before anybody looked. */
    place: (name: Name) => void containers.set(name, create(name)),
    add(name: Name, options: Parameters<typeof create>[1]): void {
      const made = create(name, options);
      containers.set(name, made);
      if (engine) seen(made);
    },
    remove(name: Name): void {
      const before = containers.get(name);
      containers.delete(name);
      probed.delete(name);
      if (engine && before !== undefined) observe({ kind: "container.gone", observedAt: now(), externalId: before.externalId });
    },
    /** Without live-restore containers end with their engine, and those with a restart policy start with it. */
    setEngine(isUp: boolean): void {
      engine = isUp;
      watchedSince = now();
      if (!isUp) return;
      for (const [name, each] of containers) containers.set(name, { ...each, startedAt: now(), finishedAt: new Date(now().getTime() - 1) });
    },
    /** While the host is off nothing of it says anything; its engine starts with it. */
    setPower(isOn: boolean): void {
      power = isOn;
      this.setEngine(isOn);
      if (!isOn) probed.clear();
    },
    /** Its collector notices that the clock was set, and lists again. */
    clockWasSet(): void {
      watchedSince = now();
      list();
    },
    /** The collector is another process than before: it knows nothing that it does not see. */
    forget(): void {
      probed.clear();
      watchedSince = now();
    },
    /** What the collector sees in half a minute. */
    step(): void {
      const at = steps * STEP_MS;
      steps += 1;
      if (!power) return;
      if (engine && at % LIST_EVERY_MS === 0) list();
      if (engine) measure();
      observe({ kind: "host.sampled", observedAt: now(), host: hostReading() });
      check();
      if (at % SCAN_EVERY_MS === 0)
        for (const name of containers.keys())
          observe({ kind: "certificate.scanned", observedAt: now(), target: targetOf(name), scan: this.scan(targetOf(name)) });
    },
  };
}

function targetOf(name: string): CertificateTarget {
  return { domain: `${name}.test`, port: 443, serverName: `${name}.test` };
}

const REFUSED = { ...failure, httpStatus: null, failureClass: "connect", error: "The connection was refused." } as const;
