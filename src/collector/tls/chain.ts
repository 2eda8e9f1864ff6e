import type { X509Certificate } from "node:crypto";
import type { ChainLink } from "../../observations.ts";
import { nameLine, namesOf, shortName } from "./certificate.ts";
import { type CertificateFault, dateFault, faultsOf, title } from "./faults.ts";
import { type Anchors, findPath, type Path } from "./path.ts";
import { isIP } from "node:net";

/** More certificates than any server has reason to send. */
const MAX_SENT = 50;

export interface ChainQuestion {
  /** As sent; the leaf first. */
  sent: readonly X509Certificate[];
  anchors: Anchors;
  now: Date;
  serverName: string;
}

export interface ChainJudgment {
  /** As sent, then what of the trusted ones completes the path. */
  chain: ChainLink[];
  /** Everything that is wrong, in sentences; including wrong host names. */
  faults: CertificateFault[];
  /** Null when the certificate is for the host. */
  hostFault: CertificateFault | null;
  /** Who signed the leaf; undefined when that is not known. */
  issuer: X509Certificate | undefined;
}

/** Verifies a chain as it was sent. Source: contract, section 4, Check. */
export function judgeChain({ sent: all, anchors, now, serverName }: ChainQuestion): ChainJudgment {
  const sent = all.slice(0, MAX_SENT);
  const [leaf] = sent;
  if (leaf === undefined) throw new Error("no certificate");
  const path = findPath(sent, anchors, (candidate) => faultsOf(candidate, now).length);
  const faults = [...faultsOf(path, now), ...orderFaults(sent, path), ...spareFaults(sent, path, now)];
  const hostFault = isForHost(leaf, serverName) ? null : { certificate: leaf, sentence: hostSentence(leaf, serverName) };
  const added = path.certificates.filter((certificate) => indexIn(sent, certificate) < 0);
  return {
    chain: [...sent, ...added].map((certificate) => ({
      subject: nameLine(certificate.subject),
      issuer: nameLine(certificate.issuer),
      notBefore: certificate.validFromDate,
      expiresAt: certificate.validToDate,
      error: joined(
        [...faults, ...(hostFault === null ? [] : [hostFault])].filter((fault) => fault.certificate.raw.equals(certificate.raw)),
      ),
    })),
    faults,
    hostFault,
    issuer: path.certificates[1] ?? (path.end === "missing" ? undefined : leaf),
  };
}

/** The sentences one after another; null when there are none. */
export function joined(faults: readonly CertificateFault[]): string | null {
  return faults.length === 0 ? null : faults.map(({ sentence }) => sentence).join(" ");
}

/** Each certificate must directly follow the one that it signed; repeated ones do no harm. Source: RFC 5246, section 7.4.2. */
function orderFaults(sent: readonly X509Certificate[], path: Path): CertificateFault[] {
  const distinct = sent.filter((certificate, index) => indexIn(sent, certificate) === index);
  const faults: CertificateFault[] = [];
  for (const [place, certificate] of path.certificates.entries()) {
    const at = indexIn(distinct, certificate);
    const below = path.certificates[place - 1];
    // A root at the end may be missing, so what comes from our own store has no place.
    if (at < 0 || at === place || below === undefined) continue;
    const sentence = `The certificates are sent in the wrong order: "${shortName(certificate.subject)}" is at place ${at + 1} and belongs at place ${place + 1}, after "${shortName(below.subject)}".`;
    faults.push({ certificate, sentence });
  }
  return faults.slice(0, 1);
}

/** Certificates outside the path do no harm to clients that find the path, unless they are out of date and the client does not find it. */
function spareFaults(sent: readonly X509Certificate[], path: Path, now: Date): CertificateFault[] {
  return sent
    .filter((certificate, index) => indexIn(path.certificates, certificate) < 0 && indexIn(sent, certificate) === index)
    .flatMap((certificate) => {
      const fault = dateFault(certificate, now);
      if (fault === undefined) return [];
      return [{ certificate, sentence: `${fault} It is sent without need; older clients may build their chain over it and refuse it.` }];
    });
}

function hostSentence(leaf: X509Certificate, serverName: string): string {
  const names = namesOf(leaf);
  if (names.length === 0) return `${title(leaf)} names no hosts, so it is not for ${serverName}.`;
  const shown = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${title(leaf)} is for ${shown}${more}, not for ${serverName}.`;
}

function indexIn(certificates: readonly X509Certificate[], wanted: X509Certificate): number {
  return certificates.findIndex(({ raw }) => raw.equals(wanted.raw));
}

/** Whether a certificate is for a host name or address, by its alternative names alone. Source: RFC 9525, section 6. */
function isForHost(certificate: X509Certificate, serverName: string): boolean {
  if (isIP(serverName) !== 0) return certificate.checkIP(serverName) !== undefined;
  const options = {
    subject: "never",
    wildcards: true,
    partialWildcards: false,
    multiLabelWildcards: false,
    singleLabelSubdomains: false,
  } as const;
  return certificate.checkHost(serverName.replace(/\.$/, ""), options) !== undefined;
}
