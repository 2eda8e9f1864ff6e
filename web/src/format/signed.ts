/** A change with its sign: `+310 MiB`, `−0.42`; without one where it reads as nothing. `format` writes the amount. */
export function formatSigned(change: number, format: (amount: number) => string): string {
  const text = format(Math.abs(change));
  if (!/[1-9]/.test(text)) return text;
  return `${change > 0 ? "+" : "−"}${text}`;
}

const MOST_PERCENT = 9_999;

/** A change in percent: `+62 %`, `−0.4 %`; of next to nothing it would be endlessly long. */
export function formatSignedPercent(percent: number): string {
  if (percent > MOST_PERCENT) return `> ${MOST_PERCENT} %`;
  return formatSigned(percent, (amount) => `${amount < 0.05 || amount >= 9.95 ? amount.toFixed(0) : amount.toFixed(1)} %`);
}
