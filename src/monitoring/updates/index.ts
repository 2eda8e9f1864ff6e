import { HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { Event, UpdateStatus, UpdateType } from "../../events.ts";
import type { Route } from "../../http/route.ts";
import type { ImageReaders } from "../../images/index.ts";
import type { Tool } from "../../mcp/tool.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Scheduler } from "../../platform/scheduler.ts";
import type { Database } from "../../storage/database.ts";
import type { Containers, SavedContainer } from "../containers/index.ts";
import type { HostData } from "../hosts/index.ts";
import type { NewerImageOf } from "../security/index.ts";
import type { ComparisonRecord } from "./answers.ts";
import type { WorkloadOf } from "./commands/index.ts";
import { createDecisions } from "./decisions.ts";
import { createEnricher, createOutlines } from "./enricher.ts";
import { imageWithTag } from "../../contract/image-pattern.ts";
import { createUpdateProjection, type Entry, type UpdateSeverities } from "./projection.ts";
import type { ServicePortsOf } from "./risk.ts";
import { createRestarts } from "./restarts.ts";
import { decisionRoutes, updateRoutes } from "./routes.ts";
import { createScanWork } from "./scan-work.ts";
import { Scans } from "./scans.ts";
import { createUpdateService } from "./service.ts";
import { createUpdateStore } from "./store.ts";
import type { Grants } from "./study.ts";
import { createWatch } from "./watch.ts";

export { type UpdateComparisons, createUpdateComparisons, runNameOf } from "./comparisons/index.ts";
export type { UpdateSeverities } from "./projection.ts";
export { type FoundNewer, recordScan } from "./recorded-scan.ts";
export type { ServicePortsOf } from "./risk.ts";
export type { WorkloadOf } from "./commands/index.ts";

export interface UpdatesDependencies {
  database: Database;
  /** Started before this, and given observations before this. */
  containers: Pick<Containers, "present" | "service">;
  bus: Bus<Event>;
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
  /** Between two scans, more or less; null: nobody is asked unless somebody begins a scan. */
  intervalMs: number | null;
  grants(capability: "cve_enrichment" | "risk_scoring" | "changelog"): boolean;
  /** Asked for when they are first needed, and then as often as they are. */
  imageReaders(): Promise<ImageReaders>;
  updateComparisons: { latestOf(containerId: number): ComparisonRecord | undefined };
  /** By default nothing is known of Kubernetes. */
  workloadOf?: WorkloadOf;
  /** By default nothing is known of any cluster. */
  servicePortsOf?: ServicePortsOf;
  /** From 0 to 1. */
  chance?(): number;
}

export interface Updates extends HostData {
  routes: Route[];
  /** For assistants; made when they are asked for. */
  tools(): Promise<Tool[]>;
  /** The events of every update that raises an alert now. */
  announce(): Event[];
  /** Undefined for a container that does not exist or is ignored. */
  statusOf(containerId: number): UpdateStatus | undefined;
  severitiesOf(containerId: number): UpdateSeverities;
  newerImageOf: NewerImageOf;
  /** Newer images that are there, of those that were found since a time. */
  found(since: Date): FoundUpdate[];
  /** What a container's software is made with, as its image's configuration says; undefined: not known, or nothing that is known. */
  ecosystemOf(containerId: number): string | undefined;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Updates: which newer images there are for what runs, what they mend, and what people decided about them. */
export function createUpdates(dependencies: UpdatesDependencies): Updates {
  const { database, containers, bus, clock, scheduler, log } = dependencies;
  const { intervalMs, imageReaders, updateComparisons, chance = Math.random } = dependencies;
  const { present } = containers;
  const store = createUpdateStore(database);
  const grants = (): Grants => ({
    cves: dependencies.grants("cve_enrichment"),
    risk: dependencies.grants("risk_scoring"),
    changelog: dependencies.grants("changelog"),
  });
  const outlines = createOutlines({ store, clock });
  const projection = createUpdateProjection({
    present,
    outlineOf: (key) => outlines.get(key)?.outline,
    showsCves: () => grants().cves,
  });
  const watch = createWatch({ present, projection, bus, clock });
  const enricher = createEnricher({ outlines, projection, watch, imageReaders, grants, clock, log });
  const decisions = createDecisions({ store, projection, watch, bus, clock });
  const restarts24h = createRestarts({ restartsByContainer: containers.service.restartsByContainer, clock, log });

  async function load(): Promise<void> {
    await decisions.load();
    await outlines.load();
    for (const { subject, known } of await store.images()) projection.putImage(subject, known);
  }

  function refreshAll(): void {
    watch.refresh([...projection.all()].map(({ container }) => container.id));
  }

  const scans = new Scans({
    store,
    bus,
    clock,
    log,
    intervalMs,
    chance,
    work: createScanWork({ store, projection, watch, present, imageReaders, clock }),
    onCompleted: enricher.begin,
    async onElsewhere() {
      await load();
      refreshAll();
    },
  });
  const service = createUpdateService({
    projection,
    scans,
    enricher,
    store,
    present,
    containers: containers.service,
    imageReaders,
    grants,
    comparisonOf: updateComparisons.latestOf,
    restarts24h,
    workloadOf: dependencies.workloadOf ?? (() => null),
    servicePortsOf: dependencies.servicePortsOf ?? (() => undefined),
    clock,
  });

  return {
    routes: [...updateRoutes(service), ...decisionRoutes(decisions)],
    tools: async () => (await import("./tools.ts")).assistantTools({ service, grants }),
    holdHost: decisions.hold,
    purgeHost: store.purgeHost,
    // How its containers stand is forgotten as they are archived.
    forgetHost: decisions.forgetHost,
    announce: watch.announce,
    statusOf: (containerId) => projection.get(containerId)?.standing.status,
    severitiesOf: (containerId) => projection.get(containerId)?.severities,
    found: (since) => foundSince(projection.all(), since),
    newerImageOf(containerId) {
      const entry = projection.get(containerId);
      if (entry?.standing.status !== "available" || entry.standing.available === null) return undefined;
      const { image } = entry.container;
      return { image: entry.standing.type === "digest" ? image : imageWithTag(image, entry.standing.available.tag), leaves: [] };
    },
    ecosystemOf: (containerId) => projection.get(containerId)?.outline?.ecosystem,
    async start() {
      await load();
      watch.begin();
      await scans.start();
      scheduler.every({ name: "update retention", everyMs: HOUR_MS, firstAfterMs: 130_000, run: decisions.prune });
      scheduler.every({
        name: "studies of images",
        everyMs: HOUR_MS,
        firstAfterMs: MINUTE_MS,
        async run() {
          if (store.isShared) await load();
          // The edition may be another by now, and decides what is shown.
          refreshAll();
          if (intervalMs !== null) enricher.resume();
        },
      });
    },
    async stop() {
      watch.stop();
      enricher.stop();
      await scans.stop();
    },
  };
}

/** A newer image that is there for a container, and when that was found. */
interface FoundUpdate {
  container: Pick<SavedContainer, "id" | "name" | "agentId">;
  type: UpdateType;
  at: Date;
}

/** What was found since a time for these containers, in no order. What a newer one has superseded is not remembered. */
function foundSince(entries: Iterable<Entry>, since: Date): FoundUpdate[] {
  return [...entries].flatMap(({ container, standing: { status, type, available } }) => {
    if (status !== "available" || type === null || available === null || available.seenAt < since.getTime()) return [];
    return [{ container, type, at: new Date(available.seenAt) }];
  });
}
