import { queryOptions } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
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
/** Forms with changes, which the login form would take away. */
let forms = 0;
/** A session is missed, and a form keeps the page. */
let isMissed = false;
const listeners = new Set<() => void>();

/** The login form is on its way already: what is refused until then leads to no other. */
export function leaveForLogin(): void {
  isLeaving = true;
  // A page that comes back from the browser's cache may have to go again.
  addEventListener("pageshow", () => (isLeaving = false), { once: true });
}

/** The address of the login form that leads back here. */
export function loginUrl(): string {
  return `/login?next=${encodeURIComponent(location.pathname + location.search)}`;
}

/**
 * Opens the login form, which leads back here; while a form has changes, a notice links to it. Each of several refused requests may ask for it:
 * going twice would end the first on its way.
 */
export function goToLogin(): void {
  if (forms > 0) return setMissed(true);
  if (isLeaving) return;
  leaveForLogin();
  location.assign(loginUrl());
}

/** Keeps the page for a form with changes; returns how to let it go. */
export function holdPage(): () => void {
  forms += 1;
  return () => (forms -= 1);
}

/** The server answered what needs a session. */
export function noteSession(): void {
  setMissed(false);
}

function setMissed(next: boolean): void {
  if (next === isMissed) return;
  isMissed = next;
  for (const listener of listeners) listener();
}

/** Whether somebody has to log in elsewhere, since a form keeps this page. */
export function useIsSessionMissed(): boolean {
  return useSyncExternalStore(subscribe, () => isMissed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
