import { ERROR_TABLE, type Fault, isServiceError } from "../../../platform/errors.ts";
import { answersOf } from "../../../http/answers.ts";
import { Answer, route, type Route } from "../../../http/route.ts";
import { bodyHead } from "../../../http/schemas.ts";
import { params, subscribeBody, subscriberQuery, tokenQuery } from "./api.ts";
import { askedPage, followedPage, linkPage, refusedPage, type Shell } from "./pages.ts";
import type { SubscriberService } from "./service.ts";
import type { TokenPurpose } from "./tokens.ts";

const answer = answersOf(() => import("./answers.ts"));

/** Source: specification, Limits. Each request may send a mail to a stranger, so all together are bounded too. */
const ASKED = { count: 5, countInAll: 300, windowSeconds: 3600 };
/** The body of one-click unsubscription says nothing that the address does not. */
const IGNORED_BYTES = 1024;

export function subscriberRoutes(service: SubscriberService, shell: Shell): Route[] {
  const admin = { tag: "Status page administration", access: "admin" } as const;
  return [
    route({
      method: "GET",
      path: "/api/v1/status/subscribers",
      summary: "List subscribers of the status page, the latest first",
      ...admin,
      query: subscriberQuery,
      responses: { 200: answer("subscriberList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      method: "DELETE",
      path: "/api/v1/status/subscribers/{id}",
      summary: "Delete a subscriber and the mails that wait for it",
      ...admin,
      params,
      responses: { 204: "" },
      handle: ({ params: { id } }) => service.remove(id),
    }),
    subscribeRoute(service, shell),
    ...linkRoutes(service, shell, "confirm", ["Shows what confirms a subscription; changes nothing", "Confirms a subscription"]),
    ...linkRoutes(service, shell, "unsubscribe", [
      "Shows what ends a subscription; changes nothing",
      "Ends a subscription; also by one click in a mail program (RFC 8058)",
    ]),
  ];
}

/** Why these are not in the audit log. */
const VISITORS = "a visitor's own subscription, which is in the list of subscribers until it is deleted";

function subscribeRoute(service: SubscriberService, shell: Shell): Route {
  return route({
    method: "POST",
    path: "/status/subscribe",
    summary: "Ask for mails; the answer is the same whether or not the address is known. A form is answered by a page",
    tag: "Public status routes",
    access: "public",
    unaudited: VISITORS,
    limit: ASKED,
    form: true,
    body: subscribeBody,
    errors: ["conflict", "mail_unavailable", "not_found"],
    responses: { 202: answer("subscribed"), 404: "text/html", 409: "text/html" },
    async handle({ body, headers }) {
      const isForm = headers["content-type"]?.toLowerCase().startsWith("application/x-www-form-urlencoded") === true;
      try {
        await service.subscribe(body);
      } catch (error) {
        if (!isForm || !isServiceError(error)) throw error;
        const faults = (Array.isArray(error.details) ? error.details : []) as Fault[];
        const sentence = faults.map(sentenceOf).join(" ") || error.message;
        return refusedPage(shell, { status: ERROR_TABLE[error.code].http, sentence, email: body.email });
      }
      return isForm ? askedPage(shell) : new Answer(202, { status: "confirmation_sent" });
    },
  });
}

/** A link of a mail shows a button; only the button does something. */
function linkRoutes(service: SubscriberService, shell: Shell, purpose: TokenPurpose, [shows, does]: readonly [string, string]): Route[] {
  const common = { path: `/status/${purpose}`, tag: "Public status routes", access: "public", query: tokenQuery } as const;
  const responses = { 200: "text/html", 404: "text/html", 410: "text/html" };
  return [
    route({
      ...common,
      method: "GET",
      summary: shows,
      responses,
      handle: async ({ query: { token } }) => linkPage(shell, purpose, await service.look(purpose, token), token),
    }),
    route({
      ...common,
      method: "POST",
      unaudited: VISITORS,
      summary: does,
      body: bodyHead,
      bodyHeadBytes: IGNORED_BYTES,
      responses,
      handle: async ({ query: { token } }) => followedPage(shell, purpose, await service.follow(purpose, token)),
    }),
  ];
}

function sentenceOf({ path, message }: Fault): string {
  return path === "email" ? `The address: ${message}.` : `${message}.`;
}
