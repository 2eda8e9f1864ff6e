import type { X509Certificate } from "node:crypto";
import { issuerAddress, isSelfIssued, isSignedBy, keyOf, namesOf, partsOf, shortName, signatureOf } from "./certificate.ts";
import type { Path } from "./path.ts";

/** Something wrong with one certificate, as a sentence that names it. */
export interface CertificateFault {
  certificate: X509Certificate;
  sentence: string;
}

const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const ANY_PURPOSE = "2.5.29.37.0";

/** Everything that is wrong along a path, from the leaf upwards. Source: RFC 5280, section 6.1. */
export function faultsOf({ certificates, end }: Path, now: Date): CertificateFault[] {
  const faults: CertificateFault[] = [];
  for (const [index, certificate] of certificates.entries()) {
    const issuer = certificates[index + 1];
    const isAnchor = end === "trusted" && issuer === undefined;
    const add = (sentence: string | undefined): void => {
      if (sentence !== undefined) faults.push({ certificate, sentence });
    };
    add(dateFault(certificate, now));
    if (index === 0) add(purposeFault(certificate));
    else if (!isAnchor) add(authorityFault(certificate, certificates.slice(1, index)));
    if (keyOf(certificate).isWeak) add(`${title(certificate)} has a weak key (${keyOf(certificate).type}).`);
    if (!isSelfIssued(certificate) && !isAnchor) add(weakHashFault(certificate));
    if (issuer !== undefined && !isSignedBy(certificate, issuer)) add(signatureFault(certificate, issuer));
    if (issuer === undefined) add(endFault(certificate, end, index));
  }
  return faults;
}

/** A certificate as sentences begin with it: `The intermediate certificate "R3"`. */
export function title(certificate: X509Certificate): string {
  const kind = isSelfIssued(certificate) && certificate.ca ? "root " : certificate.ca ? "intermediate " : "";
  const name = certificate.subject === undefined || certificate.subject === "" ? namesOf(certificate)[0] : undefined;
  return `The ${kind}certificate "${name ?? shortName(certificate.subject)}"`;
}

export function dateFault(certificate: X509Certificate, now: Date): string | undefined {
  const { validFromDate: from, validToDate: until } = certificate;
  if (now > until) return `${title(certificate)} expired on ${minute(until)}.`;
  return now < from ? `${title(certificate)} is not valid before ${minute(from)}.` : undefined;
}

function purposeFault(leaf: X509Certificate): string | undefined {
  // In Node, keyUsage is the extended key usage; undefined allows everything.
  const purposes: string[] | undefined = leaf.keyUsage;
  if (purposes === undefined || purposes.includes(SERVER_AUTH) || purposes.includes(ANY_PURPOSE)) return undefined;
  return `${title(leaf)} is not meant for servers.`;
}

/** `below` are those between it and the leaf. */
function authorityFault(certificate: X509Certificate, below: readonly X509Certificate[]): string | undefined {
  if (!certificate.ca) return `${title(certificate)} is not an authority's, so it may not sign others.`;
  const allowed = pathLengthOf(certificate);
  const authorities = below.filter((each) => !isSelfIssued(each)).length;
  if (allowed === null || authorities <= allowed) return undefined;
  return `${title(certificate)} allows ${allowed} authorities below it, and there ${authorities === 1 ? "is 1" : `are ${authorities}`}.`;
}

function weakHashFault(certificate: X509Certificate): string | undefined {
  const hash = /md[245]|sha1(?!\d)/i.exec(signatureOf(certificate).replaceAll("-", ""))?.[0]?.toUpperCase();
  return hash === undefined ? undefined : `${title(certificate)} is signed with ${hash.replace("SHA1", "SHA-1")}, which can be forged.`;
}

function signatureFault(certificate: X509Certificate, issuer: X509Certificate): string {
  return `The signature of ${lowerTitle(certificate)} was not made with the key of "${shortName(issuer.subject)}", which is sent as its issuer.`;
}

function endFault(top: X509Certificate, end: Path["end"], index: number): string | undefined {
  if (end === "trusted") return undefined;
  if (end === "stranger") {
    return index === 0
      ? `${title(top)} is self-signed: no trusted authority vouches for it.`
      : `${title(top)} is not among those that are trusted here.`;
  }
  const address = issuerAddress(top);
  const found = address === null ? "" : ` Its issuer says that it is found at ${address}.`;
  const missing =
    index === 0
      ? "The intermediate certificate is missing: clients that do not have it refuse the chain."
      : "An intermediate certificate is missing, or its root is not trusted here.";
  return `${title(top)} was issued by "${shortName(top.issuer)}", which is neither sent nor trusted here. ${missing}${found}`;
}

function pathLengthOf(certificate: X509Certificate): number | null {
  try {
    return partsOf(certificate).pathLength;
  } catch {
    return null;
  }
}

function lowerTitle(certificate: X509Certificate): string {
  return title(certificate).replace(/^The/, "the");
}

/** `2026-03-01 12:00 UTC`. */
export function minute(time: Date): string {
  return Number.isNaN(time.getTime()) ? "an unknown day" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
