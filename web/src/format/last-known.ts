import type { ContainerStatus } from "./status-facts.ts";
import type { Status } from "./status.ts";

/** What is not seen is not healthy; what was wrong is not known to be over. */
export function lastKnownStatus(status: Status): Status {
  return status === "ok" ? "idle" : status;
}

/** The same of a status in words. */
export function lastKnown<Told extends Pick<ContainerStatus, "status" | "word">>(told: Told): Told {
  return { ...told, status: lastKnownStatus(told.status), word: `Last known: ${told.word}` };
}
