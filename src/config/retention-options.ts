/** How long resource figures and logs are kept, as part of the table in options.ts. */
import { bytes, duration, durationOrOff, type Option } from "./value-types.ts";

export const RETENTION_OPTIONS = {
  retentionDetail: {
    flag: "--retention-detail",
    env: "RETENTION_DETAIL",
    type: duration({ min: "2h", max: "8760h" }),
    default: "48h",
    help: "How long resource figures are kept at full detail, every 10 seconds.",
  },
  retentionMinutes: {
    flag: "--retention-minutes",
    env: "RETENTION_MINUTES",
    type: duration({ min: "24h", max: "87600h" }),
    default: "720h",
    help: "How long their means, minima and maxima of each minute are kept.",
  },
  retentionHours: {
    flag: "--retention-hours",
    env: "RETENTION_HOURS",
    type: duration({ min: "24h", max: "87600h" }),
    default: "9600h",
    help: "How long those of each hour are kept.",
  },
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
