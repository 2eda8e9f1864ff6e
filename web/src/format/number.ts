const PLURALS = new Intl.PluralRules("en");
const WHOLE = new Intl.NumberFormat("en");

/** A share of 100, never rounded up to 100: `100 %`, `99.98 %`, `99.9 %`; nothing known is a dash. */
export function formatPercent(value: number | null): string {
  if (value === null) return "–";
  const cut = Math.floor(value * 100 + 1e-6) / 100;
  return `${cut} %`;
}

/** `1,204`. */
export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** `1 container`, `14 containers`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${PLURALS.select(count) === "one" ? one : many}`;
}
