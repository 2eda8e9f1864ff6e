/** Contrast that text needs. Source: WCAG 2.2, 1.4.3, AA. */
export const READABLE = 4.5;

type Rgb = readonly [number, number, number];

/** The colour nearest to `accent` that can be read on all the grounds, and the one that can be read on it. All are `#rrggbb`. */
export function readableAccent(accent: string, grounds: readonly string[]): { colour: string; on: string } {
  const groundIsLight = grounds.every((ground) => luminance(parse(ground)) > 0.18);
  const away: Rgb = groundIsLight ? [0, 0, 0] : [255, 255, 255];
  const from = parse(accent);
  let colour = from;
  for (let step = 0; step <= 100 && !grounds.every((ground) => ratio(colour, parse(ground)) >= READABLE); step += 1) {
    colour = mix(from, away, step / 100);
  }
  const on = (["#ffffff", "#0b1220", "#000000"] as const).find((text) => ratio(colour, parse(text)) >= READABLE) ?? "#000000";
  return { colour: format(colour), on };
}

/** How well one colour is told from another, 1 to 21. */
export function contrast(one: string, other: string): number {
  return ratio(parse(one), parse(other));
}

function ratio(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix([r, g, b]: Rgb, [toR, toG, toB]: Rgb, share: number): Rgb {
  const between = (from: number, to: number): number => Math.round(from + (to - from) * share);
  return [between(r, toR), between(g, toG), between(b, toB)];
}

function parse(hex: string): Rgb {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

function format(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
