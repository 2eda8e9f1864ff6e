import { escapeHtml } from "../../../http/page.ts";
import { Answer } from "../../../http/route.ts";
import type { LinkState } from "./subscriber.ts";
import type { TokenPurpose } from "./tokens.ts";

/** A page in the dress of the status page; `body` is HTML. */
export type Shell = (page: { title: string; body: string }) => string;

const HEADERS = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
const BACK = '<p><a href="/status/">To the status page</a></p>';

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
      sentence: "This subscription is confirmed. You will get a mail when something happens.",
    },
    used: {
      status: 410,
      title: "This link was used",
      sentence: "The subscription that it confirmed has ended since. To get mails again, subscribe again on the status page.",
    },
    expired: {
      status: 410,
      title: "This link is too old",
      sentence: "It was valid for 24 hours. Subscribe again on the status page to get another.",
    },
    gone: {
      status: 410,
      title: "This link is no longer valid",
      sentence: "The subscription that it would confirm has ended. Subscribe again on the status page to get another.",
    },
    unknown: {
      status: 404,
      title: "This link is not valid",
      sentence: "It may have been cut off or be too old. Copy the whole link from the mail, or subscribe again on the status page.",
    },
    other: {
      status: 404,
      title: "This link is not valid here",
      sentence: "It ends a subscription and does not confirm one. Use the link of the mail that asks for confirmation.",
    },
  },
  unsubscribe: {
    done: { status: 200, title: "You are unsubscribed", sentence: "You get no more mails of this page." },
    used: { status: 200, title: "You are unsubscribed", sentence: "You get no more mails of this page." },
    expired: { status: 410, title: "This link is too old", sentence: "Use the link of a newer mail to unsubscribe." },
    gone: { status: 200, title: "You are unsubscribed", sentence: "You get no more mails of this page." },
    unknown: {
      status: 404,
      title: "This link is not valid",
      sentence: "It may have been cut off or be too old. Copy the whole link from the mail, or use that of a newer one.",
    },
    other: {
      status: 404,
      title: "This link is not valid here",
      sentence: "It confirms a subscription and does not end one. Use the link of a mail that tells of an incident or maintenance.",
    },
  },
};

const OPEN: Readonly<Record<TokenPurpose, { title: string; sentence: string; button: string }>> = {
  confirm: { title: "Confirm your subscription", sentence: "You will get a mail when something happens.", button: "Confirm" },
  unsubscribe: { title: "Unsubscribe", sentence: "You will get no more mails of this page.", button: "Unsubscribe" },
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
    "If the address is right, a mail is on its way with a link that confirms the subscription. It is valid for 24 hours. If it does not come, look among the unwanted mails.";
  return messagePage(shell, { status: 202, title: "Look into your mailbox", sentence });
}

/** What was sent cannot be taken; what was typed stays. */
export function refusedPage(shell: Shell, { status, sentence, email }: { status: number; sentence: string; email: string }): Answer {
  const title = "That did not work";
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
