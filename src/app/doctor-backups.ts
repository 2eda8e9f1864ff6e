import { shownTarget, type BackupTarget } from "../config/backup-options.ts";
import type { Config } from "../config/config.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import { listBucket } from "./backups/destination.ts";
import { destinationOf } from "./backups/destination-options.ts";
import { readLastBackup } from "./backups/last-backup.ts";
import { type Finding, folderFinding } from "./finding.ts";

const BUCKET_WITHIN_MS = 15_000;
/** A backup that is late by as much again was missed. */
const LATE_INTERVALS = 2;

/** Whether the place for backups can be used, and how old the last one is. A bucket is only listed: that it can be written shows with the first backup. */
export async function backupFindings(config: Config, clock: Clock = systemClock): Promise<Finding[]> {
  const { backupTarget: target } = config;
  if (target === undefined)
    return [{ verdict: "ok", text: "none are taken; set SERVICE_BACKUP_DIR or SERVICE_BACKUP_S3, or run `backup FILE` yourself" }];
  return [await placeFinding(target, config, clock), lastFinding(target, config, clock)];
}

async function placeFinding(target: BackupTarget, config: Config, clock: Clock): Promise<Finding> {
  const options = destinationOf(target, config);
  if (options.kind === "folder")
    return folderFinding(options.folder, {
      roomFor: "backups need room",
      remedy: "Change its owner, or name another with SERVICE_BACKUP_DIR.",
    });
  const where = shownTarget(target);
  const patience = new AbortController();
  const timer = clock.after(BUCKET_WITHIN_MS, () => patience.abort());
  try {
    const { length: count } = await listBucket(options, patience.signal);
    return { verdict: "ok", text: `${where} can be listed and holds ${count === 1 ? "1 backup" : `${count} backups`}` };
  } catch (error) {
    const text = patience.signal.aborted ? `${where} did not answer within ${BUCKET_WITHIN_MS / 1000} s` : messageOf(error);
    return { verdict: "fail", text };
  } finally {
    timer.cancel();
  }
}

function lastFinding(target: BackupTarget, config: Config, clock: Clock): Finding {
  const last = readLastBackup(target, config);
  if (last === undefined) return { verdict: "ok", text: "none was taken yet; the first is taken soon after a start" };
  const ageMs = clock.now().getTime() - Date.parse(last.takenAt);
  const text = `the last was taken at ${last.takenAt} and verified by a trial restore`;
  if (ageMs <= LATE_INTERVALS * config.backupInterval) return { verdict: "ok", text };
  return {
    verdict: "warn",
    text: `${text}; that is longer ago than ${LATE_INTERVALS} intervals, so look for \`backup failed\` in the log`,
  };
}
