/** Objects of the Kubernetes API as its server answers with them, as short as they may be. */

let uids = 0;

export interface ApiObject {
  metadata: { name: string; namespace: string; uid: string; [key: string]: unknown };
  [key: string]: unknown;
}

interface Owned {
  kind: string;
  metadata: { name: string; uid: string };
}

export interface Facts {
  name: string;
  namespace?: string;
  owner?: Owned | undefined;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** Metadata of an object that a controller may have made. */
export function metadataOf({ name, namespace = "shop", owner, labels, annotations }: Facts): ApiObject["metadata"] {
  uids += 1;
  return {
    ...{ name, namespace, uid: `uid-${uids}`, resourceVersion: String(uids), generation: 1 },
    creationTimestamp: "2026-03-01T12:00:00Z",
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(owner && {
      ownerReferences: [{ apiVersion: "v1", kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, controller: true }],
    }),
  };
}

const TEMPLATE = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: "web:1" }] } };

/** Its newest version came in whole once. */
const CAME_IN = { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable" };

export function deployment(facts: Facts & { replicas?: number; ready?: number; conditions?: object[]; template?: object }) {
  const { replicas = 1, ready = replicas, conditions = [CAME_IN], template = TEMPLATE } = facts;
  return {
    kind: "Deployment",
    metadata: metadataOf(facts),
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template },
    status: {
      ...{ observedGeneration: 1, replicas, updatedReplicas: replicas, readyReplicas: ready, availableReplicas: ready },
      conditions,
    },
  };
}

export function replicaSet(facts: Facts & { replicas?: number }) {
  const { replicas = 1 } = facts;
  return {
    kind: "ReplicaSet",
    metadata: metadataOf(facts),
    spec: { replicas, template: TEMPLATE },
    status: { observedGeneration: 1, replicas, readyReplicas: replicas },
  };
}

export function job(facts: Facts & { conditions?: object[]; active?: number }) {
  const { conditions = [], active = 0 } = facts;
  return {
    kind: "Job",
    metadata: metadataOf(facts),
    spec: { completions: 1, parallelism: 1, template: TEMPLATE },
    status: { active, startTime: "2026-03-01T12:00:00Z", conditions },
  };
}

export function cronJob(facts: Facts & { suspend?: boolean }) {
  return {
    kind: "CronJob",
    metadata: metadataOf(facts),
    spec: { schedule: "*/5 * * * *", suspend: facts.suspend ?? false, jobTemplate: { spec: { template: TEMPLATE } } },
    status: {},
  };
}

/** A pod that runs and is ready, unless its spec or status say otherwise. */
export function pod(facts: Facts & { spec?: object; status?: object; deletionTimestamp?: string }) {
  const metadata = metadataOf({ labels: { app: "web" }, ...facts });
  return {
    kind: "Pod",
    metadata: { ...metadata, ...(facts.deletionTimestamp && { deletionTimestamp: facts.deletionTimestamp }) },
    spec: { nodeName: "node-a", containers: [{ name: "app", image: "web:1" }], ...facts.spec },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [running("app")],
      ...facts.status,
    },
  };
}

export function running(name: string, restartCount = 0): object {
  return {
    ...{ name, image: "web:1", imageID: `docker-pullable://web@sha256:${"ab".repeat(32)}`, ready: true, started: true, restartCount },
    state: { running: { startedAt: "2026-03-01T12:00:05Z" } },
    lastState: {},
  };
}

export function waiting(name: string, reason: string, { restartCount = 0, last }: { restartCount?: number; last?: object } = {}): object {
  return {
    ...{ name, image: "web:1", imageID: "", ready: false, restartCount, state: { waiting: { reason, message: `${reason} it is` } } },
    lastState: last === undefined ? {} : { terminated: last },
  };
}

export function terminated(name: string, exitCode: number, reason?: string): object {
  return {
    ...{ name, image: "web:1", imageID: "", ready: false, restartCount: 0, lastState: {} },
    state: { terminated: { exitCode, ...(reason && { reason }), startedAt: "2026-03-01T12:00:05Z", finishedAt: "2026-03-01T12:01:00Z" } },
  };
}
