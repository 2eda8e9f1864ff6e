import type { LogLineRecord } from "../../../src/monitoring/containers/answers.ts";
import type { ServiceLogLine } from "../../../src/monitoring/swarm/answers.ts";

/** A line as the server sends it: of a container, or of a task of a service. */
export type LogRecord = LogLineRecord | ServiceLogLine;
