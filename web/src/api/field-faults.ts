import { type ApiError, isApiError } from "./client.ts";

/** The server found the values of a body wrong, each by itself or together. */
export function isInputFault(error: unknown): error is ApiError {
  return isApiError(error, "validation_failed") || isApiError(error, "unusable_values");
}

/** What the server found wrong with a body, by the path of each field; the first fault of a field counts. */
export function fieldFaults(error: Error | null): Record<string, string> {
  if (!isInputFault(error) || !Array.isArray(error.details)) return {};
  const details: unknown[] = error.details;
  const faults: Record<string, string> = {};
  for (const detail of details) {
    if (typeof detail !== "object" || detail === null || !("path" in detail) || !("message" in detail)) continue;
    faults[String(detail.path)] ??= String(detail.message);
  }
  return faults;
}
