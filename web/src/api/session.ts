import { queryOptions } from "@tanstack/react-query";
import type { SessionView } from "../../../src/http/api.ts";
import { deleteJson, getJson } from "./client.ts";

/** How this browser was let in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => getJson<SessionView>("/api/v1/session", { signal }),
});

/** Ends the sessions of all browsers, this one too. */
export function endAllSessions(): Promise<void> {
  return deleteJson("/api/v1/sessions");
}

/** Opens the login form, which leads back here. */
export function goToLogin(): void {
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}
