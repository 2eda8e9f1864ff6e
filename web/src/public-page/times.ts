const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const parts = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const thisYear = new Intl.DateTimeFormat("en-GB", parts);
const otherYear = new Intl.DateTimeFormat("en-GB", { ...parts, year: "numeric" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** Puts every time of the page into the reader's zone. */
export function localise(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[datetime*=T]")) {
    const text = wordsOf(new Date(time.dateTime), time.dataset);
    if (time.textContent !== text) time.textContent = text;
  }
  const note = document.getElementById("zone");
  if (note !== null && zone && zone !== "UTC") note.textContent = `Times are ${zone.replaceAll("_", " ")}, days are UTC`;
}

/** `data-age` is an age alone, `data-ago` a time with its age. */
function wordsOf(date: Date, shown: DOMStringMap): string {
  if (shown["age"] !== undefined) return ago(date);
  const format = date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear;
  return shown["ago"] === undefined ? format.format(date) : `${format.format(date)} (${ago(date)})`;
}

function ago(date: Date): string {
  const minutes = Math.floor((Date.now() - date.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return relative.format(-minutes, "minute");
  if (minutes < 2880) return relative.format(-Math.floor(minutes / 60), "hour");
  return relative.format(-Math.floor(minutes / 1440), "day");
}
