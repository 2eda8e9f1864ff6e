/** What charts are drawn with; any colour that CSS understands. A canvas does not follow the theme, so that they are read again for each. */
const INKS = {
  accent: "var(--accent)",
  accentFaint: "color-mix(in srgb, var(--accent) 13%, transparent)",
  band: "color-mix(in srgb, var(--accent) 26%, transparent)",
  second: "var(--ink-2)",
  limit: "var(--ink-3)",
  axis: "var(--ink-3)",
  grid: "var(--line)",
  sunken: "var(--sunken)",
  break: "var(--line-strong)",
  ok: "var(--ok)",
  degraded: "var(--degraded)",
  degradedSoft: "color-mix(in srgb, var(--degraded) 14%, transparent)",
  down: "var(--down)",
  idle: "var(--idle)",
} as const;

export type Palette = Record<keyof typeof INKS, string>;

/** Calls back whenever the theme changes, the device's or the chosen one; returns how to stop. */
export function watchTheme(onChange: () => void): () => void {
  const device = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(onChange);
  device.addEventListener("change", onChange);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    device.removeEventListener("change", onChange);
    chosen.disconnect();
  };
}

/** The inks as they are now at `host`. */
export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement("span");
  host.append(probe);
  const palette: Palette = { ...INKS };
  for (const name of Object.keys(INKS) as (keyof Palette)[]) {
    probe.style.color = INKS[name];
    palette[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return palette;
}
