import type { CertificateInput } from "../../api/certificate-queries.ts";

/** A certificate to be watched as it is being typed. */
export interface CertificateDraft {
  domain: string;
  port: string;
  serverName: string;
}

export type CertificateFaults = Partial<Record<"domain" | "port" | "server_name", string>>;

/** The fields that a fault of the server can stand beside. */
export const CERTIFICATE_FIELDS = ["domain", "port", "server_name"];

export const NEW_CERTIFICATE: CertificateDraft = { domain: "", port: "443", serverName: "" };
const HOST_FAULT = "A host name such as example.com, or an IP address.";

/** What the draft asks for, or what is wrong with it, field by field. A whole address pasted into the host is taken apart. */
export function readDraft(draft: CertificateDraft): { body: CertificateInput } | { faults: CertificateFaults } {
  const { host, port: named } = takeApart(draft.domain.trim());
  const serverName = draft.serverName.trim();
  const port = named ?? (/^\d{1,5}$/.test(draft.port.trim()) ? Number(draft.port) : Number.NaN);
  const faults: CertificateFaults = {};
  if (!isHost(host)) faults.domain = HOST_FAULT;
  if (!(port >= 1 && port <= 65_535)) faults.port = "From 1 to 65535.";
  if (serverName !== "" && !isHost(serverName)) faults.server_name = HOST_FAULT;
  if (Object.keys(faults).length > 0) return { faults };
  return { body: { domain: host, port, ...(serverName !== "" && { server_name: serverName }) } };
}

/** `https://example.com:8443/path` and `example.com:993` name a port too. */
function takeApart(text: string): { host: string; port: number | undefined } {
  const [, scheme, host = "", port] = /^(https:\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d{1,5}))?(?:\/.*)?$/.exec(text) ?? [];
  if (host === "" || (scheme === undefined && text.includes("/"))) return { host: text, port: undefined };
  return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? undefined : Number(port) };
}

function isHost(text: string): boolean {
  if (text === "" || /[\s/?#@%\\]/.test(text)) return false;
  return URL.parse(`http://${text.includes(":") ? `[${text}]` : text}/`) !== null;
}
