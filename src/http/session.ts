import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../contract/time.ts";

export const SESSION_LIFETIMES = {
  /** From its last renewal. */
  idleMs: 7 * DAY_MS,
  /** From its login, however often it is renewed. */
  longestMs: 30 * DAY_MS,
  /** No cookie is renewed sooner after it was given out. */
  renewedAfterMs: HOUR_MS,
  /** How long a stream may stay open before its session is looked at again. */
  streamMs: DAY_MS,
} as const;

/** What a login began. It is not stored: its cookie says it all, signed. */
export interface Session {
  id: string;
  begunAtMs: number;
  /** When this cookie ends; a renewal moves it. */
  endsAtMs: number;
}

/** A session before its own end. */
export interface EndedSession {
  /** {@link ALL_SESSIONS} for all that began until then. */
  id: string;
  endedAt: Date;
  /** When no cookie of it could be in force any more. */
  expiresAt: Date;
}

export const ALL_SESSIONS = "*";

export function newSession(now: Date): Session {
  const begunAtMs = now.getTime();
  return { id: randomBytes(16).toString("base64url"), begunAtMs, endsAtMs: begunAtMs + SESSION_LIFETIMES.idleMs };
}

/** The session with its end moved; undefined while that would move it by less than an hour. */
export function renewedSession(session: Session, now: Date): Session | undefined {
  const endsAtMs = Math.min(now.getTime() + SESSION_LIFETIMES.idleMs, session.begunAtMs + SESSION_LIFETIMES.longestMs);
  return endsAtMs - session.endsAtMs < SESSION_LIFETIMES.renewedAfterMs ? undefined : { ...session, endsAtMs };
}

/** When the last cookie that a session may have been given ends. */
export function lastEnd({ begunAtMs }: Pick<Session, "begunAtMs">, now: Date): Date {
  return new Date(Math.min(now.getTime() + SESSION_LIFETIMES.idleMs, begunAtMs + SESSION_LIFETIMES.longestMs));
}

/** Writes and reads the cookies of sessions. They are signed with the admin token, so that they end when it changes. */
export interface SessionCookies {
  write(session: Session, now: Date): string;
  /** A cookie that takes the place of the session's. */
  clear(): string;
  /** Every session that the header has a signed cookie of, ended or not. */
  read(header: string | undefined): Session[];
}

/** `isSecure`: the app is served over https, and the browser is to hold the cookie to that and to this host. */
export function createSessionCookies({ token, isSecure }: { token: string; isSecure: boolean }): SessionCookies {
  const name = isSecure ? "__Host-binnacle_session" : "binnacle_session";
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;

  function signatureOf(session: string): Buffer {
    return createHmac("sha256", token).update(`session ${session}`).digest();
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

/** A last character of base64url may have bits that stand for nothing, so only those without are taken: one session has one spelling. */
const COOKIE = /^([\w-]{22})\.(\d{1,15})\.(\d{1,15})\.([\w-]{42}[AEIMQUYcgkosw048])$/;
