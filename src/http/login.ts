import { z } from "zod";
import { sessionView } from "./api.ts";
import { isServiceError } from "../platform/errors.ts";
import type { AdminAccess } from "./admin-access.ts";
import { escapeHtml, renderPage } from "./page.ts";
import { retrySecondsOf } from "./replies.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";

const HTML = "text/html; charset=utf-8";
const NO_STORE = { "cache-control": "no-store" };

/** How the caller is authenticated. Without an admin token every caller has access. */
export function sessionRoute(access: AdminAccess | undefined): Route {
  return route({
    method: "GET",
    path: "/api/v1/session",
    summary: "How you were let in, and until when",
    tag: "Admin API and dashboard",
    access: "admin",
    responses: { 200: sessionView },
    handle(request) {
      const caller = access?.callerOf(request);
      const endsAtMs = caller?.kind === "session" ? caller.session.endsAtMs : undefined;
      const body = { kind: caller?.kind ?? "anyone", ends_at: endsAtMs === undefined ? null : new Date(endsAtMs).toISOString() };
      return new Answer(200, body, NO_STORE);
    },
  });
}

/** The login form and its two POST routes, which work without JavaScript, and the route that ends all sessions. */
export function loginRoutes(access: AdminAccess): Route[] {
  return [
    route({
      method: "GET",
      path: "/login",
      summary: "The form that asks for the admin token",
      tag: "Admin API and dashboard",
      access: "open",
      query: z.object({ next: z.string().optional().catch(undefined) }),
      responses: { 200: "text/html" },
      handle: ({ query }) => new Answer(200, loginPage(localPath(query.next)), { ...NO_STORE, "content-type": HTML }),
    }),
    route({
      method: "POST",
      path: "/login",
      summary: "Begins a session with the admin token",
      tag: "Admin API and dashboard",
      access: "open",
      form: true,
      body: z.strictObject({ token: z.string().max(1024), next: z.string().max(2048).optional() }),
      responses: { 303: "", 401: "text/html", 429: "text/html" },
      handle({ body, clientAddress }) {
        const next = localPath(body.next);
        const refuse = (status: number, fault: string, headers: Record<string, string> = {}): Answer =>
          new Answer(status, loginPage(next, fault), { ...NO_STORE, ...headers, "content-type": HTML });
        try {
          if (access.accepts(body.token.trim(), clientAddress, "login")) {
            return new Answer(303, undefined, { ...NO_STORE, location: next, "set-cookie": access.beginSession() });
          }
          return refuse(401, "That is not the token. It is the value of SERVICE_ADMIN_TOKEN.");
        } catch (error) {
          if (!isServiceError(error, "rate_limited")) throw error;
          return refuse(429, error.message, { "retry-after": String(retrySecondsOf(error)) });
        }
      },
    }),
    route({
      method: "POST",
      path: "/logout",
      summary: "Ends the session and its open streams",
      tag: "Admin API and dashboard",
      access: "open",
      auditOutcome: (_answer, isKnownCaller) => (isKnownCaller ? "done" : "nothing"),
      form: true,
      responses: { 303: "" },
      handle: async ({ headers }) =>
        new Answer(303, undefined, { ...NO_STORE, location: "/login", "set-cookie": await access.endSession(headers) }),
    }),
    route({
      method: "DELETE",
      path: "/api/v1/sessions",
      summary: "End all sessions of the login form, and their open streams",
      tag: "Admin API and dashboard",
      access: "admin",
      responses: { 204: "" },
      handle: () => access.endedSessions.endAll(),
    }),
  ];
}

/** A path of this site, so that after the login a link cannot lead to another site. */
function localPath(next = ""): string {
  const url = next.startsWith("/") ? URL.parse(next, "http://localhost") : null;
  const path = url === null ? "/" : url.pathname + url.search;
  return path.startsWith("//") ? "/" : path;
}

function loginPage(next: string, fault?: string): string {
  return renderPage({
    title: "Log in",
    body: `<h1>Log in to Binnacle</h1>
<form method="post" action="/login">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<input autocomplete="username" value="admin" hidden>
<label for="token">Admin token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus${fault === undefined ? "" : ' aria-invalid="true" aria-describedby="fault"'}>
${fault === undefined ? "" : `<p id="fault" role="alert">${escapeHtml(fault)}</p>`}
<button>Log in</button>
</form>`,
  });
}
