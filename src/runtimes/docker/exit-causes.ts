import { constants } from "node:os";
import { MINUTE_MS } from "../../contract/time.ts";
import { type InspectedContainer, signalNumber } from "./container.ts";
import type { EngineEvent } from "./event.ts";

/** What came shortly before a container's end and explains it. */
export interface ExitCause {
  /** Someone asked the engine to stop or kill it. */
  stopRequested: boolean;
  /** The kernel killed a process of it for memory. */
  outOfMemory: boolean;
}

export const NO_EXIT_CAUSE: ExitCause = { stopRequested: false, outOfMemory: false };

export interface ExitCauses {
  note(event: EngineEvent): void;
  /** What explains an end at this event; forgotten with it. */
  take(event: EngineEvent, container: Pick<InspectedContainer, "stopSignal" | "stopTimeoutMs" | "disguised"> | undefined): ExitCause;
  forget(containerId: string): void;
  /** Takes an event that is not reported any more, for what it means to later ones. */
  takePast(event: EngineEvent): void;
}

/** A container may take this long to follow a stop request, or as long as its own stop timeout. */
export const STOP_WINDOW_MS = MINUTE_MS;
const MEMORY_WINDOW_MS = 5_000;
const MAX_REMEMBERED = 10_000;

/** Signals that notify a process and do not end it; unless they are the container's own stop signal. */
const { SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGSTOP, SIGTSTP, SIGWINCH, SIGCHLD, SIGURG } = constants.signals;
const NOT_ENDING = new Set<number>([SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGSTOP, SIGTSTP, SIGWINCH, SIGCHLD, SIGURG]);

/** Remembers kill and out-of-memory events until the end they explain, or the start that makes them past. */
export function createExitCauses(): ExitCauses {
  const noted = new Map<string, { killedNs?: bigint; signals: Set<number | undefined>; memoryNs?: bigint }>();

  function note({ action, containerId, timeNs, signal }: EngineEvent): void {
    if (action !== "kill" && action !== "oom") return;
    const entry = noted.get(containerId) ?? { signals: new Set() };
    if (action === "oom") entry.memoryNs = timeNs;
    else {
      entry.killedNs = timeNs;
      entry.signals.add(signalNumber(signal));
    }
    noted.delete(containerId);
    noted.set(containerId, entry);
    const [oldest] = noted.keys();
    if (noted.size > MAX_REMEMBERED && oldest !== undefined) noted.delete(oldest);
  }

  return {
    note,
    take({ containerId, timeNs }, container) {
      const entry = noted.get(containerId);
      noted.delete(containerId);
      const windowMs = Math.max(STOP_WINDOW_MS, (container?.stopTimeoutMs ?? 0) + 10_000);
      const isUnknown = container?.disguised.includes("signal") === true;
      const ending = [...(entry?.signals ?? [])].some(
        (signal) => isUnknown || signal === undefined || signal === container?.stopSignal || !NOT_ENDING.has(signal),
      );
      return {
        stopRequested: ending && isWithin(entry?.killedNs, timeNs, windowMs),
        outOfMemory: isWithin(entry?.memoryNs, timeNs, MEMORY_WINDOW_MS),
      };
    },
    forget: (containerId) => void noted.delete(containerId),
    takePast(event) {
      if (["die", "start", "destroy"].includes(event.action)) noted.delete(event.containerId);
      else note(event);
    },
  };
}

function isWithin(beforeNs: bigint | undefined, timeNs: bigint, windowMs: number): boolean {
  return beforeNs !== undefined && timeNs - beforeNs <= BigInt(windowMs) * 1_000_000n;
}
