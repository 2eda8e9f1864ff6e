/** The clock on the wall of a time zone. */
export interface Zone {
  /** What the clock there shows at an instant, written as if it were UTC. Milliseconds since 1970. */
  localMs(atMs: number): number;
}

/** As many as there are. Names differ in case too, so there may be more. */
const MOST_REMEMBERED = 600;
/** A zone takes far longer to open than to read. */
const opened = new Map<string, Zone>();

/** A zone of the IANA database; undefined when there is none of that name. */
export function openZone(name: string): Zone | undefined {
  const known = opened.get(name);
  if (known !== undefined) return known;
  // Bare offsets are known to Intl too, but they are no zones.
  const format = /^[a-z]/i.test(name) ? formatOf(name) : undefined;
  if (format === undefined) return undefined;
  const zone = zoneOf(format);
  if (opened.size >= MOST_REMEMBERED) opened.clear();
  opened.set(name, zone);
  return zone;
}

function zoneOf(format: Intl.DateTimeFormat): Zone {
  return {
    localMs(atMs) {
      const at: Record<string, number> = {};
      for (const { type, value } of format.formatToParts(atMs)) at[type] = Number(value);
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at;
      return Date.UTC(year, month - 1, day, hour, minute, second) + (((atMs % 1000) + 1000) % 1000);
    },
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    // Only using a zone shows whether it is known.
    return undefined;
  }
}

/**
 * The instant after `fromMs`, at most `toMs`, at which the zone's clock is set, and by how much; its offset must differ between the two. When it is
 * set several times, one of those that lead away from the offset at `fromMs`. Zones change at whole seconds.
 */
export function findTransition(zone: Zone, fromMs: number, toMs: number): { atMs: number; jumpMs: number } {
  const offset = (second: number): number => zone.localMs(second * 1000) - second * 1000;
  let low = Math.floor(fromMs / 1000);
  let high = Math.ceil(toMs / 1000);
  const before = offset(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === before) low = middle;
    else high = middle;
  }
  return { atMs: high * 1000, jumpMs: offset(high) - before };
}
