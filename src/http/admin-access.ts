import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../platform/clock.ts";

/** Whether a caller knows the admin token: from an Authorization header, or by the cookie of an earlier login. */
export interface AdminAccess {
  permits(headers: IncomingHttpHeaders): boolean;
  isToken(text: string): boolean;
  /** Set-Cookie of a new session. */
  sessionCookie(): string;
  /** Set-Cookie that ends it. */
  endedCookie(): string;
}

const COOKIE = "binnacle_session";
const SESSION_SECONDS = 30 * 24 * 3600;

/**
 * Sessions are not stored: a cookie carries its end and a signature made with the token, so that it outlives a restart and
 * dies with the token.
 */
export function createAdminAccess({ token, secure, clock }: { token: string; secure: boolean; clock: Clock }): AdminAccess {
  const tokenDigest = digest(token);
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
  const signature = (endsAt: string): string => createHmac("sha256", token).update(`session until ${endsAt}`).digest("base64url");
  const isToken = (text: string): boolean => timingSafeEqual(digest(text), tokenDigest);

  function isSession(cookie: string): boolean {
    const [, endsAt, signed] = /^(\d{1,12})\.([\w-]{43})$/.exec(cookie) ?? [];
    if (endsAt === undefined || signed === undefined || Number(endsAt) * 1000 <= clock.now().getTime()) return false;
    return timingSafeEqual(digest(signed), digest(signature(endsAt)));
  }

  return {
    permits({ authorization, cookie }) {
      const bearer = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (bearer !== undefined) return isToken(bearer);
      return cookiesOf(cookie).some(isSession);
    },
    isToken,
    sessionCookie() {
      const endsAt = String(Math.floor(clock.now().getTime() / 1000) + SESSION_SECONDS);
      return `${COOKIE}=${endsAt}.${signature(endsAt)}; Max-Age=${SESSION_SECONDS}${attributes}`;
    },
    endedCookie: () => `${COOKIE}=; Max-Age=0${attributes}`,
  };
}

/** Digests have one length, which a comparison in constant time needs. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function cookiesOf(header = ""): string[] {
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${COOKIE}=`))
    .map((pair) => pair.slice(COOKIE.length + 1));
}
