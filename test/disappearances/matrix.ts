import { agent } from "./cells/agent.ts";
import { certificate } from "./cells/certificate.ts";
import { container } from "./cells/container.ts";
import { endpoint } from "./cells/endpoint.ts";
import { heartbeat } from "./cells/heartbeat.ts";
import { host } from "./cells/host.ts";
import { insight } from "./cells/insight.ts";
import { resource } from "./cells/resource.ts";
import { standalone } from "./cells/standalone.ts";
import { update } from "./cells/update.ts";
import type { Expected, Kind } from "./kinds.ts";
import type { Scenario } from "./scenarios.ts";

/** What is shown of each kind of thing in each scenario. Tests run it, and docs/when-things-disappear.md prints it. */
export const MATRIX: Record<Kind, Record<Scenario, Expected>> = {
  container,
  endpoint,
  standalone,
  heartbeat,
  certificate,
  resource,
  host,
  agent,
  update,
  insight,
};
