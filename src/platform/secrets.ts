export const MASK = "***";

/** Words that make a name secret wherever they are in it. */
const SECRET_ANYWHERE =
  /passw(?:or)?d|passphrase|secret|token(?!i[sz]e)|credential|(?:api|access|private|signing|encryption|master|ssh)[-_. ]?key|authori[sz]ation|basic[-_.]?auth|digest[-_.]?auth|connection[-_.]?string|bearer/i;

/** Words that make a name secret when the last part of a dotted name has them: `db.pass` is secret, `routers.auth.rule` is not. */
const SECRET_LAST_WORDS: ReadonlySet<string> = new Set(
  "pass pwd pw auth oauth key pat jwt dsn cookie cookies session salt otp headers".split(" "),
);

const SECRET_VALUES: readonly RegExp[] = [
  // A URL with a user and a password.
  /:\/\/[^/\s@:]*:[^/\s@]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // The token formats of well-known services.
  /(?:^|[^a-zA-Z0-9])(?:gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|xox[abeprs]-|AKIA|ASIA|AIza|hf_|npm_|dckr_pat_)[\w-]{8,}/,
  /(?:^|[^\w-])eyJ[\w-]+\.eyJ[\w-]+\./,
  /^(?:bearer|basic)\s+[\w+/=.~-]{6,}$/i,
  // Hashed passwords as in htpasswd and shadow files.
  /\$(?:apr1|2[abxy]|[156]|argon2(?:id|i|d))\$/,
  // Addresses that are secrets themselves.
  /hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/|\.webhook\.office\.com\/|api\.telegram\.org\/bot/i,
  // A secret inside a list, a query or an object.
  /(?:passw(?:or)?d|pwd|passphrase|secret|token|api[-_]?key|authorization)["']?\s{0,9}[:=]\s{0,9}["']?[^\s"'&;,]/i,
];

const HARMLESS_VALUE = /^(?:|true|false|yes|no|on|off|none|null)$/i;

/** Whether an external name-value pair looks like a secret that must not be shown. Errs on the side of hiding. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS_VALUE.test(value)) return false;
  return isSecretName(name) || SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** The same map, with values that look secret masked. */
export function maskSecrets(pairs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, looksSecret(name, value) ? MASK : value]));
}

/** Whether the value of this name must not be shown, unless it is only yes or no. */
export function isSecretName(name: string): boolean {
  return SECRET_ANYWHERE.test(name) || endsInSecretWord(name);
}

function endsInSecretWord(name: string): boolean {
  const lastPart = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1);
  const words = lastPart
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return !words.includes("public") && words.some((word) => SECRET_LAST_WORDS.has(word));
}

const KEY_BEGINS = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const KEY_ENDS = /-----END [A-Z ]*PRIVATE KEY-----/;
/** More than the longest key in use has: an RSA key of 16,384 bits. */
const MOST_KEY_LINES = 250;
/** The end of a line of a key, also behind words that a log puts before it. */
const KEY_LINE = /^[A-Za-z0-9+/=]{16}$/;
/** A whole line of a key, whichever lines around it are missing: no path, digest or word of that length mixes characters like this. */
const WHOLE_KEY_LINE = /(?:^|\s)(?=\S{0,75}[a-z])(?=\S{0,75}[A-Z])(?=\S{0,75}\d)[A-Za-z0-9+/]{58,76}={0,2}$/;
const LONGEST_KEY_LINE = 80;

function endsAsKeyLine(line: string): boolean {
  return KEY_LINE.test(line.trimEnd().slice(-16));
}

function isWholeKeyLine(line: string): boolean {
  return WHOLE_KEY_LINE.test(line.trimEnd().slice(-LONGEST_KEY_LINE));
}

/** Masks private keys that span several lines, also when their first line or most of their lines are missing. */
export function maskKeyLines(lines: readonly string[]): string[] {
  const masked = [...lines];
  for (let at = 0; at < masked.length; at += 1) {
    const line = lines[at] ?? "";
    if (KEY_BEGINS.test(line) && !KEY_ENDS.test(line)) {
      const end = Math.min(at + MOST_KEY_LINES, lines.length - 1);
      for (; at <= end; at += 1) {
        masked[at] = MASK;
        if (KEY_ENDS.test(lines[at] ?? "")) break;
      }
    } else if (KEY_ENDS.test(line)) {
      masked[at] = MASK;
      for (let before = at - 1; before >= 0 && endsAsKeyLine(lines[before] ?? ""); before -= 1) masked[before] = MASK;
    } else if (isWholeKeyLine(line)) masked[at] = MASK;
  }
  return masked;
}

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const SCHEMED = /\b(bearer\s+[\w+/=.~-]{16,}|basic\s+[A-Za-z0-9+/]{16,}={0,2})/gi;
const ASSIGNED =
  /((?:passw(?:or)?d|pwd|passphrase|secret|token|api[-_]?key|authorization)["']?\s{0,9}(?:=>|[:=])\s{0,9})(?:"[^"\n]*"?|'[^'\n]*'?|(?:(?:bearer|basic)\s+)?[^\s"'&;,])[^\s"'&;,]*/gi;

/** Masks secrets and keeps the words around them, since a log line is worth reading without its password. */
export function maskText(text: string): string {
  // Keys first: masking their first line would keep the pattern from matching the rest.
  return maskSentence(withoutNamed(withoutCredentials(text.replace(PRIVATE_KEY, MASK))));
}

/** The same for a sentence, in which a colon is no assignment, as in "Unrecognized key: lines". */
export function maskSentence(text: string): string {
  // Any other secret makes the whole text look like one, except for a credential after its scheme.
  if (!looksSecret("", text) && text.search(SCHEMED) === -1) return text;
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(SCHEMED, MASK)
    .replace(ASSIGNED, `$1${MASK}`)
    .replace(/\S+/g, (word) => (looksSecret("", word.replaceAll(MASK, "")) ? MASK : word));
}

/** Masks the user and password in the addresses of a text. */
function withoutCredentials(text: string): string {
  if (!text.includes("://") || !text.includes("@")) return text;
  return text.replace(/\S+/g, (word) => {
    const [first = "", ...rest] = word.split("://");
    return rest.reduce((masked, part, at) => {
      const end = credentialsEnd(part, at === 0 ? first : (rest[at - 1] ?? ""));
      return `${masked}://${end === -1 ? part : MASK + part.slice(end)}`;
    }, first);
  });
}

/** A password that may contain a slash, and no port. */
const PASSWORD_BEGINS = /^[^/:@[]*:(?!\d{1,5}(?:[/?#]|$))/;

/** The position of the `@` after the credentials of an address; -1 without credentials. */
function credentialsEnd(part: string, before: string): number {
  const address = part.split('"', 1)[0] ?? "";
  const authority = address.split("/", 1)[0] ?? "";
  const end = authority.lastIndexOf("@");
  // In web addresses a name without a password is a token; elsewhere it is a name, as in ssh://git@host.
  if (end !== -1) return authority.slice(0, end).includes(":") || /https?$/i.test(before) ? end : -1;
  return PASSWORD_BEGINS.test(address) ? address.lastIndexOf("@") : -1;
}

const COOKIES = /((?:^|[^\w.-])(?:set-)?cookie {0,9}: {0,9})[^\s"'](?:[^\n"']*[^\s"'])?/gi;
const NAME = /(?<![\w.-])([\w.-]+)\\*["']?\s{0,9}(?:=>|=|:(?!:))\s{0,9}/g;
const VALUE = /^(?:\\*"[^"\n]*"?|'[^'\n]*'?|(?:(?:bearer|basic|digest|token)\s+)?[^\s"'&;,])[^\s"'&;,]*/i;

/** Masks the value of each name-value pair in a text whose name says that it is a secret, as for labels. */
function withoutNamed(text: string): string {
  if (!SECRET_NAMES.test(text)) return text;
  let masked = "";
  let from = 0;
  const given = text.replace(COOKIES, `$1${MASK}`);
  for (const { index, 0: before, 1: name = "" } of given.matchAll(NAME)) {
    const start = index + before.length;
    if (index < from || !SECRET_NAMES.test(name) || !isSecretName(name)) continue;
    const value = VALUE.exec(given.slice(start))?.[0] ?? "";
    if (!looksSecret(name, value.replace(QUOTES, ""))) continue;
    masked += given.slice(from, start) + MASK;
    from = start + value.length;
  }
  return masked + given.slice(from);
}

/** Every name of a secret contains one of these, and so do some other names. */
const SECRET_NAMES = /pass|pwd|pw|secret|token|credential|key|auth|connection|bearer|pat|jwt|dsn|cookie|session|salt|otp|headers/i;
const QUOTES = /^[\\"']{1,8}|[\\"']{1,8}$/g;

const KEY_BYTES = 32;

/** The 32 bytes of a key, from 64 hexadecimal digits or base64 in either alphabet; undefined for any other text. */
export function parseSecretKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const key = Buffer.from(text, "base64");
  return key.length === KEY_BYTES ? key : undefined;
}
