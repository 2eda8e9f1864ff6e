import type { UpdateType } from "../../events.ts";
import type { ImageReaders } from "../../images/index.ts";
import { checkImage } from "./check-image.ts";
import { type KnownImage, newScan, subjectKey } from "./known-image.ts";
import { caseKey } from "./projection.ts";
import { type AskedContainer, surveyOf } from "./questions.ts";
import { enrichmentToRow, imageToRow, scanToRow } from "./rows.ts";
import { standingOf } from "./standing.ts";
import { studyImage } from "./study.ts";

const ALL = { cves: true, risk: true, changelog: true };
const SCAN_MS = 40_000;

/** A newer image that is there for a container. */
export interface FoundNewer {
  containerId: number;
  type: UpdateType;
  currentTag: string | null;
  tag: string;
  seenMs: number;
}

/**
 * What one scan of containers and the studies after it save, as rows of their tables: of a demo, whose past is written in place of lived.
 * A newer image was first seen when `seenAt` says, by its publication.
 */
export async function recordScan(
  containers: readonly AskedContainer[],
  parts: { readers: ImageReaders; scanId: string; startedAt: Date; seenAt(publishedMs: number | null): number; signal: AbortSignal },
) {
  const { readers, scanId, startedAt, seenAt, signal } = parts;
  const now = startedAt.getTime();
  const images: ReturnType<typeof imageToRow>[] = [];
  const studies = new Map<string, ReturnType<typeof enrichmentToRow>>();
  const { questions } = surveyOf(containers, readers);
  const found: FoundNewer[] = [];
  let updatesFound = 0;
  for (const question of questions) {
    const known = seenSince(await checkImage({ readers, question, before: undefined, at: { scanId, now }, signal }), seenAt);
    for (const subject of question.subjects) images.push(imageToRow(subject, known));
    let isFound = false;
    for (const container of question.containers.filter((each) => question.subjects.includes(subjectKey(each)))) {
      const decisions = { pin: undefined, exclusion: undefined };
      const standing = standingOf({ running: container, settings: container.settings.updates, known, decisions });
      if (standing.available !== null && standing.type !== null) {
        const { tag, seenAt: seenMs } = standing.available;
        found.push({ containerId: container.id, type: standing.type, currentTag: known.reference?.tag ?? null, tag, seenMs });
        isFound = true;
      }
      const key = caseKey(container, known, standing);
      if (studies.has(key) || known.reference === null) continue;
      const { imageDigest: digest, imagePlatform: platform } = container;
      const asked = { key, reference: known.reference, platform, digest, available: standing.available };
      const { outline, details } = await studyImage(asked, { granted: ALL, readers, now: () => startedAt, signal });
      studies.set(key, enrichmentToRow(key, outline, details, startedAt));
    }
    updatesFound += Number(isFound);
  }
  const counts = { total: questions.length, scanned: questions.length, updatesFound };
  const scan = { ...newScan(scanId, "schedule", startedAt), ...counts, status: "completed" as const, completedAt: new Date(now + SCAN_MS) };
  const tables = [
    { table: "update_images", rows: images.map((row) => ({ ...row })) },
    { table: "update_enrichments", rows: [...studies.values()].map((row) => ({ ...row })) },
    { table: "update_scans", rows: [{ ...scanToRow(scan) }] },
  ];
  return { tables, found };
}

function seenSince(known: KnownImage, seenAt: (publishedMs: number | null) => number): KnownImage {
  const choices = Object.entries(known.choices).map(([key, choice]): [string, KnownImage["choices"][string]] => {
    if (choice.newer === null) return [key, choice];
    const { available } = choice.newer;
    return [key, { ...choice, newer: { ...choice.newer, available: { ...available, seenAt: seenAt(available.publishedAt) } } }];
  });
  const remote = known.remote && { ...known.remote, seenAt: seenAt(known.remote.publishedAt) };
  return { ...known, remote, choices: Object.fromEntries(choices) };
}
