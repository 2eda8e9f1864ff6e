import { readableAccent } from "./accent.ts";

/** The tokens of web/src/theme.css that this page uses, by name: light, dark. */
export const TOKENS = {
  bg: ["#fafaf8", "#0e1114"],
  surface: ["#ffffff", "#14181c"],
  sunken: ["#f3f3ef", "#0a0d0f"],
  line: ["#e7e6e1", "#21272d"],
  "line-strong": ["#d3d1ca", "#353d46"],
  ink: ["#1d1c1a", "#e6e9ec"],
  "ink-2": ["#5c5952", "#9ea8b2"],
  "ink-3": ["#6d6962", "#87919b"],
  ok: ["#217a4b", "#56c288"],
  degraded: ["#965800", "#e5a33d"],
  down: ["#c12d2a", "#f57e78"],
  idle: ["#6d6962", "#87919b"],
  maintenance: ["#6750c4", "#a996ff"],
  "ok-soft": ["#e5f3ea", "#12261b"],
  "degraded-soft": ["#faeed9", "#2a200f"],
  "down-soft": ["#fae8e7", "#2f1716"],
  "maintenance-soft": ["#eeebfb", "#1f1a36"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

type Theme = 0 | 1;

/** Grounds on which the accent is written, in each theme. */
export const ACCENT_GROUNDS: readonly (readonly string[])[] = ([0, 1] as const).map((theme) => [
  TOKENS.bg[theme],
  TOKENS.surface[theme],
  TOKENS.sunken[theme],
]);

/** Custom properties for both themes. Print is always light. */
export function themeCss(accent: string): string {
  return `:root{color-scheme:light;${declarations(0, accent)}}@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${declarations(1, accent)}}}`;
}

function declarations(theme: Theme, accent: string): string {
  const { colour, on } = readableAccent(accent, ACCENT_GROUNDS[theme] ?? []);
  const tokens = Object.entries(TOKENS).map(([name, colours]) => `--${name}:${colours[theme]}`);
  return [...tokens, `--accent:${colour}`, `--on-accent:${on}`].join(";");
}
