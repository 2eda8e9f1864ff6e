import { z } from "zod";
import type { AdminAccess } from "./admin-access.ts";
import { escapeHtml, renderPage } from "./page.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";

const HTML = "text/html; charset=utf-8";
const NO_STORE = { "cache-control": "no-store" };

/** The login form and its two posts; complete without JavaScript. */
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
      limit: { count: 10, windowSeconds: 300 },
      form: true,
      body: z.strictObject({ token: z.string().max(1024), next: z.string().max(2048).optional() }),
      responses: { 303: "text/html", 401: "text/html" },
      handle({ body }) {
        const next = localPath(body.next);
        if (access.isToken(body.token.trim())) {
          return new Answer(303, undefined, { ...NO_STORE, location: next, "set-cookie": access.sessionCookie() });
        }
        return new Answer(401, loginPage(next, "That is not the token. It is the value of SERVICE_ADMIN_TOKEN."), {
          ...NO_STORE,
          "content-type": HTML,
        });
      },
    }),
    route({
      method: "POST",
      path: "/logout",
      summary: "Ends the session",
      tag: "Admin API and dashboard",
      access: "open",
      form: true,
      responses: { 303: "text/html" },
      handle: () => new Answer(303, undefined, { ...NO_STORE, location: "/login", "set-cookie": access.endedCookie() }),
    }),
  ];
}

/** A path of this site, so that a link to the form cannot lead elsewhere after it. */
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
