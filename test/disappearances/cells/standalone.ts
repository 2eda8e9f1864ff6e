import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "up",
  alert: "-",
  sent: "-",
  uptime: "up",
  page: "operational",
  timeline: "-",
  before: "consecutive_failure",
  pageBefore: "major_outage",
};
const NO_CONTAINER = "It has no container.";
const NO_ENGINE = "It is not seen through an engine.";
const NO_AGENT = "The server checks it.";

export const standalone: Record<Scenario, Expected> = {
  crash: NO_CONTAINER,
  oom: NO_CONTAINER,
  stop: NO_CONTAINER,
  pause: NO_CONTAINER,
  removedLately: NO_CONTAINER,
  removal: NO_CONTAINER,
  recreated: NO_CONTAINER,
  upgraded: NO_CONTAINER,
  engineDeath: NO_ENGINE,
  engineDeathAndRestart: NO_ENGINE,
  hostReboot: { ...unaffected, uptime: "up, while seen", byAgent: { uptime: "up" } },
  cutOff: NO_AGENT,
  healed: NO_AGENT,
  serverRestart: { ...unaffected, uptime: "up, while seen" },
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: { ...unaffected, uptime: "up, while seen" },
  clockBack: unaffected,
};
