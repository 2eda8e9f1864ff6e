const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** An amount of bytes in three digits, in units of 1024 (IEC 80000-13): `0 B`, `1.50 KiB`, `38.2 MiB`, `512 MiB`; nothing known is a dash. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "–";
  const { value, unit } = inUnit(bytes);
  return `${unit === "B" ? value : threeDigits(value)} ${unit}`;
}

/** Bytes a second, likewise: `38.2 KiB/s`. Less than half a byte a second is nothing. */
export function formatRate(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? "–" : `${formatBytes(bytesPerSecond)}/s`;
}

/** A round amount in as few digits as it needs: `512 MiB`, `1.5 GiB`. For the marks of an axis. */
export function formatRoundBytes(bytes: number): string {
  const { value, unit } = inUnit(bytes);
  return `${Number(value.toFixed(value < 10 ? 2 : 1))} ${unit}`;
}

/** The largest unit in which it is at least one, once rounded: 1023.9 MiB would read as 1024. */
function inUnit(bytes: number): { value: number; unit: (typeof UNITS)[number] } {
  let value = Math.round(bytes);
  let unit: (typeof UNITS)[number] = "B";
  for (const larger of UNITS.slice(1)) {
    if (Math.round(value) < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return { value, unit };
}

function threeDigits(value: number): string {
  if (value < 9.995) return value.toFixed(2);
  return value < 99.95 ? value.toFixed(1) : value.toFixed(0);
}
