/** This computer, at any port and path. Written out, since parsers take `http://127.1` and `http://localhost\@example.org` for more than they say. */
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?(?:\/[\w.~!$&'()*+,;=:@/%-]*)?$/;
const HIGHEST_PORT = 65_535;

/**
 * Whether an authorization may be sent there: exactly one of the configured addresses, or this computer itself, where a native client listens on a port
 * that it does not know beforehand. Source: RFC 8252, section 7.3; OAuth 2.1, section 2.3.1.
 */
export function isPermittedRedirect(uri: string, configured: readonly string[]): boolean {
  if (configured.includes(uri)) return true;
  const loopback = LOOPBACK.exec(uri);
  if (loopback === null) return false;
  const [, port] = loopback;
  return port === undefined || (Number(port) >= 1 && Number(port) <= HIGHEST_PORT);
}

/** The address with further parameters; those it has stay as they are. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
