/** How well an accent can be read on the status page. Source: WCAG 2.2, contrast ratio. */

/** Those of the page's grounds, in its two themes, on which text is hardest to read; see theme.css. */
const GROUNDS = { light: "#f3f3ef", dark: "#14181c" } as const;
/** What text needs. */
const READABLE = 4.5;

const ACCENT = /^#[0-9a-f]{6}$/i;

export function isAccent(text: string): boolean {
  return ACCENT.test(text);
}

/** How much two colours (`#rrggbb`) differ in lightness, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** What will become of an accent, as a sentence. */
export function accentWords(accent: string): string {
  if (!isAccent(accent)) return "Color of links and buttons, such as #2257c5.";
  const poor = (["light", "dark"] as const).filter((theme) => contrast(accent, GROUNDS[theme]) < READABLE);
  switch (poor.join()) {
    case "":
      return "Good contrast in light and dark.";
    case "light":
      return `Good contrast in dark. Too faint in light (${ratioWords(accent, "light")}), so a darker shade is used.`;
    case "dark":
      return `Good contrast in light. Too faint in dark (${ratioWords(accent, "dark")}), so a lighter shade is used.`;
    default:
      return `Too faint in light and dark (${ratioWords(accent, "light")} and ${ratioWords(accent, "dark")}; text needs 4.5): other shades are used.`;
  }
}

function ratioWords(accent: string, theme: keyof typeof GROUNDS): string {
  return `${(Math.floor(contrast(accent, GROUNDS[theme]) * 10) / 10).toFixed(1)} to 1`;
}
