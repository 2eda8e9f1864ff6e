import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import { createEndedSessions } from "./ended-sessions.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import { createLockout } from "./lockout.ts";
import { createSessionCookies, newSession, renewedSession } from "./session.ts";
import type { Session } from "./session.ts";

/** What a request has that may grant access to the admin API. */
export interface Credentials {
  headers: IncomingHttpHeaders;
  /** After the forwarded headers of trusted proxies were applied. */
  clientAddress: string;
}

/** Who may use the admin API: a program that sends the admin token, or a browser that logged in. */
export type AdminCaller = { kind: "admin_token" } | { kind: "session"; session: Session };

/** How a wrong token was sent. */
export const TOKEN_SOURCES = ["bearer", "login", "consent"] as const;
export type TokenSource = (typeof TOKEN_SOURCES)[number];

/** Recognises callers that know the admin token: by an Authorization header, a form, or the cookie of an earlier login. */
export interface AdminAccess {
  /** undefined for all other callers. Throws `rate_limited` for a token from an address that is locked out. */
  callerOf(credentials: Credentials): AdminCaller | undefined;
  /** The valid session of the cookie in these headers. */
  sessionOf(headers: IncomingHttpHeaders): Session | undefined;
  /** Whether a typed token is right. Throws `rate_limited` while the address is locked out: the token is then not compared. */
  accepts(token: string, clientAddress: string, source: TokenSource): boolean;
  /** Set-Cookie of a new session. */
  beginSession(): string;
  /** Set-Cookie that extends a session; undefined when it was extended recently. */
  renewSession(session: Session): string | undefined;
  /** Ends the session of these headers, if there is one; answers the Set-Cookie that deletes the cookie. Throws `storage_unavailable`. */
  endSession(headers: IncomingHttpHeaders): Promise<string>;
  readonly endedSessions: EndedSessions;
  /** Since the start of the program. */
  counts(): { failures: Readonly<Record<TokenSource, number>>; lockouts: number };
}

export interface AdminAccessOptions {
  token: string;
  /** Whether the base URL is https. */
  isSecure: boolean;
  endedSessions?: EndedSessions;
  clock: Clock;
  log: Log;
}

export function createAdminAccess({ token, isSecure, clock, log, ...options }: AdminAccessOptions): AdminAccess {
  const tokenDigest = digest(token);
  const endedSessions = options.endedSessions ?? createEndedSessions({ clock });
  const cookies = createSessionCookies({ token, isSecure, epoch: endedSessions.epoch });
  const lockout = createLockout({ clock });
  const failures: Record<TokenSource, number> = { bearer: 0, login: 0, consent: 0 };
  let lockouts = 0;

  function accepts(given: string, clientAddress: string, source: TokenSource): boolean {
    const secondsLeft = lockout.secondsLeft(clientAddress);
    if (secondsLeft > 0) throw lockedOut(secondsLeft);
    if (timingSafeEqual(digest(given), tokenDigest)) {
      lockout.forgive(clientAddress);
      return true;
    }
    noteWrong(given, clientAddress, source);
    return false;
  }

  function noteWrong(given: string, clientAddress: string, source: TokenSource): void {
    const { isGuess, guesses, attempts, waitSeconds } = lockout.refuse(clientAddress, given);
    failures[source] += 1;
    if (waitSeconds > 0) lockouts += 1;
    const fields = { address: clientAddress, attempts, different: guesses, source };
    if (waitSeconds > 0) log.warn({ ...fields, wait_seconds: waitSeconds }, "wrong admin token: the address is locked out");
    // A program that sends an outdated token every second must not fill the log.
    else if (isGuess || Number.isInteger(Math.log2(attempts))) log.warn(fields, "wrong admin token");
  }

  function sessionOf({ cookie }: IncomingHttpHeaders): Session | undefined {
    const nowMs = clock.now().getTime();
    return cookies.read(cookie).find((session) => session.endsAtMs > nowMs && !endedSessions.has(session));
  }

  return {
    callerOf({ headers, clientAddress }) {
      const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
      if (bearer !== undefined) return accepts(bearer, clientAddress, "bearer") ? { kind: "admin_token" } : undefined;
      const session = sessionOf(headers);
      return session && { kind: "session", session };
    },
    sessionOf,
    accepts,
    beginSession() {
      const now = clock.now();
      return cookies.write(newSession(now), now);
    },
    renewSession(session) {
      const now = clock.now();
      const renewed = renewedSession(session, now);
      return renewed && cookies.write(renewed, now);
    },
    async endSession({ cookie }) {
      // Also sessions that were ended before: that may not have been saved then.
      for (const session of cookies.read(cookie)) await endedSessions.end(session);
      return cookies.clear();
    },
    endedSessions,
    counts: () => ({ failures, lockouts }),
  };
}

/** Digests have equal lengths, which a comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function lockedOut(seconds: number): ServiceError {
  return new ServiceError("rate_limited", `Too many wrong admin tokens came from this address. Try again in ${seconds} seconds.`, {
    retry_after_seconds: seconds,
  });
}
