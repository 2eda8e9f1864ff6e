/**
 * A point in the time of a zone: `03:30`, with the day before it when that is another one than here: `Tue 03:30`. undefined when the clocks
 * there show the same as here, or when the zone is not known to this browser.
 */
export function zoneTime(timestamp: string, timezone: string): string | undefined {
  const at = new Date(timestamp);
  const there = formatOf(timezone)?.format(at);
  if (there === undefined) return undefined;
  const here = formatOf(undefined)?.format(at) ?? "";
  if (there === here) return undefined;
  return there.slice(0, 3) === here.slice(0, 3) ? there.slice(4) : there;
}

function formatOf(timeZone: string | undefined): { format(at: Date): string } | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    return {
      format(at) {
        const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
        return `${parts["weekday"]} ${parts["hour"]}:${parts["minute"]}`;
      },
    };
  } catch {
    // The one way to ask whether a zone is known is to use it.
    return undefined;
  }
}
