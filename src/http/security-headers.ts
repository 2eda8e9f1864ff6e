import { createHash } from "node:crypto";

export type SecurityHeaders = (path: string) => Readonly<Record<string, string>>;

/**
 * The headers of every response, by path: only the public status page may be framed by other sites.
 * `indexHtml` is the web app's page; the content security policy allows its inline scripts by their hash.
 * Source: specification, Response headers on every response.
 */
export function createSecurityHeaders(indexHtml = ""): SecurityHeaders {
  const scripts = ["'self'", ...inlineScriptHashes(indexHtml)].join(" ");
  const policy = (frameAncestors: string): string =>
    [
      "default-src 'self'",
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
      `script-src ${scripts}`,
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      `frame-ancestors ${frameAncestors}`,
    ].join("; ");
  const everywhere = { "x-content-type-options": "nosniff", "referrer-policy": "strict-origin-when-cross-origin" };
  const framed = Object.freeze({ ...everywhere, "content-security-policy": policy("*") });
  const unframed = Object.freeze({ ...everywhere, "x-frame-options": "DENY", "content-security-policy": policy("'none'") });
  return (path) => (path === "/status" || path.startsWith("/status/") ? framed : unframed);
}

function inlineScriptHashes(html: string): string[] {
  const inlineScripts = html.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script\s*>/gi);
  return [...inlineScripts].map(([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
