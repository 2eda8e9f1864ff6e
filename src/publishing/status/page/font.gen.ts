// Made of @fontsource-variable/inter by `npm run generate`.
/** Part of the font's address, so that browsers may keep it. */
export const FONT_VERSION = "3100e775e861";
