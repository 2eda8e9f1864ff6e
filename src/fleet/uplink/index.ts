/** The agent's side: its identity, its connection to the server, and what waits while there is none. */
export { readIdentity } from "./identity.ts";
export { createUplink, type Uplink, type UplinkHost, type UplinkOptions } from "./uplink.ts";
