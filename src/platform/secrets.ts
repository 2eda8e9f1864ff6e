export const MASK = "***";

/** Words that make the whole name suspicious, wherever they stand in it. */
const SECRET_ANYWHERE =
  /passw(?:or)?d|passphrase|secret|token(?!i[sz]e)|credential|(?:api|access|private|signing|encryption|master|ssh)[-_. ]?key|authori[sz]ation|basic[-_.]?auth|digest[-_.]?auth|connection[-_.]?string|bearer/i;

/** Words that make a value secret when the last part of a dotted name has them: `db.pass` is one, `routers.auth.rule` is not. */
const SECRET_LAST_WORDS: ReadonlySet<string> = new Set(
  "pass pwd pw auth oauth key pat jwt dsn cookie cookies session salt otp headers".split(" "),
);

const SECRET_VALUES: readonly RegExp[] = [
  // A URL with a user and a password.
  /:\/\/[^/\s@:]*:[^/\s@]+@/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  // What well-known services call their tokens.
  /(?:^|[^a-zA-Z0-9])(?:gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|xox[abeprs]-|AKIA|ASIA|AIza|hf_|npm_|dckr_pat_)[\w-]{8,}/,
  /(?:^|[^\w-])eyJ[\w-]+\.eyJ[\w-]+\./,
  /^(?:bearer|basic)\s+[\w+/=.~-]{6,}$/i,
  // Hashed passwords as in htpasswd and shadow files.
  /\$(?:apr1|2[abxy]|[156]|argon2(?:id|i|d))\$/,
  // Addresses that are secrets themselves.
  /hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/|\.webhook\.office\.com\/|api\.telegram\.org\/bot/i,
  // A secret inside of a list, a query or an object.
  /(?:passw(?:or)?d|pwd|passphrase|secret|token|api[-_]?key|authorization)["']?\s{0,9}[:=]\s{0,9}["']?[^\s"'&;,]/i,
];

const HARMLESS_VALUE = /^(?:|true|false|yes|no|on|off|none|null)$/i;

/** Whether a name-value pair from outside looks like a secret that must not be shown. Errs on the side of hiding. */
export function looksSecret(name: string, value: string): boolean {
  if (HARMLESS_VALUE.test(value)) return false;
  return isSecretName(name) || SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** The same map with the values that look secret masked. */
export function maskSecrets(pairs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, looksSecret(name, value) ? MASK : value]));
}

/** Whether what goes by this name must not be shown, unless it says no more than yes or no. */
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
/** Longer than the longest key that is in use: an RSA key of 16,384 bits. */
const MOST_KEY_LINES = 250;
/** How a line of a key ends, also behind the words that a log puts before it. */
const KEY_LINE = /^[A-Za-z0-9+/=]{16}$/;
/** A whole line of a key, whichever lines around it are missing: it is mixed as no path, digest or word of that length is. */
const WHOLE_KEY_LINE = /(?:^|\s)(?=\S{0,75}[a-z])(?=\S{0,75}[A-Z])(?=\S{0,75}\d)[A-Za-z0-9+/]{58,76}={0,2}$/;
const LONGEST_KEY_LINE = 80;

function endsAsKeyLine(line: string): boolean {
  return KEY_LINE.test(line.trimEnd().slice(-16));
}

function isWholeKeyLine(line: string): boolean {
  return WHOLE_KEY_LINE.test(line.trimEnd().slice(-LONGEST_KEY_LINE));
}

/** Lines of a text with the private keys masked that stand across them: also one whose first line is missing, or most of whose lines are. */
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
