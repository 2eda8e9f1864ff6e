import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CertificateScan, CertificateTarget, ChainLink } from "../../observations.ts";
import { OcspStatus } from "./gen/service/agent/v1/ingest_pb.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_CHAIN, MAX_CHAIN_ERROR, MAX_ERROR, MAX_LINK_ERROR, MAX_NAME, MAX_SANS, MAX_SUBJECT, PORT_NUMBERS } from "./limits.ts";
import { cutName, idOf, listOf, longDateOf, msOf, required, within, WireError } from "./values.ts";
import { OCSP_STATUSES } from "./vocabulary.ts";

type Leaf = NonNullable<CertificateScan["leaf"]>;

export function fromTarget(sent: wire.CertificateTarget, where: string): CertificateTarget {
  return {
    domain: idOf(sent.domain, `${where}.domain`, MAX_NAME),
    port: within(sent.port, `${where}.port`, PORT_NUMBERS),
    serverName: idOf(sent.serverName, `${where}.server_name`, MAX_NAME),
  };
}

export function toScanned(target: CertificateTarget, scan: CertificateScan): MessageInitShape<typeof wire.CertificateScannedSchema> {
  return {
    target,
    error: scan.error ?? undefined,
    leaf: scan.leaf === null ? undefined : toLeaf(scan.leaf),
    chain: scan.chain.map(toLink),
    chainValid: scan.chainValid,
    chainError: scan.chainError ?? undefined,
    hostnameMatch: scan.hostnameMatch ?? undefined,
    ocsp: scan.ocsp === null ? OcspStatus.UNSPECIFIED : OCSP_STATUSES.numbers[scan.ocsp],
  };
}

function toLeaf({ issuerOrg, notBefore, expiresAt, ...leaf }: Leaf): MessageInitShape<typeof wire.LeafCertificateSchema> {
  return { ...leaf, issuerOrg: issuerOrg ?? undefined, notBeforeMs: msOf(notBefore), expiresAtMs: msOf(expiresAt) };
}

function toLink({ subject, issuer, notBefore, expiresAt, error }: ChainLink): MessageInitShape<typeof wire.ChainCertificateSchema> {
  return { subject, issuer, notBeforeMs: msOf(notBefore), expiresAtMs: msOf(expiresAt), error: error ?? undefined };
}

/** The peer, which neither side trusts, chose the texts in the certificates: they are cut and cleaned. */
export function fromScanned(sent: wire.CertificateScanned, where: string): { target: CertificateTarget; scan: CertificateScan } {
  return {
    target: fromTarget(required(sent.target, `${where}.target`), `${where}.target`),
    scan: {
      error: optionalCut(sent.error, MAX_ERROR),
      leaf: sent.leaf === undefined ? null : fromLeaf(sent.leaf, `${where}.leaf`),
      chain: listOf(sent.chain, `${where}.chain`, { most: MAX_CHAIN, read: fromLink }),
      chainValid: sent.chainValid,
      chainError: optionalCut(sent.chainError, MAX_CHAIN_ERROR),
      hostnameMatch: sent.hostnameMatch ?? null,
      ocsp: OCSP_STATUSES.wordOf(sent.ocsp) ?? null,
    },
  };
}

function fromLeaf(sent: wire.LeafCertificate, where: string): Leaf {
  return {
    subject: cutName(sent.subject, MAX_SUBJECT),
    issuer: cutName(sent.issuer, MAX_SUBJECT),
    issuerOrg: optionalCut(sent.issuerOrg, MAX_SUBJECT),
    sans: listOf(sent.sans, `${where}.sans`, { most: MAX_SANS, read: (name) => cutName(name, MAX_NAME) }),
    serialNumber: cutName(sent.serialNumber, MAX_NAME),
    fingerprintSha256: fingerprintOf(sent.fingerprintSha256, `${where}.fingerprint_sha256`),
    keyType: cutName(sent.keyType, MAX_NAME),
    signatureAlgorithm: cutName(sent.signatureAlgorithm, MAX_NAME),
    notBefore: longDateOf(sent.notBeforeMs, `${where}.not_before_ms`),
    expiresAt: longDateOf(sent.expiresAtMs, `${where}.expires_at_ms`),
  };
}

function fromLink(sent: wire.ChainCertificate, where: string): ChainLink {
  return {
    subject: cutName(sent.subject, MAX_SUBJECT),
    issuer: cutName(sent.issuer, MAX_SUBJECT),
    notBefore: longDateOf(sent.notBeforeMs, `${where}.not_before_ms`),
    expiresAt: longDateOf(sent.expiresAtMs, `${where}.expires_at_ms`),
    error: optionalCut(sent.error, MAX_LINK_ERROR),
  };
}

function optionalCut(text: string | undefined, maxLength: number): string | null {
  return text === undefined ? null : cutName(text, maxLength) || null;
}

/** It distinguishes a renewed certificate from the one before. */
function fingerprintOf(text: string, where: string): string {
  if (!/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/.test(text)) throw new WireError(where, "is not a fingerprint of SHA-256");
  return text;
}
