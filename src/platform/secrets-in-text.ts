import { MASK, isSecretName, looksSecret } from "./secrets.ts";

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const SCHEMED = /\b(bearer\s+[\w+/=.~-]{16,}|basic\s+[A-Za-z0-9+/]{16,}={0,2})/gi;
const ASSIGNED =
  /((?:passw(?:or)?d|pwd|passphrase|secret|token|api[-_]?key|authorization)["']?\s{0,9}(?:=>|[:=])\s{0,9})(?:"[^"\n]*"?|'[^'\n]*'?|(?:(?:bearer|basic)\s+)?[^\s"'&;,])[^\s"'&;,]*/gi;

/** Masks secrets and leaves the words around them: a line of a log is worth reading without its password. */
export function maskText(text: string): string {
  // Keys go first: what is done to their first line would hide the others from their pattern.
  return maskSentence(withoutNamed(withoutCredentials(text.replace(PRIVATE_KEY, MASK))));
}

/** The same for a sentence, in which a colon is no assignment: "Unrecognized key: lines". */
export function maskSentence(text: string): string {
  // All other secrets inside of a text make the whole text look like one, except for a credential behind its scheme.
  if (!looksSecret("", text) && text.search(SCHEMED) === -1) return text;
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(SCHEMED, MASK)
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(/\S+/g, (word) => (looksSecret("", word.replaceAll(MASK, "")) ? MASK : word));
}

/** Masks who asks in the addresses of a text. */
function withoutCredentials(text: string): string {
  if (!text.includes("://") || !text.includes("@")) return text;
  return text.replace(/\S+/g, (word) => {
    const [first = "", ...rest] = word.split("://");
    return rest.reduce((told, part, at) => {
      const end = credentialsEnd(part, at === 0 ? first : (rest[at - 1] ?? ""));
      return `${told}://${end === -1 ? part : MASK + part.slice(end)}`;
    }, first);
  });
}

/** A password that may hold a slash, and no port. */
const PASSWORD_BEGINS = /^[^/:@[]*:(?!\d{1,5}(?:[/?#]|$))/;

/** Where the `@` stands behind the credentials of an address; -1 without any. */
function credentialsEnd(part: string, before: string): number {
  const address = part.split('"', 1)[0] ?? "";
  const authority = address.split("/", 1)[0] ?? "";
  const end = authority.lastIndexOf("@");
  // On the web a name alone is a token; elsewhere it is a name, as in ssh://git@host.
  if (end !== -1) return authority.slice(0, end).includes(":") || /https?$/i.test(before) ? end : -1;
  return PASSWORD_BEGINS.test(address) ? address.lastIndexOf("@") : -1;
}

const COOKIES = /((?:^|[^\w.-])(?:set-)?cookie {0,9}: {0,9})[^\s"'](?:[^\n"']*[^\s"'])?/gi;
const NAME = /(?<![\w.-])([\w.-]+)\\*["']?\s{0,9}(?:=>|=|:(?!:))\s{0,9}/g;
const VALUE = /^(?:\\*"[^"\n]*"?|'[^'\n]*'?|(?:(?:bearer|basic|digest|token)\s+)?[^\s"'&;,])[^\s"'&;,]*/i;

/** Masks the value wherever a name and a value stand together and the name, as that of a label would, says that it is a secret. */
function withoutNamed(text: string): string {
  if (!SECRET_NAMES.test(text)) return text;
  let told = "";
  let from = 0;
  const given = text.replace(COOKIES, `$1${MASK}`);
  for (const { index, 0: before, 1: name = "" } of given.matchAll(NAME)) {
    const start = index + before.length;
    if (index < from || !SECRET_NAMES.test(name) || !isSecretName(name)) continue;
    const value = VALUE.exec(given.slice(start))?.[0] ?? "";
    if (!looksSecret(name, value.replace(QUOTES, ""))) continue;
    told += given.slice(from, start) + MASK;
    from = start + value.length;
  }
  return told + given.slice(from);
}

/** What every name of a secret has in it, and some others have too. */
const SECRET_NAMES = /pass|pwd|pw|secret|token|credential|key|auth|connection|bearer|pat|jwt|dsn|cookie|session|salt|otp|headers/i;
const QUOTES = /^[\\"']{1,8}|[\\"']{1,8}$/g;
