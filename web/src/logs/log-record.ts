import type { LogLineRecord } from "../../../src/monitoring/containers/api.ts";
import type { ServiceLogLine } from "../../../src/monitoring/swarm/api.ts";

/** A line as the server tells it: of a container, or of a task of a service. */
export type LogRecord = LogLineRecord | ServiceLogLine;
