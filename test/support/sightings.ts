import { type ContainerSettings, type ContainerSighting, DEFAULT_UPDATE_SETTINGS, type Observation } from "../../src/observations.ts";

export const defaultSettings: ContainerSettings = {
  ignored: false,
  group: null,
  alertSeverity: "warning",
  alertChannels: [],
  alertTags: [],
  restartThreshold: 3,
  downAfterMs: null,
  updates: DEFAULT_UPDATE_SETTINGS,
};

/** A running container, but for what the test says. */
export function sighting(facts: Partial<ContainerSighting> = {}): ContainerSighting {
  return {
    externalId: "a".repeat(64),
    name: "web",
    image: "shop/web:1",
    imageDigest: null,
    imageId: null,
    imagePlatform: null,
    state: "running",
    health: null,
    exitCode: null,
    healthFailure: null,
    oomKilled: false,
    errorDetail: null,
    stopRequested: false,
    restartCount: 0,
    project: null,
    unit: null,
    labels: {},
    settings: defaultSettings,
    labelErrors: [],
    endpoints: [],
    certificates: [],
    ports: [],
    networkMode: "bridge",
    privileged: false,
    runtime: "docker",
    createdAt: new Date("2026-03-01T11:00:00Z"),
    startedAt: new Date("2026-03-01T11:00:01Z"),
    finishedAt: null,
    ...facts,
  };
}

/** A host of so many containers with so many labels each, as long as those of Compose and proxies. */
export function hostOf(count: number, labels: number, labelLength = 40, first = 0): ContainerSighting[] {
  return Array.from({ length: count }, (_, place) => {
    const index = first + place;
    const entries = Array.from({ length: labels }, (_each, label): [string, string] => [
      `com.example.proxy.routers.r${label}.rule`.padEnd(40, "x"),
      `container ${index} label ${label} `.padEnd(labelLength, "v"),
    ]);
    return sighting({ externalId: String(index).padStart(64, "0"), name: `c${index}`, labels: Object.fromEntries(entries) });
  });
}

/** The runtime of a host is connected, or lost. */
export function runtimeChanged(connected: boolean, observedAt: Date): Observation {
  const status = { runtime: "docker", connected, version: null, apiVersion: null, error: null, since: observedAt } as const;
  return { kind: "runtime.changed", observedAt, status };
}
