import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Outbound } from "../../platform/outbound.ts";
import { counted } from "../../platform/text.ts";
import type { Database } from "../../storage/database.ts";
import type { PackageList, VulnerabilityList } from "../image.ts";
import { type Finding, findingsOf, vulnerabilityOf, worstFirst, questionsOf, unreadPackages } from "./findings.ts";
import { createOfflineSource } from "./offline/offline.ts";
import { createOsvApi } from "./online/api.ts";
import { createKeptRecords } from "./online/kept-records.ts";
import { createOnlineSource } from "./online/online.ts";
import { scoreOf } from "./severity.ts";
import { SourceError, inParallel } from "./source.ts";
import { createRecordStore } from "./store.ts";

export interface VulnerabilitiesDependencies {
  outbound: Pick<Outbound, "open">;
  osvUrl: string;
  /** When it is set nothing is asked of the network. */
  osvDir: string | undefined;
  database: Database;
  clock: Clock;
  log: Log;
}

export interface VulnerabilityFinder {
  /** Never throws but for the signal. */
  find(packages: PackageList, signal: AbortSignal): Promise<VulnerabilityList>;
}

export interface Vulnerabilities extends VulnerabilityFinder {
  /** Forgets records that nobody used for long. */
  prune(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Records of CVEs that are looked up for one image, since their distribution's record has no vector. */
const MOST_CVES_LOOKED_UP = 1000;
const LOOKED_UP_AT_ONCE = 4;

/** Finds what is known to be wrong with packages, in the database of OSV or in a folder of its records. */
export function createVulnerabilities({ outbound, osvUrl, osvDir, database, clock, log }: VulnerabilitiesDependencies): Vulnerabilities {
  const kept = createKeptRecords({ store: createRecordStore(database), clock, log });
  const offline = osvDir === undefined ? undefined : createOfflineSource({ folder: osvDir, clock, log });
  const source = offline ?? createOnlineSource({ api: createOsvApi({ outbound, url: osvUrl, clock }), kept, now: () => clock.now() });

  /** Takes the vector of a CVE's own record where no record of the package has one; answers for how many, and of how many it was not asked for. */
  async function lookUpScores(findings: readonly Finding[], signal: AbortSignal): Promise<{ taken: number; unasked: number }> {
    const wanted = new Set(
      findings.flatMap(({ cve, score, records }) => (score === undefined && records.every(({ id }) => id !== cve) ? (cve ?? []) : [])),
    );
    const scores = new Map<string, Finding["score"]>();
    let unasked = Math.max(0, wanted.size - MOST_CVES_LOOKED_UP);
    await inParallel([...wanted].slice(0, MOST_CVES_LOOKED_UP), LOOKED_UP_AT_ONCE, async (cve) => {
      try {
        const record = await source.record(cve, signal);
        if (record !== undefined && !record.withdrawn) scores.set(cve, scoreOf(record.severity));
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        unasked += 1;
      }
    });
    let taken = 0;
    for (const finding of findings) {
      if (finding.score !== undefined || finding.cve === null) continue;
      finding.score = scores.get(finding.cve);
      taken += Number(finding.score !== undefined);
    }
    return { taken, unasked };
  }

  async function look(packages: PackageList, signal: AbortSignal): Promise<Omit<VulnerabilityList, "checkedAt">> {
    const { questions, left } = questionsOf(packages.packages);
    const answer = await source.records(questions, signal);
    const findings = questions.flatMap((question, index) => findingsOf(question, answer.records[index] ?? []));
    const { taken: borrowed, unasked } = await lookUpScores(findings, signal);
    const notes = [
      ...(left > 0 ? [`${counted(left, "package")} of the image were not looked up: there are too many.`] : []),
      ...answer.notes,
      ...(borrowed > 0
        ? [`For ${counted(borrowed, "vulnerability record")} the score is that of the CVE, since the record of the package has none.`]
        : []),
      ...(unasked > 0
        ? [
            `The records of ${counted(unasked, "CVE")} were not read, which are too many or were not answered: how bad they are may be known there.`,
          ]
        : []),
    ];
    return {
      known: answer.whole && left === 0,
      vulnerabilities: findings.map(vulnerabilityOf).sort(worstFirst),
      note: notes.length > 0 ? notes.join(" ") : null,
      absent: answer.absent,
      unread: answer.unread.map(unreadPackages),
    };
  }

  return {
    async find(packages, signal) {
      signal.throwIfAborted();
      const checkedAt = clock.now();
      if (packages.source === null || (packages.packages.length === 0 && !packages.complete))
        return { known: false, vulnerabilities: [], note: "The packages of the image are not known.", checkedAt };
      try {
        return { ...(await look(packages, signal)), checkedAt };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SourceError)) log.error({ err: error }, "vulnerabilities could not be looked up");
        const note = error instanceof SourceError ? error.message : "The vulnerabilities could not be looked up; the log says why.";
        return { known: false, vulnerabilities: [], note, checkedAt };
      }
    },
    prune: (signal) => kept.prune(signal),
    stop: () => offline?.stop(),
  };
}
