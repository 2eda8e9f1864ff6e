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

function statusPath(dataDir: string): string {
  return join(dataDir, "agent-status.json");
}

export interface AgentStatusDependencies {
  dataDir: string;
  uplink: Pick<Uplink, "status" | "ended">;
  clock: Clock;
  log: Log;
}

/** Keeps the file for as long as the agent runs. */
export class AgentStatusRepository {
  readonly #uplink: AgentStatusDependencies["uplink"];
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #path: string;
  #watchedUntil: Date | null;
  #host: WatchedHost | undefined;
  #timer: Timer | undefined;
  #retired = false;
  #isLogged = false;

  constructor({ dataDir, uplink, clock, log }: AgentStatusDependencies) {
    this.#uplink = uplink;
    this.#clock = clock;
    this.#log = log;
    this.#path = statusPath(dataDir);
    this.#watchedUntil = readFile(this.#path)?.watched_until ?? null;
  }

  /** Until when the runtime was watched, by the run before this one until this one watches it. */
  watchedUntil(): Date | undefined {
    return this.#watchedUntil ?? undefined;
  }

  start(host: WatchedHost): void {
    this.#host = host;
    void this.#uplink.ended.then(() => (this.#retired = true));
    this.#keepWriting();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#write(false);
  }

  #keepWriting(): void {
    this.#write(true);
    this.#timer = this.#clock.after(WRITTEN_EVERY_MS, () => this.#keepWriting());
  }

  #write(running: boolean): void {
    const { connected, reason, queued, dropped, tooLarge } = this.#uplink.status();
    if (this.#host?.status().connected) this.#watchedUntil = this.#clock.now();
    const counts = { queued, dropped, too_large: tooLarge };
    const status: AgentStatusFile = { running, retired: this.#retired, connected, reason, ...counts, watched_until: this.#watchedUntil };
    const path = this.#path;
    try {
      writeFileSync(`${path}.new`, `${JSON.stringify(status, undefined, 2)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      this.#isLogged = false;
    } catch (error) {
      if (!this.#isLogged) this.#log.warn({ path, reason: messageOf(error) }, "status not written: the health check will fail");
      this.#isLogged = true;
    }
  }
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
