export const MASK = "***";

const SECRET_NAME = /pass(word|wd)?|secret|token|api[-_.]?key|private[-_.]?key|credential|auth(?!or)|cookie|dsn|session/i;
const SECRET_VALUE =
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]*:[^/\s@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----|^(gh[pousr]_|glpat-|sk-|xox[abprs]-|AKIA)[\w-]{8,}|^eyJ[\w-]+\.eyJ[\w-]+\./;

/** Whether a name-value pair from outside looks like a secret that must not be shown. Errs on the side of hiding. */
export function looksSecret(name: string, value: string): boolean {
  return value !== "" && (SECRET_NAME.test(name) || SECRET_VALUE.test(value));
}

/** The same map with the values that look secret masked. */
export function maskSecrets(pairs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, looksSecret(name, value) ? MASK : value]));
}
