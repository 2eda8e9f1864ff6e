import { StartError } from "../platform/errors.ts";
import { hostName, mailAddress } from "./address-types.ts";
import type { Secret } from "./secret.ts";
import { choice, integer, secret, text, type Option } from "./value-types.ts";

/** The mail server, as part of the table in options.ts. */

export const MAIL_OPTIONS = {
  smtpHost: {
    flag: "--smtp-host",
    env: "SMTP_HOST",
    type: hostName,
    otherwise: "no mail is sent",
    help: "The mail server that sends for email channels and for subscribers of the status page.",
  },
  smtpPort: { flag: "--smtp-port", env: "SMTP_PORT", type: integer({ min: 1, max: 65_535 }), default: "587", help: "Its port." },
  smtpUsername: {
    flag: "--smtp-username",
    env: "SMTP_USERNAME",
    type: text,
    otherwise: "nobody logs in",
    help: "Who logs in there.",
  },
  smtpPassword: {
    flag: "--smtp-password",
    env: "SMTP_PASSWORD",
    type: secret({ ...text, name: "PASSWORD" }),
    otherwise: "nobody logs in",
    help: "The password.",
  },
  smtpFrom: {
    flag: "--smtp-from",
    env: "SMTP_FROM",
    type: mailAddress,
    otherwise: "none; it is needed with a mail server",
    help: "The address that mail comes from.",
  },
  smtpTls: {
    flag: "--smtp-tls",
    env: "SMTP_TLS",
    type: choice(["starttls", "tls", "none"]),
    default: "starttls",
    help: "How the connection is made secure: by STARTTLS, which is then required, from its beginning, or not at all.",
  },
} as const satisfies Record<string, Option>;

/** The mail server of email channels. */
export interface SmtpConfig {
  readonly host: string;
  readonly port: number;
  readonly login: { readonly username: string; readonly password: Secret } | undefined;
  readonly from: string;
  readonly tls: "starttls" | "tls" | "none";
}

interface SmtpValues {
  readonly smtpHost: string | undefined;
  readonly smtpPort: number;
  readonly smtpUsername: string | undefined;
  readonly smtpPassword: Secret | undefined;
  readonly smtpFrom: string | undefined;
  readonly smtpTls: SmtpConfig["tls"];
}

/** The options of mail as one; undefined without a server. Throws a StartError when they do not fit together. */
export function completeSmtp({ smtpHost, smtpPort, smtpUsername, smtpPassword, smtpFrom, smtpTls }: SmtpValues): SmtpConfig | undefined {
  if (smtpHost === undefined) {
    const idle = [smtpFrom, smtpUsername, smtpPassword].some((value) => value !== undefined);
    if (idle) throw new StartError("SERVICE_SMTP_HOST: needed with the other SERVICE_SMTP options");
    return undefined;
  }
  if (smtpFrom === undefined) throw new StartError("SERVICE_SMTP_FROM: needed with SERVICE_SMTP_HOST");
  if ((smtpUsername === undefined) !== (smtpPassword === undefined)) {
    throw new StartError("SERVICE_SMTP_USERNAME and SERVICE_SMTP_PASSWORD: one is of no use without the other");
  }
  const login = smtpUsername === undefined || smtpPassword === undefined ? undefined : { username: smtpUsername, password: smtpPassword };
  // A literal address of IPv6 stands in brackets in the option alone.
  return { host: smtpHost.replace(/^\[|\]$/g, ""), port: smtpPort, login, from: smtpFrom, tls: smtpTls };
}
