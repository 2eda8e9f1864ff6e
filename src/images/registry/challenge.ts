/** How a registry wants to be asked, as it says with 401. */
export type Challenge = { scheme: "bearer"; realm: string; service: string | null; scope: string | null } | { scheme: "basic" };

const LONGEST_HEADER = 4096;
/** A scheme, or a name with a value, quoted or not. */
const PART = /([A-Za-z][A-Za-z0-9_-]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g;

/** Reads `WWW-Authenticate`; the better one when there are several, undefined when none is known. Sources: RFC 9110, section 11; distribution, Token authentication. */
export function readChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const found: { scheme: string; values: Map<string, string> }[] = [];
  for (const [, name = "", quoted, plain] of header.matchAll(PART)) {
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), values: new Map() });
    else found.at(-1)?.values.set(name.toLowerCase(), value);
  }
  for (const { scheme, values } of found) {
    const realm = values.get("realm");
    if (scheme !== "bearer" || realm === undefined || realm === "") continue;
    return { scheme, realm, service: values.get("service") ?? null, scope: values.get("scope") ?? null };
  }
  return found.some(({ scheme }) => scheme === "basic") ? { scheme: "basic" } : undefined;
}
