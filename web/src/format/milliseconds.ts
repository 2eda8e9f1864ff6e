/** How long an answer took, in three figures or so: `0.4 ms`, `38 ms`, `1.24 s`; nothing known is a dash. */
export function formatMilliseconds(ms: number | null): string {
  if (ms === null) return "–";
  if (ms < 9.95) return `${trim(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9995) return `${trim((ms / 1000).toFixed(2))} s`;
  return `${trim((ms / 1000).toFixed(1))} s`;
}

/** Without zeros at the end: `2 ms` rather than `2.0 ms`. */
function trim(figure: string): string {
  return figure.includes(".") ? figure.replace(/\.?0+$/, "") : figure;
}
