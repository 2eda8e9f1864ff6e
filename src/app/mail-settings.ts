import type { Trust } from "../collector/tls/trust.ts";
import type { SmtpConfig } from "../config/smtp.ts";
import type { SmtpSettings } from "../platform/mailer.ts";

/** How the mail server is reached, with its password in clear. */
export function mailSettings({ login, ...server }: SmtpConfig, trust: Trust): SmtpSettings {
  const revealed = login && { username: login.username, password: login.password.reveal() };
  return { ...server, login: revealed, secureContext: trust.context("strict") };
}
