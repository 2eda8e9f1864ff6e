import { escapeHtml } from "../../../http/page.ts";
import { Answer } from "../../../http/route.ts";
import type { LinkState } from "./subscriber.ts";
import type { TokenPurpose } from "./tokens.ts";

/** A page in the dress of the status page; `body` is HTML. */
export type Shell = (page: { title: string; body: string }) => string;

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
const BACK = '<p><a href="/status/">Go to status page</a></p>';

interface Words {
  status: number;
  title: string;
  sentence: string;
}

/** Those that nothing can be done with any more, or that nothing has to be done with. */
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
export function linkPage(shell: Shell, purpose: TokenPurpose, state: LinkState, token: string): Answer {
  if (state !== "valid") return messagePage(shell, CLOSED[purpose][state]);
  const { title, sentence, button } = OPEN[purpose];
  const action = `/status/${purpose}?token=${encodeURIComponent(token)}`;
  const body = `<h1>${title}</h1>\n<p>${sentence}</p>\n<form method="post" action="${escapeHtml(action)}"><button>${button}</button></form>\n${BACK}`;
  return new Answer(200, shell({ title, body }), HEADERS);
}

/** What is shown after the button was pressed. */
export function followedPage(shell: Shell, purpose: TokenPurpose, state: LinkState): Answer {
  return messagePage(shell, CLOSED[purpose][state === "valid" ? "done" : state]);
}

export function askedPage(shell: Shell): Answer {
  const sentence =
    "If the address is correct, you will get an email with a confirmation link. It is valid for 24 hours. If it does not arrive, check your spam folder.";
  return messagePage(shell, { status: 202, title: "Check your inbox", sentence });
}

/** What was sent cannot be taken; what was typed stays. */
export function refusedPage(shell: Shell, { status, sentence, email }: { status: number; sentence: string; email: string }): Answer {
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
