import { escapeHtml } from "../../../http/page.ts";
import { ERROR_TABLE, type Fault, isServiceError } from "../../../platform/errors.ts";
import { schemasOf } from "../../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../../http/route.ts";
import { bodyHead } from "../../../http/schemas.ts";
import type { SubscriberService } from "./service.ts";
import type { TokenPurpose, LinkState } from "./subscriber.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

/** Source: specification, Limits. Each request may send a mail to a stranger, so all together are bounded too. */
const ASKED = { count: 5, countInAll: 300, windowSeconds: 3600 };
/** The body of one-click unsubscription adds nothing to the address. */
const IGNORED_BYTES = 1024;

export function subscriberRoutes(service: SubscriberService, shell: Shell): Route[] {
  const admin = { tag: "Status page administration", access: "admin" } as const;
  return [
    route({
      method: "GET",
      path: "/api/v1/status/subscribers",
      summary: "List subscribers of the status page, the latest first",
      ...admin,
      query: taken("subscriberQuery"),
      responses: { 200: answer("subscriberList") },
      handle: ({ query }) => service.list(query),
    }),
    route({
      method: "DELETE",
      path: "/api/v1/status/subscribers/{id}",
      summary: "Delete a subscriber and the mails that wait for it",
      ...admin,
      params: taken("params"),
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
    body: taken("subscribeBody"),
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
  const common = { path: `/status/${purpose}`, tag: "Public status routes", access: "public", query: taken("tokenQuery") } as const;
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

/** A page in the layout of the status page; `body` is HTML. */
type Shell = (page: { title: string; body: string }) => string;

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
const BACK = '<p><a href="/status/">Go to status page</a></p>';

interface Words {
  status: number;
  title: string;
  sentence: string;
}

/** Links that can do nothing any more, or have nothing to do. */
const CLOSED: Readonly<Record<TokenPurpose, Record<Exclude<LinkState, "valid">, Words>>> = {
  confirm: {
    done: {
      status: 200,
      title: "You are subscribed",
      sentence: "Your subscription is confirmed. You will get an email about incidents and maintenance.",
    },
    used: {
      status: 410,
      title: "This link was already used",
      sentence: "The subscription has ended since. To get emails again, subscribe on the status page.",
    },
    expired: {
      status: 410,
      title: "This link has expired",
      sentence: "It was valid for 24 hours. Subscribe again on the status page to get a new one.",
    },
    gone: {
      status: 410,
      title: "This link is no longer valid",
      sentence: "The subscription has ended. Subscribe again on the status page to get a new link.",
    },
    unknown: {
      status: 404,
      title: "This link is not valid",
      sentence: "It may be incomplete or expired. Copy the whole link from the email, or subscribe again on the status page.",
    },
    other: {
      status: 404,
      title: "This link is not valid here",
      sentence: "It is an unsubscribe link. Use the link in the confirmation email.",
    },
  },
  unsubscribe: {
    done: { status: 200, title: "You are unsubscribed", sentence: "You will get no more emails from this page." },
    used: { status: 200, title: "You are unsubscribed", sentence: "You will get no more emails from this page." },
    expired: { status: 410, title: "This link has expired", sentence: "Use the link in a newer email to unsubscribe." },
    gone: { status: 200, title: "You are unsubscribed", sentence: "You will get no more emails from this page." },
    unknown: {
      status: 404,
      title: "This link is not valid",
      sentence: "It may be incomplete or expired. Copy the whole link from the email, or use the link in a newer one.",
    },
    other: {
      status: 404,
      title: "This link is not valid here",
      sentence: "It is a confirmation link. Use the unsubscribe link in a notification email.",
    },
  },
};

const OPEN: Readonly<Record<TokenPurpose, { title: string; sentence: string; button: string }>> = {
  confirm: { title: "Confirm your subscription", sentence: "You will get an email about incidents and maintenance.", button: "Confirm" },
  unsubscribe: { title: "Unsubscribe", sentence: "You will get no more emails from this page.", button: "Unsubscribe" },
};

/** What a link shows before anything is done: following it alone does nothing, since programs follow links too. */
function linkPage(shell: Shell, purpose: TokenPurpose, state: LinkState, token: string): Answer {
  if (state !== "valid") return messagePage(shell, CLOSED[purpose][state]);
  const { title, sentence, button } = OPEN[purpose];
  const action = `/status/${purpose}?token=${encodeURIComponent(token)}`;
  const body = `<h1>${title}</h1>\n<p>${sentence}</p>\n<form method="post" action="${escapeHtml(action)}"><button>${button}</button></form>\n${BACK}`;
  return new Answer(200, shell({ title, body }), HEADERS);
}

/** What is shown after the button was clicked. */
function followedPage(shell: Shell, purpose: TokenPurpose, state: LinkState): Answer {
  return messagePage(shell, CLOSED[purpose][state === "valid" ? "done" : state]);
}

function askedPage(shell: Shell): Answer {
  const sentence =
    "If the address is correct, you will get an email with a confirmation link. It is valid for 24 hours. If it does not arrive, check your spam folder.";
  return messagePage(shell, { status: 202, title: "Check your inbox", sentence });
}

/** What was sent cannot be taken; what was typed stays. */
function refusedPage(shell: Shell, { status, sentence, email }: { status: number; sentence: string; email: string }): Answer {
  const title = "Subscription failed";
  const body = `<h1>${title}</h1>
<p id="fault" role="alert">${escapeHtml(sentence)}</p>
<form method="post" action="/status/subscribe">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" maxlength="254" required aria-describedby="fault" value="${escapeHtml(email.slice(0, 300))}">
<button>Subscribe</button>
</form>
${BACK}`;
  return new Answer(status, shell({ title, body }), HEADERS);
}

function messagePage(shell: Shell, { status, title, sentence }: Words): Answer {
  return new Answer(status, shell({ title, body: `<h1>${title}</h1>\n<p role="status">${sentence}</p>\n${BACK}` }), HEADERS);
}
