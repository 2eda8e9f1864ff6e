import { compareNames } from "../../contract/words.ts";
import { sortedRows } from "../../http/sorting.ts";
import { type ImageReaders, SEVERITIES } from "../../images/index.ts";
import type { Clock } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Containers, PresentContainers } from "../containers/index.ts";
import type { UpdateQuery } from "./api.ts";
import type { ComparisonRecord, DryRun, ScanRecord, UpdateList, UpdateRecord, UpdateSummary } from "./answers.ts";
import type { WorkloadOf } from "./commands/index.ts";
import type { Enricher } from "./enricher.ts";
import type { Outline } from "./enrichment.ts";
import { instructionsFor } from "./instructions.ts";
import { hostOf } from "./known-image.ts";
import { compareListed, sortedBy } from "./order.ts";
import { caseKey, type Entry, type UpdateProjection } from "./projection.ts";
import { surveyOf } from "./questions.ts";
import { cvesOf, dryRunRecords, scanRecord, updateRecord } from "./records.ts";
import { exposureOf, type Risk, riskOf, type ServicePortsOf } from "./risk.ts";
import { containersToCheck } from "./scan-work.ts";
import type { Restarts } from "./restarts.ts";
import type { Scans } from "./scans.ts";
import type { UpdateStore } from "./store.ts";
import type { Grants } from "./study.ts";

/** What can be asked of updates. */
export interface UpdateService {
  /** What is available first, and in it the most urgent; or as asked for. Throws `unusable_values` for `order` without `sort`. */
  list(query: UpdateQuery): Promise<UpdateList>;
  /** All that is known of one container's image. Throws `not_found`. */
  ofContainer(id: number): Promise<UpdateRecord>;
  summary(host: string | undefined): UpdateSummary;
  beginScan(): Promise<{ scan_id: string; status: "running" }>;
  scan(scanId: string): Promise<ScanRecord>;
  /** What a scan would ask now, without asking. */
  dryRun(): Promise<DryRun>;
}

export interface UpdateServiceParts {
  projection: UpdateProjection;
  scans: Scans;
  enricher: Pick<Enricher, "progress">;
  store: Pick<UpdateStore, "details">;
  present: PresentContainers;
  containers: Pick<Containers["service"], "find">;
  imageReaders(): Promise<ImageReaders>;
  grants(): Grants;
  comparisonOf(containerId: number): ComparisonRecord | undefined;
  /** Undefined while they are not known. */
  restarts24h(): Promise<Restarts | undefined>;
  workloadOf: WorkloadOf;
  servicePortsOf: ServicePortsOf;
  clock: Clock;
}

export function createUpdateService(parts: UpdateServiceParts): UpdateService {
  const { projection, scans, enricher, store, present, containers, imageReaders, grants, comparisonOf, restarts24h, workloadOf, clock } =
    parts;

  /** How the risk of each is judged now; undefined where the edition has none. */
  async function riskJudge(granted: Grants): Promise<(entry: Entry) => Risk | undefined> {
    if (!granted.risk) return () => undefined;
    const restarts = await restarts24h();
    const now = clock.now();
    return (entry) => riskOfEntry(entry, restarts, now);
  }

  function riskOfEntry({ container, standing, outline }: Entry, restarts: Restarts | undefined, now: Date): Risk | undefined {
    if (standing.status === "unknown") return undefined;
    return riskOf({
      updateType: standing.type,
      vulnerabilities: outline && vulnerabilitiesOf(outline),
      exposure: exposureOf(container, parts.servicePortsOf),
      restarts24h: restarts === undefined ? null : (restarts.get(container.id) ?? 0),
      currentBuiltAt: outline?.builtAt == null ? null : new Date(outline.builtAt),
      now,
    });
  }

  function recordOf(entry: Entry, { risk, granted }: { risk: Risk | undefined; granted: Grants }): UpdateRecord {
    const comparison = comparisonOf(entry.container.id);
    return updateRecord(entry, {
      instructions: instructionsFor(entry, {
        before: comparison && { image: comparison.previous_image, digest: comparison.previous_digest },
        workload: workloadOf(entry.container),
      }),
      comparison,
      risk,
      cves: granted.cves ? cvesOf(entry) : null,
      changelogUrl: granted.changelog ? (entry.outline?.changelogUrl ?? null) : null,
      changelog: null,
    });
  }

  return {
    async list({ status, update_type: type, agent_id: host, search, sort, order, limit, offset }) {
      const granted = grants();
      const riskNow = await riskJudge(granted);
      const wanted = search?.toLowerCase();
      const fits = ({ container, standing }: Entry): boolean =>
        (status === undefined || standing.status === status) &&
        (type === undefined || standing.type === type) &&
        (host === undefined || hostOf(container.agentId) === host) &&
        (wanted === undefined || container.name.toLowerCase().includes(wanted) || container.image.toLowerCase().includes(wanted));
      const found = [...projection.all()].filter(fits).map((entry) => ({ entry, risk: riskNow(entry) }));
      const sorted = sortedRows(found.sort(compareListed), { sort, order }, sortedBy(granted));
      const updates = sorted.slice(offset, offset + limit).map(({ entry, risk }) => recordOf(entry, { risk, granted }));
      return { updates, total: found.length, has_more: offset + updates.length < found.length };
    },

    async ofContainer(id) {
      const entry = projection.get(id);
      if (entry === undefined) throw whyNotThere(id, await containers.find(id));
      const granted = grants();
      const record = recordOf(entry, { risk: (await riskJudge(granted))(entry), granted });
      const { container, known, standing, outline } = entry;
      if (known === undefined || outline === undefined) return record;
      const details = await store.details(caseKey(container, known, standing));
      return {
        ...record,
        cves: granted.cves ? cvesOf(entry, details?.vulnerabilities) : null,
        changelog: granted.changelog ? (details?.changelog ?? null) : null,
      };
    },

    summary(host) {
      const entries = [...projection.all()].filter(({ container }) => host === undefined || hostOf(container.agentId) === host);
      const last = scans.last();
      const current = scans.current();
      return {
        last_scan_at: last?.startedAt.toISOString() ?? null,
        last_scan: last === undefined ? null : scanRecord(last),
        next_scan_at: current === undefined ? (scans.nextAt()?.toISOString() ?? null) : null,
        scanning: current === undefined ? null : scanRecord(current),
        studying: enricher.progress() ?? null,
        counts: countsOf(entries),
        ...(grants().cves ? cveFigures(entries) : { fixing_critical: null, cve_counts: null }),
      };
    },

    async beginScan() {
      const { scanId } = await scans.begin("manual");
      return { scan_id: scanId, status: "running" };
    },

    scan: async (scanId) => scanRecord(await scans.find(scanId)),

    async dryRun() {
      const readers = await imageReaders();
      const { asked, leftOut } = containersToCheck(present, projection);
      const { questions, unaskable } = surveyOf(asked, readers);
      const images = [
        ...questions.flatMap((question) => dryRunRecords(question, null)),
        ...unaskable.flatMap((each) => dryRunRecords(each, each.error ?? each.note)),
        ...leftOut.flatMap(([container, why]) => {
          const read = readers.readReference(container.image);
          const reference = "error" in read ? null : readers.mirrored(read, container.settings.updates.registry);
          return dryRunRecords({ reference, containers: [container], wanted: new Map() }, why);
        }),
      ];
      return { images: images.toSorted((a, b) => compareNames(a.image, b.image)) };
    },
  };
}

function countsOf(entries: readonly Entry[]): UpdateSummary["counts"] {
  const counts = { major: 0, minor: 0, patch: 0, digest: 0, pinned: 0, excluded: 0, up_to_date: 0, unknown: 0 };
  for (const { standing } of entries) {
    const { status, type } = standing;
    if (status !== "available") counts[status] += 1;
    else if (type !== null) counts[type] += 1;
  }
  return counts;
}

/** Of each image that runs once, however many containers run it. */
function cveFigures(entries: readonly Entry[]): Pick<UpdateSummary, "cve_counts" | "fixing_critical"> {
  const byImage = new Map<string, NonNullable<Outline["cves"]>>();
  let fixingCritical = 0;
  for (const { container, standing, outline } of entries) {
    if (outline?.cves == null) continue;
    byImage.set(`${container.imageDigest ?? container.image}`, outline.cves);
    if (standing.status === "available" && outline.cves.worstFixed === "critical") fixingCritical += 1;
  }
  const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  for (const each of byImage.values())
    for (const severity of [...SEVERITIES, "unknown"] as const) counts[severity] += each.counts[severity];
  return { cve_counts: counts, fixing_critical: fixingCritical };
}

/** The worst of them, which are all that a score asks for. */
function vulnerabilitiesOf({ cves }: Outline): Parameters<typeof riskOf>[0]["vulnerabilities"] {
  if (cves === null) return undefined;
  const vulnerabilities = cves.top.map((each) => ({
    ...each,
    osvId: each.osv_id,
    fixedIn: each.fixed_in,
    publishedAt: each.published_at,
  }));
  return { known: cves.known, complete: cves.complete ?? cves.known, vulnerabilities };
}

function whyNotThere(id: number, { archivedAt }: { archivedAt: Date | null }): ServiceError {
  const why = archivedAt === null ? "is left alone, as its label service.ignore says" : "was removed from its host";
  return new ServiceError("not_found", `Container ${id} ${why}: nothing is asked about its image.`);
}
