import { isIP, type Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import { codeOf, type Peer } from "./failure.ts";
import { tlsError } from "./tls-error.ts";

export interface SecureOptions {
  peer: Peer;
  /** What is sent as SNI, unless it is an address, and held against the certificate. */
  serverName: string;
  context: SecureContext;
  /** What may be spoken over it, as ALPN names it; by default HTTP/1.1 alone. */
  protocols?: readonly string[];
  /** Called with the stapled OCSP response when there is one; asks for it only when given. */
  onStaple?: (response: Buffer) => void;
  signal: AbortSignal;
}

/**
 * Makes a connection a TLS connection, whatever the certificate: {@link verdictOf} says whether it can be trusted, before anything
 * is sent. Throws a PeerError, or the signal's reason, and then the socket is closed.
 */
export function secure(
  socket: Socket,
  { peer, serverName, context, protocols = ["http/1.1"], onStaple, signal }: SecureOptions,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secured = connect({
    socket,
    host: serverName,
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    secureContext: context,
    rejectUnauthorized: false,
    ALPNProtocols: [...protocols],
    requestOCSP: onStaple !== undefined,
  });
  const abort = (): void => fail(signal.reason);

  function fail(reason: unknown): void {
    signal.removeEventListener("abort", abort);
    secured.destroy();
    socket.destroy();
    reject(reason);
  }

  if (onStaple !== undefined) secured.on("OCSPResponse", (response) => response !== null && onStaple(response));
  secured.on("error", (error) => fail(tlsError(peer, error)));
  secured.once("secureConnect", () => {
    signal.removeEventListener("abort", abort);
    resolve(secured);
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  return promise;
}

/** Why OpenSSL would refuse the certificate, as its code; null when it would not. */
export function verdictOf({ authorized, authorizationError }: TLSSocket): string | null {
  if (authorized) return null;
  // Typed as an error, it is the code alone.
  return typeof authorizationError === "string" ? authorizationError : codeOf(authorizationError);
}
