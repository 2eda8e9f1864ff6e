import type { SecureContext } from "node:tls";
import { domainToASCII } from "node:url";
import type { SendMailOptions } from "nodemailer";
import type { Clock } from "./clock.ts";
import type { Attempt } from "./delivery-schedule.ts";
import { connectionFault } from "./outbound-error.ts";

export interface SmtpSettings {
  host: string;
  port: number;
  login: { username: string; password: string } | undefined;
  from: string;
  tls: "starttls" | "tls" | "none";
  /** Which certificates are trusted; by default those that Node trusts. */
  secureContext?: SecureContext;
}

/** The contents of a mail; none of it can become a header. */
export interface MailMessage {
  subject: string;
  text: string;
  html: string;
}

export interface Mail extends MailMessage {
  recipients: readonly string[];
  /** The same for all attempts to send the same mail. */
  key: string;
  signal: AbortSignal;
  timeoutMs: number;
  /** Additional headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>>;
}

/** Sends mail through a mail server. Never throws for errors of the server. */
export interface Mailer {
  send(mail: Mail): Promise<Attempt>;
}

/** For how many mails the recipients that have them are remembered. */
const REMEMBERED = 1000;

export function createMailer(smtp: SmtpSettings, clock: Clock): Mailer {
  let transport: Awaited<ReturnType<typeof openTransport>> | undefined;
  /** When a part of the recipients was refused, the others do not get the mail again. */
  const took = new Map<string, Set<string>>();

  function remember(key: string, recipients: readonly string[]): void {
    const known = took.get(key) ?? new Set();
    for (const recipient of recipients) known.add(sameForm(recipient));
    took.delete(key);
    took.set(key, known);
    for (const oldest of took.keys()) {
      if (took.size <= REMEMBERED) break;
      took.delete(oldest);
    }
  }

  return {
    async send({ recipients, key, signal, timeoutMs, subject, text, html, headers = {} }) {
      const startMs = clock.monotonicMs();
      const late = new AbortController();
      const timer = clock.after(timeoutMs, () => late.abort());
      const outcome = (changes: Partial<Attempt>): Attempt => ({
        status: "failed",
        statusCode: null,
        durationMs: Math.round(clock.monotonicMs() - startMs),
        error: null,
        retryAfterMs: null,
        ...changes,
      });
      const left = recipients.filter((recipient) => took.get(key)?.has(sameForm(recipient)) !== true);
      const mail: SendMailOptions & { signal: AbortSignal } = {
        from: smtp.from,
        to: left,
        subject,
        text,
        html,
        messageId: `<${key.replace(/[^\w-]/g, "-").slice(0, 100)}@binnacle.invalid>`,
        date: clock.now(),
        headers: { "Auto-Submitted": "auto-generated", ...headers },
        signal: AbortSignal.any([signal, late.signal]),
      };
      try {
        transport ??= await openTransport(smtp);
        const { response, accepted, rejected } = await transport.sendMail(mail);
        const statusCode = codeIn(response);
        if (rejected.length === 0) {
          took.delete(key);
          return outcome({ status: "delivered", statusCode });
        }
        remember(key, accepted.map(addressIn));
        return outcome({ statusCode: 550, error: refusal(rejected.map(addressIn), undefined) });
      } catch (error) {
        if (signal.aborted) return outcome({ error: "The attempt was broken off." });
        if (late.signal.aborted) return outcome({ error: `The mail server did not answer within ${Math.round(timeoutMs / 1000)} s.` });
        const { responseCode, rejected } = factsOf(error);
        // The other recipients have it, and these never will: no further attempt, but the error stays.
        const isDone = left.length < recipients.length && rejected.length > 0 && responseCode !== undefined && responseCode >= 500;
        if (isDone) took.delete(key);
        return outcome({ statusCode: responseCode ?? null, error: sentenceFor(error, smtp), ...(isDone ? { status: "delivered" } : {}) });
      } finally {
        timer.cancel();
      }
    },
  };
}

/** The parts of an error of nodemailer that are used. Its message is not, since it repeats what was sent. */
function factsOf(error: unknown): { code: string; originalCode: string; responseCode: number | undefined; rejected: string[] } {
  const facts: Record<string, unknown> = typeof error === "object" && error !== null ? { ...error } : {};
  const { code, originalCode, responseCode, rejected } = facts;
  return {
    code: typeof code === "string" ? code : "unknown",
    originalCode: typeof originalCode === "string" ? originalCode : "",
    responseCode: typeof responseCode === "number" ? responseCode : undefined,
    rejected: Array.isArray(rejected) ? rejected.map(addressIn) : [],
  };
}

function sentenceFor(error: unknown, { host, tls }: SmtpSettings): string {
  const { code, originalCode, responseCode, rejected } = factsOf(error);
  const answered = responseCode === undefined ? "" : ` (${responseCode})`;
  if (rejected.length > 0) return refusal(rejected, responseCode);
  if (code === "EAUTH" || code === "ENOAUTH") return `The mail server refused the login${answered}.`;
  if (code === "EENVELOPE") return `The mail server refused the sender${answered}.`;
  if (code === "EMESSAGE") return `The mail server refused the message${answered}.`;
  if (code === "ETIMEDOUT") return "The mail server did not answer in time.";
  if (code === "EDNS") return `The name ${host} was not found.`;
  if (originalCode !== "") return connectionFault(host, { code: originalCode }).message;
  if (code === "ETLS" && tls === "starttls") return "The mail server offers no STARTTLS, or it did not come about.";
  if (code === "ESOCKET" || code === "ETLS") return `No secure connection to ${host} came about.`;
  return responseCode === undefined
    ? `The mail server ${host} did not take the message (${code}).`
    : `The mail server answered ${responseCode}.`;
}

function refusal(recipients: readonly string[], code: number | undefined): string {
  return `The mail server refused ${recipients.slice(0, 5).join(", ")}${code === undefined ? "" : ` (${code})`}.`;
}

function addressIn(recipient: unknown): string {
  if (typeof recipient === "string") return recipient;
  return typeof recipient === "object" && recipient !== null && "address" in recipient ? String(recipient.address) : "";
}

/** The form in which mail servers get an address: the domain in lower case and ASCII. */
function sameForm(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  return address.slice(0, at + 1) + (domainToASCII(domain) || domain.toLowerCase());
}

function codeIn(response: string): number | null {
  const [, code] = /^(\d{3})/.exec(response) ?? [];
  return code === undefined ? null : Number(code);
}

/** Loaded with the first mail, since most programs send none. */
async function openTransport(smtp: SmtpSettings) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.tls === "tls",
    requireTLS: smtp.tls === "starttls",
    ignoreTLS: smtp.tls === "none",
    tls: smtp.secureContext === undefined ? {} : { secureContext: smtp.secureContext },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(smtp.login === undefined ? {} : { auth: { user: smtp.login.username, pass: smtp.login.password } }),
  });
}
