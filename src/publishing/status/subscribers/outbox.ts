import type { Clock } from "../../../platform/clock.ts";
import { Dispatcher, type Mark } from "../../../platform/dispatcher.ts";
import type { Attempt, Refusal } from "../../../platform/delivery-schedule.ts";
import { isServiceError } from "../../../platform/errors.ts";
import type { Log } from "../../../platform/log.ts";
import type { Mailer, MailMessage } from "../../../platform/mailer.ts";
import type { Scheduler } from "../../../platform/scheduler.ts";
import { confirmationMail, type EmailHeader, noticeMail } from "./email-templates.ts";
import type { Notice } from "./notice.ts";
import { CONFIRM_MS, NEWS_MS, createTokens, type TokenPurpose } from "./subscriber.ts";
import { LEFT, NO_MAIL_SERVER, TOO_LATE, type WaitingMail } from "./rows.ts";
import type { MailStore, OpenedMail } from "./mail-store.ts";

const ATTEMPT_MS = 10_000;
/** Longer than an attempt with what is saved before and after it. */
const LEASE_MS = 30_000;

export interface OutboxDependencies {
  store: MailStore;
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  emailHeader: () => EmailHeader;
  /** What a token becomes in a mail. */
  linkTo: (purpose: TokenPurpose, token: string) => string;
  /** Names of components that are on the page. */
  namesOf: (components: readonly number[]) => string[];
  clock: Clock;
  scheduler: Scheduler;
  log: Log;
}

/** Sends mails, which wait as rows until they are. */
export interface Outbox {
  start(): void;
  stop(): Promise<void>;
  /** Something may be due in that lane. */
  poke(lane: number): void;
}

export function createOutbox({ store, mailer, emailHeader, linkTo, namesOf, clock, scheduler, log }: OutboxDependencies): Outbox {
  const tokenOf = createTokens();

  function write(mail: OpenedMail, token: string): MailMessage & { headers: Record<string, string> } {
    if (mail.about === "confirmation") {
      const confirmUrl = linkTo("confirm", token);
      const { isSubscribed, components } = mail;
      return { ...confirmationMail(emailHeader(), { confirmUrl, chosen: namesOf(components), isSubscribed }), headers: {} };
    }
    const unsubscribeUrl = linkTo("unsubscribe", token);
    const headers = {
      // RFC 8058
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      References: threadOf(mail.notice),
    };
    return { ...noticeMail(emailHeader(), mail.notice, unsubscribeUrl), headers };
  }

  async function attempt(item: WaitingMail, signal: AbortSignal): Promise<Attempt | Refusal> {
    if (mailer === undefined) return { refused: NO_MAIL_SERVER };
    const now = clock.now();
    const patienceMs = item.noticeId === null ? CONFIRM_MS : NEWS_MS;
    if (now.getTime() - item.createdAt.getTime() > patienceMs) return { refused: TOO_LATE };
    const { token, hash } = tokenOf(item);
    let mail: OpenedMail | undefined;
    try {
      mail = await store.open(item, hash, now);
    } catch (error) {
      if (!isServiceError(error, "storage_unavailable")) throw error;
      return { status: "failed", statusCode: null, durationMs: 0, error: "The database could not be reached.", retryAfterMs: null };
    }
    if (mail === undefined) return { refused: LEFT };
    // Databases count from 1, and one mailbox may get mail from several.
    const key = `status-${item.id}-${item.createdAt.getTime().toString(36)}`;
    return mailer.send({ ...write(mail, token), recipients: [mail.email], key, signal, timeoutMs: ATTEMPT_MS });
  }

  function logFailures(marks: readonly Mark<WaitingMail>[]): void {
    const count = marks.filter(({ status, attempt: tried }) => status === "failed" && tried !== null).length;
    if (count > 0) log.warn({ count }, "mails of the status page were given up; the list of subscribers shows why");
  }

  return new Dispatcher<WaitingMail>({
    name: "status mails",
    outbox: store.outbox,
    standing: () => (mailer === undefined ? { patienceMs: 0, error: NO_MAIL_SERVER } : "open"),
    attempt,
    onKept: logFailures,
    clock,
    scheduler,
    log,
    leaseMs: LEASE_MS,
  });
}

/** Mail programs show together what refers to the same. */
function threadOf({ about, id }: Notice): string {
  return `<status-${about}-${id}@binnacle.invalid>`;
}
