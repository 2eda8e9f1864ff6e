import { isServiceError, StartError } from "../platform/errors.ts";
import type { DatabaseStatus } from "../storage/database.ts";

/** What ends the start: the loss of the database is not a defect of the program, so it becomes a StartError with its reason. */
export function lostAtStart(error: unknown, { error: reason }: DatabaseStatus): unknown {
  if (reason === null || !isServiceError(error, "storage_unavailable")) return error;
  return new StartError(`The database was lost while the program started: ${reason}.`, { cause: error });
}
