import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "1 found",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "dangerous_configuration",
  pageBefore: "-",
};
const ended = {
  ...unaffected,
  state: "0 found",
  before: "dangerous_configuration, resolved by observation",
  why: "It was seen to have ended two minutes ago, and what does not run exposes nothing.",
};
const unseen = { ...unaffected, state: "1 found, as last seen" };
const recreated = { ...unaffected, before: "dangerous_configuration" };

/** Of the container that is exposed. */
export const insight: Record<Scenario, Expected> = {
  crash: ended,
  oom: ended,
  stop: ended,
  pause: unaffected,
  removedLately: {
    ...recreated,
    state: "0 found",
    why: "What does not run exposes nothing, and its alert stays: another may yet take its place.",
  },
  removal: { ...unaffected, state: "gone", before: "dangerous_configuration, resolved by removal" },
  recreated,
  upgraded: recreated,
  engineDeath: unseen,
  engineDeathAndRestart: unseen,
  hostReboot: unaffected,
  cutOff: unseen,
  healed: unaffected,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};
