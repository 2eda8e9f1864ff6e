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
  return SECRET_ANYWHERE.test(name) || endsInSecretWord(name) || SECRET_VALUES.some((pattern) => pattern.test(value));
}

/** The same map with the values that look secret masked. */
export function maskSecrets(pairs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, looksSecret(name, value) ? MASK : value]));
}

function endsInSecretWord(name: string): boolean {
  const lastPart = name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf("/")) + 1);
  const words = lastPart
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return !words.includes("public") && words.some((word) => SECRET_LAST_WORDS.has(word));
}
