import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "up",
  alert: "-",
  sent: "-",
  uptime: "up",
  page: "operational",
  timeline: "-",
  before: "deadline_missed",
  pageBefore: "major_outage",
};
const NO_CONTAINER = "It has no container.";
const NO_ENGINE = "It is not seen through an engine.";
const NO_AGENT = "Its job reports to the server.";
const away = {
  ...unaffected,
  uptime: "up, while seen",
  why: "Its deadline moves by the time in which no ping could be taken; that time does not count.",
};

export const heartbeat: Record<Scenario, Expected> = {
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
  hostReboot: { ...away, byAgent: { uptime: "up" } },
  cutOff: NO_AGENT,
  healed: NO_AGENT,
  serverRestart: away,
  databaseGone: away,
  diskFull: away,
  clockForward: away,
  clockBack: { ...unaffected, uptime: "not counted", why: "That hour was counted before." },
};
