/** How much a figure has changed: in its own unit, below 0 when it fell, and in percent of what it was; null percent of nothing. */
interface Change {
  change: number;
  change_percent: number | null;
}

export function changeOf(then: number, now: number): Change {
  // Sums of decimals end in digits that nobody measured.
  const change = Number((now - then).toFixed(4));
  return { change, change_percent: then === 0 ? null : Math.round((change / then) * 10_000) / 100 };
}
