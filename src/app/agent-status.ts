import { renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RuntimeStatus } from "../collector/containers.ts";
import type { Uplink } from "../fleet/uplink/index.ts";
import { readBoundedFile } from "../platform/files.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

const WRITTEN_EVERY_MS = 10_000;
/** An agent that is alive writes before. */
const STALE_AFTER_MS = 45_000;
const LARGEST_FILE = 16_384;

/** The state of an agent, written beside its identity: it listens nowhere, so its health check reads this. */
const statusFile = z.object({
  /** It has not been stopped. */
  running: z.boolean(),
  /** It will never connect again: it was revoked. */
  retired: z.boolean(),
  connected: z.boolean(),
  /** Why it is not connected. */
  reason: z.string().nullable(),
  queued: z.number(),
  dropped: z.number(),
  /** What was too large to be sent, as sentences. */
  too_large: z.array(z.string()).default([]),
  /** Until when the runtime was watched; what happened since is asked for at the next start. */
  watched_until: z.coerce.date().nullable(),
});
export type AgentStatusFile = z.infer<typeof statusFile>;

/** Built after this, from where the run before left off. */
interface WatchedHost {
  status(): Pick<RuntimeStatus, "connected">;
}

export interface AgentStatusRepository {
  /** As the run before this one left it. */
  watchedUntil(): Date | undefined;
  start(host: WatchedHost): void;
  stop(): void;
}

function statusPath(dataDir: string): string {
  return join(dataDir, "agent-status.json");
}

/** Keeps the file for as long as the agent runs. */
export function createAgentStatus({
  dataDir,
  uplink,
  clock,
  log,
}: {
  dataDir: string;
  uplink: Pick<Uplink, "status" | "ended">;
  clock: Clock;
  log: Log;
}): AgentStatusRepository {
  const path = statusPath(dataDir);
  let watchedUntil = readFile(path)?.watched_until ?? null;
  let host: WatchedHost | undefined;
  let timer: Timer | undefined;
  let retired = false;
  let isLogged = false;

  function write(running: boolean): void {
    const { connected, reason, queued, dropped, tooLarge } = uplink.status();
    if (host?.status().connected) watchedUntil = clock.now();
    const counts = { queued, dropped, too_large: tooLarge };
    const status: AgentStatusFile = { running, retired, connected, reason, ...counts, watched_until: watchedUntil };
    try {
      writeFileSync(`${path}.new`, `${JSON.stringify(status, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      isLogged = false;
    } catch (error) {
      if (!isLogged) log.warn({ path, reason: messageOf(error) }, "status not written: the health check will fail");
      isLogged = true;
    }
  }

  function keepWriting(): void {
    write(true);
    timer = clock.after(WRITTEN_EVERY_MS, keepWriting);
  }

  return {
    watchedUntil: () => watchedUntil ?? undefined,
    start(watched) {
      host = watched;
      void uplink.ended.then(() => (retired = true));
      keepWriting();
    },
    stop() {
      timer?.cancel();
      write(false);
    },
  };
}

/** The state of the agent that runs on that folder; undefined when none does. */
export function readAgentStatus(dataDir: string, clock: Clock): AgentStatusFile | undefined {
  const path = statusPath(dataDir);
  const status = readFile(path);
  const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  return status?.running === true && clock.now().getTime() - writtenMs <= STALE_AFTER_MS ? status : undefined;
}

/** undefined when it is not there, or torn. */
function readFile(path: string): AgentStatusFile | undefined {
  try {
    return statusFile.parse(JSON.parse(readBoundedFile(path, LARGEST_FILE)));
  } catch {
    return undefined;
  }
}
