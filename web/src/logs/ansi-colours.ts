import type { AnsiColour, TextStyle } from "./ansi.ts";

/** What a log is drawn on: `--sunken` of theme.css, in each theme. */
export const GROUNDS = { light: "#f3f3ef", dark: "#0a0d0f" } as const;

/** WCAG 2.2, level AA. */
const READABLE = 4.5;

/** The colours of a style. Text on a colour takes the colour of the ground, so that the contrast is the same pair turned round. */
export function coloursOf({ foreground, background, inverse }: TextStyle): { color?: string; backgroundColor?: string } {
  const on = inverse ? (foreground ?? (background === null ? "ink" : null)) : background;
  if (on !== null) return { color: "var(--sunken)", backgroundColor: on === "ink" ? "var(--ink)" : cssColour(on) };
  const text = inverse ? background : foreground;
  return text === null ? {} : { color: cssColour(text) };
}

/** A colour of the sixteen is a token; an exact one is moved as far as each theme needs to be readable in it. */
function cssColour(colour: AnsiColour): string {
  if (typeof colour === "number") return `var(--ansi-${colour})`;
  return `light-dark(${readable(colour, GROUNDS.light, 0)}, ${readable(colour, GROUNDS.dark, 255)})`;
}

/** The colour itself where it is readable on the ground, else the nearest on the way to `end` (0 black, 255 white) that is. */
export function readable(colour: string, ground: string, end: 0 | 255): string {
  if (contrast(colour, ground) >= READABLE) return colour;
  let low = 0;
  let high = 1;
  for (let step = 0; step < 8; step += 1) {
    const middle = (low + high) / 2;
    if (contrast(mix(colour, end, middle), ground) >= READABLE) high = middle;
    else low = middle;
  }
  return mix(colour, end, high);
}

/** Source: WCAG 2.2, contrast ratio. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function mix(colour: string, end: number, share: number): string {
  return `#${partsOf(colour)
    .map((part) =>
      Math.round(part + (end - part) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
