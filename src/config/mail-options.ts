/** The mail server, as part of the table in options.ts. */
import { hostName, mailAddress } from "./address-types.ts";
import type { Option } from "./option.ts";
import { choice, integer, secret, text } from "./value-types.ts";

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
