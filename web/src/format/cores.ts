/** An amount of CPU as Kubernetes writes it: `250m` below one core, `1.5` from there on; nothing known is a dash. */
export function formatCores(cores: number | null): string {
  if (cores === null) return "–";
  const milli = Math.round(cores * 1000);
  if (milli < 1000) return milli === 0 && cores > 0 ? "<1m" : milli === 0 ? "0" : `${milli}m`;
  return String(Number(cores.toFixed(cores < 10 ? 2 : 1)));
}
