import type { SavedContainer } from "../containers/index.ts";
import { type Acknowledgment, hostOf } from "./acknowledgment.ts";
import type { AcknowledgmentRecord, ContainerPosture, InsightRecord, StepRecord } from "./answers.ts";
import type { Ecosystem } from "./ecosystem.ts";
import { INSIGHTS, type Insight } from "./insight.ts";
import { gradeOf, type CategoryScore, type Score } from "./posture.ts";
import type { Finding } from "./register.ts";
import { describeStep, type Step } from "./steps.ts";
import { wordsOf } from "./words.ts";

export function aboutOf({ id, name, agentId, image, group }: SavedContainer) {
  return { container_id: id, container_name: name, agent_id: agentId, image, group };
}

/** An acknowledgment as it goes over the wire. `holder` is the container that it holds for; undefined: none is there now. */
export function acknowledgmentRecord(
  acknowledgment: Acknowledgment,
  holder: Pick<SavedContainer, "id" | "name"> | undefined,
  isFound: boolean,
): AcknowledgmentRecord {
  return {
    id: acknowledgment.id,
    container_id: holder?.id ?? acknowledgment.containerId,
    container_name: holder?.name ?? acknowledgment.containerName,
    agent_id: acknowledgment.host === hostOf(null) ? null : acknowledgment.host,
    finding_type: acknowledgment.type,
    finding_key: acknowledgment.key,
    acknowledged_by: acknowledgment.by,
    reason: acknowledgment.reason,
    acknowledged_at: acknowledgment.at.toISOString(),
    carried_over: holder !== undefined && holder.id !== acknowledgment.containerId,
    given_for_container_id: acknowledgment.containerId,
    is_found: isFound,
  };
}

/** Since when a container runs so. */
export function sinceOf({ startedAt, firstSeenAt }: SavedContainer): Date {
  return startedAt ?? firstSeenAt;
}

export function insightRecord(container: SavedContainer, finding: Finding, ecosystem: Ecosystem | null): InsightRecord {
  const { type, key, bindings, database, acknowledgment } = finding;
  return {
    ...aboutOf(container),
    ecosystem,
    type,
    finding_key: key,
    severity: INSIGHTS[type].severity,
    category: INSIGHTS[type].category,
    ...wordsOf(container, finding),
    bindings: bindings.map(({ hostIp, hostPort }) => ({ host_ip: hostIp, host_port: hostPort })),
    database,
    since: sinceOf(container).toISOString(),
    acknowledgment: acknowledgment === undefined ? null : acknowledgmentRecord(acknowledgment, container, true),
  };
}

export function categoryRecord({ name, score, weight, findings }: CategoryScore) {
  return { name, score: Math.round(score), weight, findings };
}

/** How many findings there are of each severity. */
export function distributionOf(findings: Iterable<Pick<Insight, "type">>): { critical: number; high: number; medium: number } {
  const counts = { critical: 0, high: 0, medium: 0 };
  for (const { type } of findings) counts[INSIGHTS[type].severity] += 1;
  return counts;
}

export function containerPostureRecord({
  container,
  score,
  open,
  acknowledged,
}: {
  container: SavedContainer;
  score: Score;
  open: readonly Insight[];
  acknowledged: number;
}): ContainerPosture {
  return {
    ...aboutOf(container),
    score: Math.round(score.score),
    grade: gradeOf(score.score),
    categories: score.categories.map(categoryRecord),
    severity_distribution: distributionOf(open),
    acknowledged,
  };
}

export function stepRecord(container: SavedContainer, step: Step, gains: { gain: number; containerGain: number }): StepRecord {
  return {
    container_id: container.id,
    container_name: container.name,
    agent_id: container.agentId,
    remedy: step.remedy,
    ...describeStep(container, step),
    resolves: step.resolves.map(({ type, key }) => ({ type, finding_key: key, severity: INSIGHTS[type].severity })),
    image: step.image,
    gain: hundredths(gains.gain),
    container_gain: hundredths(gains.containerGain),
  };
}

function hundredths(points: number): number {
  return Math.max(0, Math.round(points * 100) / 100);
}
