import type { ContainerStatus } from "./status-facts.ts";
import type { Status } from "./status.ts";

/** What is not seen is not healthy; what was wrong is not known to be over. */
export function lastKnownStatus(status: Status): Status {
  return status === "ok" ? "idle" : status;
}

/** The same of a status in words. */
export function lastKnown<Shown extends Pick<ContainerStatus, "status" | "word">>(shown: Shown): Shown {
  return { ...shown, status: lastKnownStatus(shown.status), word: `Last known: ${shown.word}` };
}
