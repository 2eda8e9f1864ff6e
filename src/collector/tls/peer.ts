import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { CertificateTarget } from "../../observations.ts";
import type { Clock } from "../../platform/clock.ts";
import type { AddressGuard } from "../peers/address-guard.ts";
import { connectFirst } from "../peers/connect.ts";
import type { Resolver } from "../peers/resolver.ts";
import { secure, verdictOf } from "../peers/secure.ts";
import type { Trust } from "./trust.ts";

/** What a TLS server shows in one handshake. */
export interface TlsPeer {
  /** As they were sent, the leaf first; at least one. */
  sent: X509Certificate[];
  /** The stapled OCSP response. */
  staple: Buffer | undefined;
  /** Why OpenSSL would refuse it, as its code; null when it would not. */
  verdict: string | null;
}

export interface PeerParts {
  clock: Clock;
  resolver: Resolver;
  guard: AddressGuard;
  trust: Trust;
}

/** Nothing is sent after the handshake, so it may be for anything; servers of gRPC take HTTP/2 alone. */
const PROTOCOLS = ["http/1.1", "h2"];

/** Makes one TLS connection that accepts every certificate and closes it again. Throws a PeerError, or the signal's reason. */
export async function meetPeer(
  { domain, port, serverName }: CertificateTarget,
  { clock, resolver, guard, trust }: PeerParts,
  signal: AbortSignal,
): Promise<TlsPeer> {
  const peer = { host: domain, port };
  const socket = await connectFirst(await resolver.resolve(domain, signal), peer, { clock, guard, signal });
  let staple: Buffer | undefined;
  const onStaple = (response: Buffer): void => void (staple = response);
  const secured = await secure(socket, { peer, serverName, context: trust.context("lenient"), protocols: PROTOCOLS, onStaple, signal });
  try {
    return { sent: sentBy(secured), staple, verdict: verdictOf(secured) };
  } finally {
    secured.end();
    secured.destroySoon();
  }
}

/** What the server sent. Node links it as a chain of issuers, in the order of sending and whether they are issuers or not; and shows it only once. */
export function sentBy(secured: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  for (let each = secured.getPeerX509Certificate(); each !== undefined; each = each.issuerCertificate) sent.push(each);
  return sent;
}
