import { isIP } from "node:net";
import { StartError } from "../../platform/errors.ts";

/** The server, as the option names it. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** HTTP/2 without TLS: `grpc://`. */
  readonly isPlain: boolean;
}

/** As `host:port`, with brackets around an IPv6 address. */
export function addressText({ host, port }: ServerAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Throws a StartError for a server that would be sent tokens and logs in the clear: without TLS only this host itself, such as the end of a
 * tunnel, may be meant, unless checks were given up anyway.
 */
export function refusePlaintext({
  server,
  skipTlsVerify,
  serverFingerprint,
}: {
  server: ServerAddress;
  skipTlsVerify: boolean;
  serverFingerprint: string | undefined;
}): void {
  if (server.isPlain && serverFingerprint !== undefined)
    throw new StartError(
      `SERVICE_SERVER_FINGERPRINT: grpc://${addressText(server)} is without TLS and shows no certificate. Use grpcs://, or take the fingerprint away.`,
    );
  if (!server.isPlain || skipTlsVerify || isLoopback(server.host)) return;
  throw new StartError(
    `grpc://${addressText(server)} is without TLS, and would carry logs in the clear. Use grpcs://, or, for development only, give --grpc-insecure-skip-tls-verify too.`,
  );
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
