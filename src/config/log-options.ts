/** The options of logs that the server stores, as part of the table in options.ts. */
import type { Option } from "./option.ts";
import { bytes, durationOrOff } from "./value-types.ts";

export const LOG_OPTIONS = {
  logRetention: {
    flag: "--log-retention",
    env: "LOG_RETENTION",
    type: durationOrOff({ min: "1h", max: "8760h" }),
    default: "off",
    help: "How long the logs of all containers are stored in the data folder, where they outlive their containers; `off`: they are not. Label `service.logs.keep=false` leaves one out.",
  },
  logBytes: {
    flag: "--log-bytes",
    env: "LOG_BYTES",
    type: bytes({ min: 64 * 1024 ** 2, max: 256 * 1024 ** 3 }),
    default: "1G",
    help: "The size of all stored logs, compressed, beyond which the oldest are dropped before their time.",
  },
} as const satisfies Record<string, Option>;
