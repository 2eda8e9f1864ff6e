import { StartError } from "../platform/errors.ts";
import type { Secret } from "./secret.ts";

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
