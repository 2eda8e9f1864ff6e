import { SECTIONS } from "./sections.ts";

/** What the help tells. */
export const KEYS: readonly { keys: string[]; does: string }[] = [
  { keys: ["Ctrl", "K"], does: "Search, or run an action (Cmd K on a Mac)" },
  { keys: ["/"], does: "Filter this page" },
  ...SECTIONS.map((section) => ({ keys: ["g", section.key], does: `Go to ${section.label}` })),
  { keys: ["j"], does: "Next row" },
  { keys: ["k"], does: "Previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["a"], does: "In the alerts: acknowledge" },
  { keys: ["r"], does: "In the alerts: resolve" },
  { keys: ["u"], does: "Undo the last of these" },
  { keys: ["End"], does: "In a log: to the newest line, and follow" },
  { keys: ["w"], does: "In a log: wrap long lines" },
  { keys: ["t"], does: "In a log: show times" },
  { keys: ["c"], does: "In a log: copy the chosen line" },
  { keys: ["Esc"], does: "Clear a field, close a window" },
  { keys: ["?"], does: "This help" },
];
