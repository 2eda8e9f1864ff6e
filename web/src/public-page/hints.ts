/** By the letters of a strip. */
const WORDS: Readonly<Record<string, string>> = {
  o: "operational",
  d: "degraded",
  p: "partial outage",
  m: "major outage",
  w: "maintenance",
  "-": "no data",
};
const GAP_PX = 8;
const dayFormat = new Intl.DateTimeFormat([], { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
let hint: HTMLElement | undefined;

/** Shows the day of a strip under the pointer. */
export function showHints(): void {
  addEventListener("pointermove", show, { passive: true });
  addEventListener("pointerdown", show, { passive: true });
  addEventListener("scroll", hide, { passive: true });
}

function hide(): void {
  if (hint !== undefined) hint.hidden = true;
}

function show({ target, clientX }: PointerEvent): void {
  const strip = target instanceof Element ? target.closest<SVGElement>(".b") : null;
  if (strip === null) {
    hide();
    return;
  }
  const box = strip.getBoundingClientRect();
  const days = strip.dataset["d"] ?? "";
  const index = Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - box.left) / box.width) * days.length)));
  const element = (hint ??= makeHint());
  element.textContent = wordsOf(strip, days, index);
  element.hidden = false;
  const left = box.left + ((index + 0.5) / days.length) * box.width - element.offsetWidth / 2;
  element.style.left = `${scrollX + Math.max(GAP_PX, Math.min(left, innerWidth - element.offsetWidth - GAP_PX))}px`;
  element.style.top = `${scrollY + box.top - element.offsetHeight - 6}px`;
}

function makeHint(): HTMLElement {
  const made = document.createElement("div");
  made.id = "tip";
  made.setAttribute("aria-hidden", "true");
  document.body.append(made);
  return made;
}

/** `data-o` has the seconds of outage by day, as in `12:300 40:60`. */
function wordsOf(strip: SVGElement, days: string, index: number): string {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() - (days.length - 1 - index));
  const outages = new Map((strip.dataset["o"] ?? "").split(" ").map((each) => each.split(":") as [string, string]));
  const seconds = outages.get(String(index));
  return `${dayFormat.format(date)}: ${WORDS[days[index] ?? "-"]}${seconds === undefined ? "" : `, ${lengthOf(Number(seconds))} out`}`;
}

function lengthOf(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
