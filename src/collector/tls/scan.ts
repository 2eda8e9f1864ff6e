import type { X509Certificate } from "node:crypto";
import { type CertificateScan, type CertificateTarget, certificateTargetKey } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/errors.ts";
import { type AddressGuard, createAddressGuard } from "../peers/address-guard.ts";
import { connectFirst } from "../peers/connect.ts";
import { type Peer, PeerError, peerName } from "../peers/failure.ts";
import { createResolver, type Resolver } from "../peers/resolver.ts";
import { certificateFault, secure, sentBy, verdictOf } from "../peers/secure.ts";
import { type ChainJudgment, joined, judgeChain } from "./chain.ts";
import { keyOf, nameLine, namesOf, partOf, signatureOf } from "./certificate.ts";
import { type CertificateFault, minute, title } from "./faults.ts";
import { type OcspStatus, readStaple } from "./ocsp.ts";
import type { Trust } from "./trust.ts";

/** Looks at the certificate of a TLS peer. Throws only the signal's reason. */
export type ScanCertificate = (target: CertificateTarget, signal: AbortSignal) => Promise<CertificateScan>;

export interface ScannerParts {
  trust: Trust;
  clock: Clock;
  resolver?: Resolver;
  /** The usual one of a program that listens nowhere when absent. */
  guard?: AddressGuard;
  timeoutMs?: number;
}

/** Scans with one connection each, and its own judgment of what was sent. Source: contract, section 4, Check. */
export function createScanner(parts: ScannerParts): ScanCertificate {
  const { trust, clock, resolver = createResolver({ clock }), guard = createAddressGuard(), timeoutMs = 10_000 } = parts;
  const judged = new Map<string, Judged>();

  /** Judges only what changed since it was judged last, and hourly. */
  function judge(peer: TlsPeer, target: CertificateTarget): CertificateScan {
    const now = clock.now();
    const key = certificateTargetKey(target);
    const sent = contentOf(peer);
    const known = judged.get(key);
    if (known !== undefined && known.sent === sent && stillHolds(known, now)) return known.scan;
    const scan = scanOf(peer, target, trust, now);
    if (judged.size >= MOST_REMEMBERED) judged.clear();
    judged.set(key, { sent, at: now, scan });
    return scan;
  }

  return async (target, signal) => {
    const deadline = new AbortController();
    const timer = clock.after(timeoutMs, () => deadline.abort(lateness(target, timeoutMs)));
    try {
      const peer = await meetPeer(target, { clock, resolver, guard, trust }, AbortSignal.any([signal, deadline.signal]));
      return judge(peer, target);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PeerError) return { ...NOTHING_SEEN, error: error.message };
      return { ...NOTHING_SEEN, error: `The certificate of ${peerName(peerOf(target))} could not be read: ${messageOf(error)}.` };
    } finally {
      timer.cancel();
    }
  };
}

/** What a TLS server shows in one handshake. */
interface TlsPeer {
  /** As they were sent, the leaf first; at least one. */
  sent: X509Certificate[];
  /** The stapled OCSP response. */
  staple: Buffer | undefined;
  /** Why OpenSSL would refuse it, as its code; null when it would not. */
  verdict: string | null;
}

/** Nothing is sent after the handshake, so it may be for anything; servers of gRPC take HTTP/2 alone. */
const PROTOCOLS = ["http/1.1", "h2"];

/** Makes one TLS connection that accepts every certificate and closes it again. Throws a PeerError, or the signal's reason. */
async function meetPeer(
  target: CertificateTarget,
  { clock, resolver, guard, trust }: Required<Omit<ScannerParts, "timeoutMs">>,
  signal: AbortSignal,
): Promise<TlsPeer> {
  const peer = peerOf(target);
  const socket = await connectFirst(await resolver.resolve(peer.host, signal), peer, { clock, guard, signal });
  let staple: Buffer | undefined;
  const onStaple = (response: Buffer): void => void (staple = response);
  const secured = await secure(socket, {
    peer,
    serverName: target.serverName,
    context: trust.context("lenient"),
    protocols: PROTOCOLS,
    onStaple,
    signal,
  });
  try {
    return { sent: sentBy(secured), staple, verdict: verdictOf(secured) };
  } finally {
    secured.end();
    secured.destroySoon();
  }
}

interface Judged {
  /** Of what was sent. */
  sent: string;
  at: Date;
  scan: CertificateScan;
}

const MOST_REMEMBERED = 5_000;
const JUDGED_FOR_MS = 3_600_000;

function contentOf({ sent, staple, verdict }: TlsPeer): string {
  return [verdict, ...sent.map(({ fingerprint256 }) => fingerprint256), staple?.toString("base64")].join(" ");
}

/** A date of the chain that has passed since makes another judgment. A certificate is valid at both of its dates. */
function stillHolds({ at, scan }: Judged, now: Date): boolean {
  const hasBegun = (from: Date): boolean => from > at && from <= now;
  const hasEnded = (until: Date): boolean => until >= at && until < now;
  return (
    now >= at &&
    now.getTime() - at.getTime() < JUDGED_FOR_MS &&
    !scan.chain.some(({ notBefore, expiresAt }) => hasBegun(notBefore) || hasEnded(expiresAt))
  );
}

const NOTHING_SEEN: CertificateScan = {
  error: null,
  leaf: null,
  chain: [],
  chainValid: false,
  chainError: null,
  hostnameMatch: null,
  ocsp: null,
};

function peerOf({ domain, port }: CertificateTarget): Peer {
  return { host: domain, port };
}

function lateness(target: CertificateTarget, timeoutMs: number): PeerError {
  return new PeerError("timeout", `${peerName(peerOf(target))} showed no certificate within ${timeoutMs / 1000} s.`);
}

function scanOf({ sent, staple, verdict }: TlsPeer, target: CertificateTarget, trust: Trust, now: Date): CertificateScan {
  const [leaf] = sent;
  if (leaf === undefined) return { ...NOTHING_SEEN, error: `${peerName(peerOf(target))} showed no certificate.` };
  const judgment = judgeChain({ sent, anchors: trust, now, serverName: target.serverName });
  const ocsp = staple === undefined ? null : stapleOf(staple, leaf, judgment, now);
  const faults = [...judgment.faults, ...revocationFault(leaf, ocsp)];
  if (faults.length === 0) faults.push(...otherFault(leaf, verdict));
  return {
    error: null,
    leaf: {
      subject: nameLine(leaf.subject),
      issuer: nameLine(leaf.issuer),
      issuerOrg: partOf(leaf.issuer, "O") ?? null,
      sans: namesOf(leaf),
      serialNumber: leaf.serialNumber,
      fingerprintSha256: leaf.fingerprint256,
      keyType: keyOf(leaf).type,
      signatureAlgorithm: signatureOf(leaf),
      notBefore: leaf.validFromDate,
      expiresAt: leaf.validToDate,
    },
    chain: judgment.chain,
    chainValid: faults.length === 0,
    chainError: joined(judgment.hostFault === null ? faults : [...faults, judgment.hostFault]),
    hostnameMatch: judgment.hostFault === null,
    ocsp: ocsp?.status ?? null,
  };
}

function stapleOf(response: Buffer, leaf: X509Certificate, { issuer }: ChainJudgment, now: Date): OcspStatus {
  return issuer === undefined ? { status: "unknown" } : readStaple({ response, leaf, issuer, now });
}

function revocationFault(leaf: X509Certificate, ocsp: OcspStatus | null): CertificateFault[] {
  if (ocsp?.status !== "revoked") return [];
  return [{ certificate: leaf, sentence: `${title(leaf)} was revoked on ${minute(ocsp.at)}.` }];
}

/** What OpenSSL refuses and we have no rule for, such as name constraints. Its clock is not ours, and host names are judged apart. */
function otherFault(leaf: X509Certificate, verdict: string | null): CertificateFault[] {
  if (verdict === null || /^(?:CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/.test(verdict))
    return [];
  return [{ certificate: leaf, sentence: `${title(leaf)} is refused by clients: ${certificateFault(verdict)}.` }];
}
