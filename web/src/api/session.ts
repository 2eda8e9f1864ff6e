import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** How this browser was let in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request("GET /api/v1/session", { signal }),
});

/** Ends the sessions of all browsers, this one too. */
export function endAllSessions(): Promise<void> {
  return request("DELETE /api/v1/sessions");
}

let isLeaving = false;

/** The login form is on its way already: what is refused until then leads to no other. */
export function leaveForLogin(): void {
  isLeaving = true;
  // A page that comes back from the browser's cache may have to go again.
  addEventListener("pageshow", () => (isLeaving = false), { once: true });
}

/** Opens the login form, which leads back here. Each of several refused requests may ask for it: going twice would end the first on its way. */
export function goToLogin(): void {
  if (isLeaving) return;
  leaveForLogin();
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`);
}
