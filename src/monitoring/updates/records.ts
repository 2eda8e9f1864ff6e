import type { SavedContainer } from "../containers/index.ts";
import type { ChangelogRecord, ComparisonRecord, Cves, DryRun, ScanRecord, UpdateRecord, VulnerabilityRecord } from "./answers.ts";
import type { Instructions } from "./instructions.ts";
import type { Entry } from "./projection.ts";
import type { Question } from "./questions.ts";
import type { Risk } from "./risk.ts";
import { type Scan, settingsKey } from "./known-image.ts";

/** Extra update details, as far as the edition shows them. */
export interface Extras {
  instructions: Instructions;
  comparison: ComparisonRecord | undefined;
  risk: Risk | undefined;
  cves: Cves | null;
  changelogUrl: string | null;
  changelog: ChangelogRecord | null;
}

/** An update as it goes over the wire. */
export function updateRecord({ container, known, standing, pin }: Entry, extras: Extras): UpdateRecord {
  const { available, type } = standing;
  const label = container.settings.updates.pin;
  return {
    id: container.id,
    scan_id: known?.scanId ?? null,
    container_id: container.id,
    container_name: container.name,
    agent_id: container.agentId,
    group: container.group,
    image: container.image,
    registry: known?.reference?.registry ?? null,
    current_tag: known?.reference?.tag ?? null,
    current_digest: container.imageDigest,
    available_tag: available?.tag ?? null,
    available_digest: available?.digest ?? null,
    update_type: type,
    status: standing.status,
    status_reason: standing.reason,
    pinned_by: pin !== undefined ? "person" : label !== null ? "label" : null,
    published_at: isoOf(available?.publishedAt),
    source_url: available?.sourceUrl ?? null,
    changelog_url: extras.changelogUrl,
    changelog: extras.changelog,
    risk_score: extras.risk?.score ?? null,
    risk_level: extras.risk?.level ?? null,
    risk_level_at_most: extras.risk?.levelAtMost ?? null,
    risk_parts: extras.risk === undefined ? null : [...extras.risk.parts],
    cves: extras.cves,
    update_command: extras.instructions.update,
    rollback_command: extras.instructions.rollback,
    comparison: extras.comparison ?? null,
    detected_at: isoOf(available?.seenAt),
    checked_at: isoOf(known?.checkedAt),
    check_error: standing.checkError,
  };
}

/** The vulnerabilities of what a container runs: all that are read, else the few that are kept in memory. */
export function cvesOf({ outline }: Pick<Entry, "outline">, all?: readonly VulnerabilityRecord[]): Cves | null {
  if (outline === undefined || outline.cves === null) return null;
  const { top, worstFixed: _, complete: __, ...cves } = outline.cves;
  return { ...cves, vulnerabilities: [...(all ?? top)] };
}

export function scanRecord(scan: Scan): ScanRecord {
  return {
    scan_id: scan.scanId,
    trigger: scan.trigger,
    status: scan.status,
    started_at: scan.startedAt.toISOString(),
    completed_at: scan.completedAt?.toISOString() ?? null,
    failure: scan.failure,
    total: scan.total,
    scanned: scan.scanned,
    updates_found: scan.updatesFound,
    errors: [...scan.errors],
  };
}

type DryRunImage = DryRun["images"][number];

/** What would be asked about an image, for the containers whose labels make the same of its tags. */
export function dryRunRecords(
  { reference, containers, wanted }: Pick<Question, "containers" | "wanted"> & { reference: Question["reference"] | null },
  whySkipped: string | null,
): DryRunImage[] {
  const keyOf = ({ settings }: SavedContainer): string => settingsKey(settings.updates);
  const groups = Map.groupBy(containers, (container) => `${container.image}\n${keyOf(container)}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const plan = wanted.get(keyOf(first))?.plan;
    const skipped = whySkipped ?? plan?.skippedReason ?? null;
    return {
      image: first.image,
      containers: same.map(({ id, name, agentId }) => ({ id, name, agent_id: agentId })),
      mode: skipped === null ? (plan?.mode ?? null) : null,
      candidates_filter: skipped === null ? (plan?.candidatesFilter ?? null) : null,
      registry: reference?.registry ?? null,
      skipped_reason: skipped,
    };
  });
}

function isoOf(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : new Date(time).toISOString();
}
