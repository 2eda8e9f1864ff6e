import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../contract/time.ts";

export const SESSION_LIFETIMES = {
  /** From its last renewal. */
  idleMs: 7 * DAY_MS,
  /** From its login, however often it is renewed. */
  longestMs: 30 * DAY_MS,
  /** A cookie is not renewed sooner than this after it was issued. */
  renewedAfterMs: HOUR_MS,
  /** How long a stream may stay open before its session is checked again. */
  streamMs: DAY_MS,
} as const;

/** Begun by a login. It is not stored: its signed cookie contains everything. */
export interface Session {
  id: string;
  begunAtMs: number;
  /** When this cookie expires; a renewal moves it. */
  endsAtMs: number;
}

/** A session that was ended before it expired. */
export interface EndedSession {
  /** {@link ALL_SESSIONS} for all sessions until then. */
  id: string;
  endedAt: Date;
  /** When no cookie of it can be valid any more. Of all sessions the last end is kept, since cookies are signed with it. */
  expiresAt: Date;
}

export const ALL_SESSIONS = "*";

export function newSession(now: Date): Session {
  const begunAtMs = now.getTime();
  return { id: randomBytes(16).toString("base64url"), begunAtMs, endsAtMs: begunAtMs + SESSION_LIFETIMES.idleMs };
}

/** The extended session; undefined if that would move its end by less than an hour. */
export function renewedSession(session: Session, now: Date): Session | undefined {
  const endsAtMs = Math.min(now.getTime() + SESSION_LIFETIMES.idleMs, session.begunAtMs + SESSION_LIFETIMES.longestMs);
  return endsAtMs - session.endsAtMs < SESSION_LIFETIMES.renewedAfterMs ? undefined : { ...session, endsAtMs };
}

/** When no cookie of a session can be valid any more. When one was issued is not known: the clock may have been set back since. */
export function lastEnd({ begunAtMs }: Pick<Session, "begunAtMs">): Date {
  return new Date(begunAtMs + SESSION_LIFETIMES.longestMs);
}

/** Writes and reads the cookies of sessions. They are signed with the admin token and the epoch, so they become invalid when either changes. */
export interface SessionCookies {
  write(session: Session, now: Date): string;
  /** A cookie that replaces and deletes the session's. */
  clear(): string;
  /** Every session with a validly signed cookie in the header, ended or not. */
  read(header: string | undefined): Session[];
}

export interface SessionCookiesOptions {
  token: string;
  /** The app is served over https, and the browser must bind the cookie to https and to this host. */
  isSecure: boolean;
  epoch: () => string;
}

export function createSessionCookies({ token, isSecure, epoch }: SessionCookiesOptions): SessionCookies {
  const name = isSecure ? "__Host-binnacle_session" : "binnacle_session";
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;

  function signatureOf(session: string): Buffer {
    return createHmac("sha256", token).update(`session ${session} ${epoch()}`.trimEnd()).digest();
  }

  function parse(cookie: string): Session[] {
    const [, id, begunAt, endsAt, signature] = COOKIE.exec(cookie) ?? [];
    if (id === undefined || signature === undefined) return [];
    const isSigned = timingSafeEqual(Buffer.from(signature, "base64url"), signatureOf(`${id}.${begunAt}.${endsAt}`));
    return isSigned ? [{ id, begunAtMs: Number(begunAt), endsAtMs: Number(endsAt) }] : [];
  }

  return {
    write(session, now) {
      const text = `${session.id}.${session.begunAtMs}.${session.endsAtMs}`;
      const seconds = Math.floor((session.endsAtMs - now.getTime()) / 1000);
      return `${name}=${text}.${signatureOf(text).toString("base64url")}; Max-Age=${seconds}${attributes}`;
    },
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: (header = "") =>
      header
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .flatMap((pair) => parse(pair.slice(name.length + 1))),
  };
}

/** The last character of base64url may have unused bits. Only the form with zeros there is accepted, so that a session has one spelling. */
const COOKIE = /^([\w-]{22})\.(\d{1,15})\.(\d{1,15})\.([\w-]{42}[AEIMQUYcgkosw048])$/;
