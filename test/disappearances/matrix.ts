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
import type { Way } from "./ways.ts";

/** What is said of each kind of thing in each way in which it can go. Tests run it, and docs/when-things-disappear.md prints it. */
export const MATRIX: Record<Kind, Record<Way, Expected>> = {
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
